import { useState } from 'react';
import type { ChangesetOperations } from '../../kit/planned/planned-change.tsx';
import { PlannedForm } from '../../kit/planned/planned-form.tsx';
import { listPossibleParents, type StoredType, type TypeInTree } from '../../lib/type-tree.ts';
import { Field, trimmedField } from '../../ui/form.tsx';
import { CancelLink } from '../../ui/page-actions.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';

interface TypeFormProps {
  readonly rows: readonly TypeInTree[];
  /** The type to change; null to create one. */
  readonly type: StoredType | null;
  /** The initial parent of a new type. */
  readonly parentId: string | null;
  onApplied(revision: number, name: string): void | Promise<void>;
}

/** Creates or changes a type. If the parent changes, the core first validates the stored values against the new rules. */
export function TypeForm({ rows, type: currentType, parentId, onApplied }: TypeFormProps) {
  // The state keeps the version that the user started to edit.
  const [type] = useState(currentType);
  const parents = type === null ? rows : listPossibleParents(rows, type.id);
  // The default parent, which accepts every text and allows most kinds of rules.
  const stringTypeId = rows.find((row) => row.depth === 0 && row.type.name === 'string')?.type.id;
  const read = (form: FormData) => ({
    name: trimmedField(form, 'name'),
    description: trimmedField(form, 'description'),
    parent: trimmedField(form, 'parent'),
  });
  const listOperations = (form: FormData): ChangesetOperations =>
    type === null
      ? [{ operation: 'types_create', body: read(form) }]
      : [{ operation: 'types_partial_update', path: { id: type.id }, body: read(form), ifMatch: type.ledgerId }];
  return (
    <PlannedForm
      verb={type === null ? 'Create type' : 'Save type'}
      busyVerb="Applying …"
      operationsOf={listOperations}
      message={(form) => (type === null ? `New type ${read(form).name}` : `Type ${type.name}`)}
      onApplied={(revision, form) => onApplied(revision, read(form).name)}
      aside={<CancelLink />}
    >
      <Field name="name" label="Name">
        {(field) => (
          <input {...field} defaultValue={type?.name} maxLength={255} autoComplete="off" spellCheck={false} required />
        )}
      </Field>
      <Field name="parent" label="Based on" hint="The rules of the base type and its base types apply too.">
        {(field) => (
          <select {...field} defaultValue={type?.parentId ?? parentId ?? stringTypeId}>
            {parents.map((row) => (
              <option key={row.type.id} value={row.type.id}>
                {'\u2003'.repeat(row.depth)}
                {withVisibleCharacters(row.type.name)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field name="description" label="Description">
        {(field) => <textarea {...field} defaultValue={type?.description} rows={2} />}
      </Field>
    </PlannedForm>
  );
}
