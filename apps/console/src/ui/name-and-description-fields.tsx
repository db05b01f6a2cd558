import { Field, trimmedField } from './form.tsx';
import { withVisibleCharacters } from './visible-characters.ts';

/** The name and the description of an object. */
export interface NameAndDescription {
  readonly name: string;
  readonly description: string;
}

/** Reads the name and the description from a submitted form. */
export const readNameAndDescription = (form: FormData): NameAndDescription => ({
  name: trimmedField(form, 'name'),
  description: trimmedField(form, 'description'),
});

interface DescribedFieldsProps {
  /** The initial name; null if the object cannot be renamed. */
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

/** An em space. Browsers do not collapse it in an option. */
const INDENT = '\u2003';

/** Renders the rows of a tree as options, indented by depth. */
export function TreeOptions({ rows }: { readonly rows: readonly TreeOption[] }) {
  return rows.map(({ id, name, depth }) => (
    <option key={id} value={id}>
      {INDENT.repeat(depth)}
      {withVisibleCharacters(name)}
    </option>
  ));
}
