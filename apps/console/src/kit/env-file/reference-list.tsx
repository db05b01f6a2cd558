import type { TextReferences } from '@strata/import';
import { UserText } from '../../ui/user-text.tsx';
import styles from './references.module.css';

/** A text with references that a user pastes or imports. */
export interface TextWithReferences {
  /** The location of the text, such as a line or an environment. */
  readonly location: string;
  readonly name: string;
  readonly references: TextReferences;
}

/** The maximum number of texts that are listed. */
const LISTED_MAX = 50;

/** Lists texts with the names that they refer to, or the reason why their references stay text. */
export function ReferenceList({ texts }: { readonly texts: readonly TextWithReferences[] }) {
  const hiddenCount = texts.length - LISTED_MAX;
  return (
    <ul className={styles.list}>
      {texts.slice(0, LISTED_MAX).map(({ location, name, references: { names, problem } }) => (
        <li key={`${location} ${name}`} data-problem={problem !== null || undefined}>
          <UserText>{location}</UserText>:{' '}
          <code>
            <UserText>{name}</UserText>
          </code>{' '}
          {problem === null ? 'refers to ' : 'stays text. '}
          <UserText>{problem ?? names.join(', ')}</UserText>
        </li>
      ))}
      {hiddenCount > 0 && <li>and {hiddenCount.toLocaleString()} more</li>}
    </ul>
  );
}
