import { GitMerge } from 'lucide-react';
import { type ConflictChoice, canOverwrite, type ListedConflict } from '../../data/revert-plan.ts';
import { describeObjectType } from '../../kit/history/changeset-descriptions.ts';
import { UserText } from '../../ui/user-text.tsx';
import styles from './revert-page.module.css';

interface RevertConflictsProps {
  readonly conflicts: readonly ListedConflict[];
  readonly choice: ConflictChoice;
  onChoice(choice: ConflictChoice): void;
}

const CHOICES: readonly { readonly choice: ConflictChoice; readonly title: string; readonly says: string }[] = [
  { choice: 'abort', title: 'Cancel', says: 'Nothing changes.' },
  {
    choice: 'skip',
    title: 'Skip conflicting objects',
    says: 'They stay as they are, and so do the objects that depend on them.',
  },
  { choice: 'overwrite', title: 'Overwrite', says: 'Later changes are lost.' },
];

/** The number of conflicts that are listed. */
const SHOWN = 50;

/** Lists the conflicts of a revert, with the policies that resolve them. */
export function RevertConflicts({ conflicts, choice, onChoice }: RevertConflictsProps) {
  const isOverwritable = canOverwrite(conflicts);
  return (
    <section className={styles.conflicts} aria-labelledby="conflicts">
      <h2 id="conflicts">
        <GitMerge size={16} aria-hidden />{' '}
        {conflicts.length === 1
          ? '1 object can’t be restored automatically'
          : `${conflicts.length.toLocaleString()} objects can’t be restored automatically`}
      </h2>
      <fieldset className={styles.choices}>
        <legend>Resolution for {conflicts.length === 1 ? 'it' : 'them'}</legend>
        {CHOICES.map(({ choice: option, title, says }) => {
          const isOffered = option !== 'overwrite' || isOverwritable;
          return (
            <label key={option} data-off={!isOffered || undefined}>
              <input
                type="radio"
                name="on-conflict"
                checked={choice === option}
                disabled={!isOffered}
                onChange={() => onChoice(option)}
              />
              <span>
                <strong>{title}</strong>{' '}
                {isOffered ? says : 'Not possible here. The objects below say what to do instead.'}
              </span>
            </label>
          );
        })}
      </fieldset>
      <ul className={styles.list}>
        {conflicts.slice(0, SHOWN).map((conflict, at) => (
          <li key={at}>
            <p className={styles.what}>
              {conflict.what !== null && <span>{describeObjectType(conflict.what)}</span>}
              {conflict.name !== null && (
                <code>
                  <UserText>{conflict.name}</UserText>
                </code>
              )}
              <span>{describeLocation(conflict)}</span>
            </p>
            <p>
              <UserText>{conflict.detail}</UserText>
            </p>
          </li>
        ))}
      </ul>
      {conflicts.length > SHOWN && <p>and {(conflicts.length - SHOWN).toLocaleString()} more</p>}
    </section>
  );
}

/** Projects and environments are not part of another object. */
function describeLocation({ what, project, environment }: ListedConflict): string {
  return [what !== 'Project' && project, what !== 'Environment' && environment].filter(Boolean).join(' · ');
}
