import { Link } from '@tanstack/react-router';
import { CheckCircle2 } from 'lucide-react';
import styles from './review-page.module.css';

export interface AppliedChange {
  readonly revision: number;
  /** Of the drafts that came true. */
  readonly keys: readonly string[];
}

/** What was done just now. */
export function Applied({ applied: { revision, keys } }: { readonly applied: AppliedChange }) {
  return (
    <div className={styles.nothing} role="status">
      <h2>
        <CheckCircle2 size={18} aria-hidden /> Applied as revision {revision}
      </h2>
      <p>{keys.length === 1 ? 'One change was made.' : `${keys.length} changes were made together.`}</p>
      <Link to="/projects">Projects</Link>
    </div>
  );
}
