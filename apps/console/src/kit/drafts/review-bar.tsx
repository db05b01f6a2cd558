import { Link } from '@tanstack/react-router';
import { Redo2, Undo2 } from 'lucide-react';
import { memo, useEffect, useRef } from 'react';
import type { DraftConflict } from '../../lib/draft-status.ts';
import button from '../../ui/button.module.css';
import { useDraftErrors } from './draft-errors.ts';
import type { DraftsHandle } from './drafts.ts';
import styles from './review-bar.module.css';

interface ReviewBarProps {
  readonly handle: DraftsHandle;
  readonly conflicts: ReadonlyMap<string, DraftConflict>;
  /** The number of other cells on the page that would change. */
  readonly following: number;
}

/** A bar that is shown while there are drafts, or discarded drafts that undo can restore. */
export const ReviewBar = memo(function ReviewBar({ handle, conflicts, following }: ReviewBarProps) {
  const { drafts, canUndo, canRedo } = handle;
  const undo = useRef<HTMLButtonElement>(null);
  useUndoKeys(handle);
  const discard = () => {
    handle.discard(drafts.keys());
    // The focused button disappears with the last draft, so the focus moves to the undo button.
    undo.current?.focus();
  };
  return (
    <section className={styles.bar} data-region aria-label="Drafts">
      {handle.discarded > 0 ? (
        <p className={styles.words} role="status">
          {describeDiscarded(handle)}
        </p>
      ) : (
        <Words {...{ handle, conflicts, following }} />
      )}
      <div className={styles.actions}>
        <button
          ref={undo}
          type="button"
          className={handle.discarded > 0 ? button.plain : button.icon}
          disabled={!canUndo}
          onClick={handle.undo}
          aria-label="Undo"
        >
          <Undo2 size={15} aria-hidden /> {handle.discarded > 0 && 'Undo'}
        </button>
        <button type="button" className={button.icon} disabled={!canRedo} onClick={handle.redo} aria-label="Redo">
          <Redo2 size={15} aria-hidden />
        </button>
        {drafts.size > 0 && (
          <>
            <button type="button" className={button.quiet} onClick={discard}>
              Discard
            </button>
            <Link to="/review" className={button.main}>
              Review
            </Link>
          </>
        )}
      </div>
    </section>
  );
});

export const describeDiscarded = ({ discarded }: DraftsHandle): string =>
  `Discarded ${discarded === 1 ? '1 change' : `${discarded} changes`}`;

function Words({ handle, conflicts, following }: ReviewBarProps) {
  const { drafts, areKept } = handle;
  const rejectedCount = [...useDraftErrors()].filter(([key, { draft }]) => drafts.get(key) === draft).length;
  return (
    <p className={styles.words} role="status">
      <strong>{drafts.size === 1 ? '1 change' : `${drafts.size} changes`}</strong>
      <span className={styles.where}> in {describeEnvironments(handle)}</span>
      {following > 0 && (
        <span className={styles.follows}>
          {' '}
          · {following === 1 ? '1 more cell inherits it' : `${following} more cells inherit them`}
        </span>
      )}
      {rejectedCount > 0 && <span className={styles.warning}> · {rejectedCount} rejected</span>}
      {!areKept && (
        <span className={styles.warning}> · this browser can’t store drafts: apply before you leave this page</span>
      )}
      {conflicts.size > 0 && (
        <span className={styles.warning}> · {conflicts.size === 1 ? '1 conflict' : `${conflicts.size} conflicts`}</span>
      )}
    </p>
  );
}

/** Returns the names of the first environments and the number of the others. */
function describeEnvironments({ drafts }: DraftsHandle): string {
  const names = [...new Set([...drafts.values()].map(({ environmentName }) => environmentName))];
  return names.length > 3 ? `${names.slice(0, 2).join(', ')} and ${names.length - 2} more` : names.join(', ');
}

/** Handles Ctrl+Z and Ctrl+Shift+Z unless the user is typing. The grid handles these keys itself. */
function useUndoKeys({ undo, redo }: DraftsHandle): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isUndo = event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.altKey;
      if (!isUndo || event.defaultPrevented || (event.target as Element).matches('input, textarea, select')) return;
      event.preventDefault();
      if (event.shiftKey) redo();
      else undo();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [undo, redo]);
}
