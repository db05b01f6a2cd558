import { Field, trimmedField } from './form.tsx';
import { spelledOut } from './spelled-out.ts';

/** What something is called, and what it is for. */
export interface Described {
  readonly name: string;
  readonly description: string;
}

/** That, as it was typed. */
export const describedIn = (given: FormData): Described => ({
  name: trimmedField(given, 'name'),
  description: trimmedField(given, 'description'),
});

interface DescribedFieldsProps {
  /** Null where it cannot be called otherwise. */
  readonly name: string | null;
  readonly nameHint?: string;
  readonly description: string;
}

/** The fields of both. */
export function DescribedFields({ name, nameHint, description }: DescribedFieldsProps) {
  return (
    <>
      {name !== null && (
        <Field name="name" label="Name" hint={nameHint}>
          {(attributes) => <input {...attributes} required autoComplete="off" spellCheck={false} defaultValue={name} />}
        </Field>
      )}
      <Field name="description" label="Description">
        {(attributes) => <textarea {...attributes} rows={2} defaultValue={description} />}
      </Field>
    </>
  );
}

interface TreeOption {
  readonly id: string;
  readonly name: string;
  readonly depth: number;
}

/** Blanks that a browser keeps in a choice. */
const INDENT = '\u2003';

/** The rows of a tree as choices. */
export function TreeOptions({ rows }: { readonly rows: readonly TreeOption[] }) {
  return rows.map(({ id, name, depth }) => (
    <option key={id} value={id}>
      {INDENT.repeat(depth)}
      {spelledOut(name)}
    </option>
  ));
}
