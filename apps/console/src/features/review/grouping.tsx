import { Link } from '@tanstack/react-router';
import styles from '../../ui/tabs.module.css';
import type { ReviewSearch } from './review-search.ts';

const GROUPINGS = [
  { by: undefined, words: 'By change' },
  { by: 'environment', words: 'By environment' },
] as const;

/** Links that change how the effects are grouped. */
export function Grouping({ by }: ReviewSearch) {
  return (
    <nav className={styles.tabs} aria-label="Grouping of the effects">
      {GROUPINGS.map((option) => (
        <Link
          key={option.words}
          to="/review"
          search={{ by: option.by }}
          replace
          activeOptions={{ exact: true, includeSearch: true, explicitUndefined: true }}
          aria-current={option.by === by || undefined}
        >
          {option.words}
        </Link>
      ))}
    </nav>
  );
}
