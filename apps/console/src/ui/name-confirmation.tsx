import { Field } from './form.tsx';

interface NameConfirmationProps {
  readonly name: string;
  readonly typed: string;
  onType(typedName: string): void;
}

/** Returns whether the user has typed the name of the object. */
export const isConfirmed = (typedName: string, name: string): boolean => typedName.trim() === name;

/** A field for the name of an object, which the user types before it is deleted. */
export function NameConfirmation({ name, typed, onType }: NameConfirmationProps) {
  return (
    <Field name="confirmation" label={`Type ${name} to confirm`}>
      {(attributes) => (
        <input
          {...attributes}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => onType(event.target.value)}
        />
      )}
    </Field>
  );
}
