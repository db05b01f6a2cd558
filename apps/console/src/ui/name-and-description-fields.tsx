import { Field, trimmedField } from './form.tsx';
import { withVisibleCharacters } from './visible-characters.ts';

/** The name and the description of an object. */
export interface NameAndDescription {
  readonly name: string;
  readonly description: string;
}

/** Reads both from the form. */
export const nameAndDescriptionIn = (given: FormData): NameAndDescription => ({
  name: trimmedField(given, 'name'),
  description: trimmedField(given, 'description'),
});

interface DescribedFieldsProps {
  /** Null if the object cannot be renamed. */
  readonly name: string | null;
  readonly nameHint?: string;
  readonly description: string;
}

/** The fields for name and description. */
export function NameAndDescriptionFields({ name, nameHint, description }: DescribedFieldsProps) {
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

/** Browsers do not collapse these spaces in an option. */
const INDENT = '\u2003';

/** The rows of a tree as options, indented by depth. */
export function TreeOptions({ rows }: { readonly rows: readonly TreeOption[] }) {
  return rows.map(({ id, name, depth }) => (
    <option key={id} value={id}>
      {INDENT.repeat(depth)}
      {withVisibleCharacters(name)}
    </option>
  ));
}
