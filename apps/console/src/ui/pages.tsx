import { Link } from '@tanstack/react-router';
import button from './button.module.css';
import styles from './pages.module.css';

interface PagesProps {
  /** The member of the address that says where the page begins. */
  readonly by?: 'after' | 'before';
  /** Where this page begins; undefined for the first. */
  readonly here: string | undefined;
  /** Where the next one begins; null where this is the last. */
  readonly next: string | null;
  readonly first?: string;
  readonly more?: string;
}

/** To the next page of a list, and back to its beginning. Each page has an address. */
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

/** Where the page behind this one begins. */
export const nextOf = (info: { readonly hasNextPage: boolean; readonly endCursor: string | null }): string | null =>
  info.hasNextPage ? info.endCursor : null;
