import { useId } from 'react';
import formStyles from './form.module.css';
import { useFieldErrors } from './form.tsx';
import objects from './objects.module.css';
import { UserText } from './user-text.tsx';

export interface CheckListItem {
  readonly id: string;
  readonly name: string;
}

interface CheckListProps {
  /** The name of the field in the API. Its value is the ids of the checked items. */
  readonly name: string;
  readonly legend: string;
  /** Whether only screen readers announce the legend, because a label precedes the list. */
  readonly isLegendHidden?: boolean;
  readonly id?: string;
  readonly items: readonly CheckListItem[];
  readonly checked: ReadonlySet<string>;
  toggle(id: string): void;
}

/** A list of checkboxes. Checked ids that it does not contain stay checked, because the user may not see all objects. */
export function CheckList({ name, legend, isLegendHidden = false, id, items, checked, toggle }: CheckListProps) {
  const fieldError = useFieldErrors(name);
  const errorId = useId();
  const hiddenIds = [...checked].filter((id) => !items.some((item) => item.id === id));
  return (
    <>
      <fieldset id={id} className={objects.checks} aria-describedby={fieldError === undefined ? undefined : errorId}>
        <legend className={isLegendHidden ? 'heard' : objects.legend}>{legend}</legend>
        {/* The form contains the name even if nothing is checked, so that it shows the error here. */}
        <input type="hidden" name={name} value="" />
        {hiddenIds.map((hiddenId) => (
          <input key={hiddenId} type="hidden" name={name} value={hiddenId} />
        ))}
        {items.map((item) => (
          <label key={item.id} className={formStyles.check}>
            <input
              type="checkbox"
              name={name}
              value={item.id}
              checked={checked.has(item.id)}
              onChange={() => toggle(item.id)}
            />{' '}
            <span>
              <UserText>{item.name}</UserText>
            </span>
          </label>
        ))}
      </fieldset>
      {fieldError !== undefined && (
        <p id={errorId} className={formStyles.wrong} role="alert">
          <UserText>{fieldError}</UserText>
        </p>
      )}
    </>
  );
}

/** Returns the ids that are checked in a list. */
export const readChecked = (form: FormData, name: string): string[] =>
  form
    .getAll(name)
    .map(String)
    .filter((id) => id !== '');

/** Returns the set with an id added, or without it. */
export function toggleId(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}
