import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { typeNamesQuery } from '../../data/parameters.ts';
import type { ChangesetOperations } from '../../data/plan.ts';
import { PlannedChange } from '../../kit/planned/planned-change.tsx';
import { PlannedForm } from '../../kit/planned/planned-form.tsx';
import { counted } from '../../lib/counted.ts';
import button from '../../ui/button.module.css';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Form, trimmedField } from '../../ui/form.tsx';
import page from '../../ui/page.module.css';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import type { ColumnOfGrid } from './grid-types.ts';
import type { RangeRows } from './range-edits.ts';
import type { RowsAction } from './use-range-actions.ts';

interface RowsDialogProps {
  readonly action: RowsAction;
  readonly found: RangeRows;
  readonly projectId: string;
  /** Drafts the values of one environment in another one. */
  onCopy(from: ColumnOfGrid, to: ColumnOfGrid): void;
  /** Called with the revision of an applied change. */
  onApplied(revision: number): void;
  onClose(): void;
}

/** A dialog for an action on all parameters of the selected rows. */
export function RowsDialog({ action, found, projectId, onCopy, onApplied, onClose }: RowsDialogProps) {
  const { rows, columns } = found;
  const lines = rows.map(({ line }) => line);
  const own = useMemo(() => rows.flatMap(({ line }) => (line.projectId === projectId ? line : [])), [rows, projectId]);
  const count = parameters(action === 'copy' ? lines.length : own.length);
  const props = { own, projectId, onApplied, onClose };
  return (
    <Dialog title={TITLES[action](count)} onClose={onClose} closesLightly={false}>
      {action !== 'copy' && own.length < lines.length && (
        <p className={page.note}>
          Left out: {parameters(lines.length - own.length)} of other projects. Change them in their own project.
        </p>
      )}
      {action === 'copy' && <CopyForm columns={columns} onCopy={onCopy} onClose={onClose} />}
      {action === 'delete' && own.length > 0 && <Deletion {...props} count={count} />}
      {action === 'type' && own.length > 0 && <TypeForm {...props} count={count} />}
    </Dialog>
  );
}

const TITLES: Readonly<Record<RowsAction, (count: string) => string>> = {
  delete: (count) => `Delete ${count}`,
  type: (count) => `Change the type of ${count}`,
  copy: (count) => `Copy the values of ${count}`,
};

const parameters = (count: number): string => counted(count, 'parameter');

interface OwnRowsProps {
  readonly own: readonly { readonly parameterId: string; readonly name: string; readonly type: string }[];
  readonly projectId: string;
  readonly count: string;
  onApplied(revision: number): void;
  onClose(): void;
}

/** The maximum number of names in the message of a changeset. */
const NAMED_MAX = 5;

const named = (own: OwnRowsProps['own']): string =>
  own.length > NAMED_MAX ? parameters(own.length) : own.map(({ name }) => name).join(', ');

function Deletion({ own, projectId, count, onApplied, onClose }: OwnRowsProps) {
  const [first] = own;
  const operations = useMemo<ChangesetOperations>(
    () =>
      own.map(({ parameterId: id }) => ({
        operation: 'projects_parameters_destroy',
        path: { project_pk: projectId, id },
      })),
    [own, projectId],
  );
  return (
    <>
      <p className={page.note}>Their values in all environments and their rules are deleted with them.</p>
      <PlannedChange
        operations={operations}
        verb={`Delete ${count}`}
        busyVerb="Deleting …"
        message={`Delete ${named(own)}`}
        deletes={{ kind: 'parameter', name: first && own.length === 1 ? first.name : count }}
        aside={<Cancel onClose={onClose} />}
        onApplied={onApplied}
      />
    </>
  );
}

function TypeForm({ own, projectId, onApplied, onClose }: OwnRowsProps) {
  const { data: types = [] } = useQuery(typeNamesQuery);
  return (
    <PlannedForm
      verb="Change type"
      busyVerb="Changing …"
      message={(given) => `Type ${trimmedField(given, 'type')} for ${named(own)}`}
      operationsOf={(given) => {
        const type = trimmedField(given, 'type');
        return own
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
  const columnIn = (given: FormData, name: string) => columns.find(({ id }) => id === given.get(name));
  return (
    <Form
      verb="Draft the values"
      busyVerb="Drafting …"
      aside={<Cancel onClose={onClose} />}
      submit={async (given) => {
        const [from, to] = [columnIn(given, 'from'), columnIn(given, 'to')];
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
