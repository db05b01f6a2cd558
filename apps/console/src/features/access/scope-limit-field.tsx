import { useId, useState } from 'react';
import { formatCount } from '../../lib/format-count.ts';
import { Check, Field } from '../../ui/form.tsx';
import { UserText } from '../../ui/user-text.tsx';
import styles from './scope-limit-field.module.css';

interface ScopeLimitFieldProps {
  readonly name: string;
  readonly label: string;
  /** The word for one of the objects to choose from. */
  readonly noun: 'project' | 'environment';
  readonly scopes: readonly { readonly id: string; readonly name: string }[];
  /** The ids that are chosen at first; null for no limit. */
  readonly current: readonly string[] | null;
  /** The hints with and without a limit. */
  readonly hints: { readonly limited: string; readonly unlimited: string };
}

/** Renders the choice between all projects or environments, and some of them. */
export function ScopeLimitField({ name, label, noun, scopes, current, hints }: ScopeLimitFieldProps) {
  const [isLimited, setLimited] = useState(current !== null);
  const [chosenIds, setChosenIds] = useState<ReadonlySet<string>>(new Set(current));
  const listId = useId();
  const toggle = (id: string) => {
    const next = new Set(chosenIds);
    if (!next.delete(id)) next.add(id);
    setChosenIds(next);
  };
  return (
    <>
      <Field name={name} label={label} hint={isLimited ? hints.limited : hints.unlimited}>
        {(attributes) => (
          <select
            {...attributes}
            aria-controls={isLimited ? listId : undefined}
            value={isLimited ? 'only' : 'all'}
            onChange={(event) => setLimited(event.target.value === 'only')}
          >
            <option value="all">All {noun}s</option>
            <option value="only">
              {chosenIds.size === 0 ? 'Only the following' : `Only ${formatCount(chosenIds.size, noun)}`}
            </option>
          </select>
        )}
      </Field>
      {isLimited && (
        <fieldset id={listId} className={styles.scopes}>
          <legend className="heard">Only these {noun}s</legend>
          {scopes.map((scope) => (
            <Check
              key={scope.id}
              name={checkName(name)}
              value={scope.id}
              checked={chosenIds.has(scope.id)}
              onChange={() => toggle(scope.id)}
            >
              <UserText>{scope.name}</UserText>
            </Check>
          ))}
        </fieldset>
      )}
    </>
  );
}

const checkName = (name: string) => `${name}_id`;

/** Returns the chosen ids of a submitted form; null for no limit, and for a form without this field. */
export const readScopeLimit = (form: FormData, name: string): string[] | null =>
  form.get(name) === 'only' ? form.getAll(checkName(name)).map(String) : null;
