import { Link } from '@tanstack/react-router';
import { Redo2, Undo2 } from 'lucide-react';
import { useEffect } from 'react';
import button from '../ui/button.module.css';
import { isKeptNowhere } from './draft.ts';
import type { DraftsHandle } from './drafts.ts';
import { useRefusals } from './refusals.ts';
import styles from './review-bar.module.css';
import type { DraftConflict } from './standing.ts';

interface ReviewBarProps {
  readonly handle: DraftsHandle;
  readonly conflicts: ReadonlyMap<string, DraftConflict>;
  /** How many cells of this page would follow. */
  readonly following: number;
}

/** Floats above the page for as long as something is staged. */
export function ReviewBar({ handle, conflicts, following }: ReviewBarProps) {
  const { drafts, canUndo, canRedo, areKept } = handle;
  useAskingBeforeLeaving(!areKept || [...drafts.values()].some(isKeptNowhere));
  const refused = [...useRefusals()].filter(([key, { draft }]) => drafts.get(key) === draft).length;
  return (
    <section className={styles.bar} aria-label="Drafts">
      <p className={styles.words} role="status">
        <strong>{drafts.size === 1 ? '1 change' : `${drafts.size} changes`}</strong>
        <span className={styles.where}> in {placesOf(handle)}</span>
        {following > 0 && (
          <span className={styles.follows}>
            {' '}
            · {following === 1 ? '1 more cell follows' : `${following} more cells follow`}
          </span>
        )}
        {refused > 0 && <span className={styles.refused}> · {refused} refused</span>}
        {!areKept && (
          <span className={styles.refused}> · not kept by this browser: apply before you leave this page</span>
        )}
        {conflicts.size > 0 && (
          <span className={styles.refused}>
            {' '}
            · {conflicts.size === 1 ? '1 conflict' : `${conflicts.size} conflicts`}
          </span>
        )}
      </p>
      <div className={styles.actions}>
        <button type="button" className={button.icon} disabled={!canUndo} onClick={handle.undo} aria-label="Undo">
          <Undo2 size={15} aria-hidden />
        </button>
        <button type="button" className={button.icon} disabled={!canRedo} onClick={handle.redo} aria-label="Redo">
          <Redo2 size={15} aria-hidden />
        </button>
        <button type="button" className={button.quiet} onClick={() => handle.discard(drafts.keys())}>
          Discard
        </button>
        <Link to="/review" className={button.main}>
          Review
        </Link>
      </div>
    </section>
  );
}

/** The first few environments by name, and how many more. */
function placesOf({ drafts }: DraftsHandle): string {
  const names = [...new Set([...drafts.values()].map(({ environmentName }) => environmentName))];
  return names.length > 3 ? `${names.slice(0, 2).join(', ')} and ${names.length - 2} more` : names.join(', ');
}

/** Other drafts are kept; what is asked about here would be lost. */
function useAskingBeforeLeaving(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isNeeded]);
}
