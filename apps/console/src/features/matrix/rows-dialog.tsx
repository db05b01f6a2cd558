import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { typeNamesQuery } from '../../data/parameters.ts';
import type { ChangesetOperations } from '../../data/plan.ts';
import { PlannedChange } from '../../kit/planned/planned-change.tsx';
import { PlannedForm } from '../../kit/planned/planned-form.tsx';
import { formatCount } from '../../lib/format-count.ts';
import button from '../../ui/button.module.css';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Form, trimmedField } from '../../ui/form.tsx';
import page from '../../ui/page.module.css';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import type { ColumnOfGrid } from './grid-types.ts';
import type { RangeRows } from './range-edits.ts';

/** An action on all parameters of the selected rows. */
export type RowsAction = 'delete' | 'type' | 'copy';

export interface RowsChange {
  readonly action: RowsAction;
  readonly selected: RangeRows;
}

interface RowsDialogProps extends RowsChange {
  readonly projectId: string;
  /** Drafts the values of one environment in another one. */
  onCopy(from: ColumnOfGrid, to: ColumnOfGrid): void;
  /** Called with the revision of an applied change. */
  onApplied(revision: number): void;
  onClose(): void;
}

/** A dialog for an action on all parameters of the selected rows. */
export function RowsDialog({ action, selected, projectId, onCopy, onApplied, onClose }: RowsDialogProps) {
  const { rows, columns } = selected;
  const lines = rows.map(({ line }) => line);
  const ownRows = useMemo(
    () => rows.flatMap(({ line }) => (line.projectId === projectId ? line : [])),
    [rows, projectId],
  );
  const count = parameters(action === 'copy' ? lines.length : ownRows.length);
  const props = { ownRows, projectId, onApplied, onClose };
  return (
    <Dialog title={TITLES[action](count)} onClose={onClose} closesLightly={false}>
      {action !== 'copy' && ownRows.length < lines.length && (
        <p className={page.note}>
          Left out: {parameters(lines.length - ownRows.length)} of other projects. Change them in their own project.
        </p>
      )}
      {action === 'copy' && <CopyForm columns={columns} onCopy={onCopy} onClose={onClose} />}
      {action === 'delete' && ownRows.length > 0 && <Deletion {...props} count={count} />}
      {action === 'type' && ownRows.length > 0 && <TypeForm {...props} count={count} />}
    </Dialog>
  );
}

const TITLES: Readonly<Record<RowsAction, (count: string) => string>> = {
  delete: (count) => `Delete ${count}`,
  type: (count) => `Change the type of ${count}`,
  copy: (count) => `Copy the values of ${count}`,
};

const parameters = (count: number): string => formatCount(count, 'parameter');

interface OwnRowsProps {
  readonly ownRows: readonly { readonly parameterId: string; readonly name: string; readonly type: string }[];
  readonly projectId: string;
  readonly count: string;
  onApplied(revision: number): void;
  onClose(): void;
}

/** The maximum number of names in the message of a changeset. */
const NAMED_MAX = 5;

const named = (ownRows: OwnRowsProps['ownRows']): string =>
  ownRows.length > NAMED_MAX ? parameters(ownRows.length) : ownRows.map(({ name }) => name).join(', ');

function Deletion({ ownRows, projectId, count, onApplied, onClose }: OwnRowsProps) {
  const [first] = ownRows;
  const operations = useMemo<ChangesetOperations>(
    () =>
      ownRows.map(({ parameterId: id }) => ({
        operation: 'projects_parameters_destroy',
        path: { project_pk: projectId, id },
      })),
    [ownRows, projectId],
  );
  return (
    <>
      <p className={page.note}>Their values in all environments and their rules are deleted with them.</p>
      <PlannedChange
        operations={operations}
        verb={`Delete ${count}`}
        busyVerb="Deleting …"
        message={`Delete ${named(ownRows)}`}
        deletes={{ kind: 'parameter', name: first && ownRows.length === 1 ? first.name : count }}
        aside={<Cancel onClose={onClose} />}
        onApplied={onApplied}
      />
    </>
  );
}

function TypeForm({ ownRows, projectId, onApplied, onClose }: OwnRowsProps) {
  const { data: types = [] } = useQuery(typeNamesQuery);
  return (
    <PlannedForm
      verb="Change type"
      busyVerb="Changing …"
      message={(form) => `Type ${trimmedField(form, 'type')} for ${named(ownRows)}`}
      operationsOf={(form) => {
        const type = trimmedField(form, 'type');
        return ownRows
          .filter((line) => line.type !== type)
          .map(({ parameterId: id }) => ({
            operation: 'projects_parameters_partial_update',
            path: { project_pk: projectId, id },
            body: { type },
          }));
      }}
      onCancel={onClose}
      onApplied={onApplied}
    >
      <Field name="type" label="Type" hint="Defines which values are valid.">
        {(attributes) => (
          <select {...attributes}>
            {types.map((name) => (
              <option key={name} value={name}>
                {withVisibleCharacters(name)}
              </option>
            ))}
          </select>
        )}
      </Field>
    </PlannedForm>
  );
}

function CopyForm({
  columns,
  onCopy,
  onClose,
}: Pick<RowsDialogProps, 'onCopy' | 'onClose'> & Pick<RangeRows, 'columns'>) {
  const choice = (name: string, label: string, chosen: ColumnOfGrid | undefined) => (
    <Field name={name} label={label}>
      {(attributes) => (
        <select {...attributes} defaultValue={chosen?.id}>
          {columns.map((column) => (
            <option key={column.id} value={column.id}>
              {withVisibleCharacters(column.name)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
  const columnIn = (form: FormData, name: string) => columns.find(({ id }) => id === form.get(name));
  return (
    <Form
      verb="Draft the values"
      busyVerb="Drafting …"
      aside={<Cancel onClose={onClose} />}
      submit={async (form) => {
        const [from, to] = [columnIn(form, 'from'), columnIn(form, 'to')];
        if (from && to) onCopy(from, to);
      }}
    >
      <p className={page.note}>
        Effective values and templates become drafts in the other environment. Secrets are left out; promote them with
        Compare.
      </p>
      {choice('from', 'From', columns[0])}
      {choice('to', 'To', columns[1])}
    </Form>
  );
}

function Cancel({ onClose }: Pick<RowsDialogProps, 'onClose'>) {
  return (
    <button type="button" className={button.quiet} onClick={onClose}>
      Cancel
    </button>
  );
}
