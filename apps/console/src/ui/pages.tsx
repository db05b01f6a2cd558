import { Link } from '@tanstack/react-router';
import button from './button.module.css';
import styles from './pages.module.css';

interface PagesProps {
  /** The name of the search parameter that contains the cursor, or the number of the page. */
  readonly by?: 'after' | 'before' | 'page';
  /** The cursor or number of this page; undefined on the first page. */
  readonly here: string | number | undefined;
  /** The cursor or number of the next page; null on the last page. */
  readonly next: string | number | null;
  readonly first?: string;
  readonly more?: string;
}

/** Links to the next page of a list and to its first page. Each page has its own URL. */
export function Pages({ by = 'after', here, next, first = 'First', more = 'More' }: PagesProps) {
  if (here === undefined && next === null) return null;
  return (
    <nav aria-label="Pages" className={styles.pages}>
      {here !== undefined && (
        <Link to="." search={(search: object) => ({ ...search, [by]: undefined })} className={button.plain}>
          {first}
        </Link>
      )}
      {next !== null && (
        <Link to="." search={(search: object) => ({ ...search, [by]: next })} className={button.plain}>
          {more}
        </Link>
      )}
    </nav>
  );
}

/** Returns the cursor of the next page; null on the last page. */
export const nextCursor = (info: {
  readonly hasNextPage: boolean;
  readonly endCursor: string | null;
}): string | null => (info.hasNextPage ? info.endCursor : null);
