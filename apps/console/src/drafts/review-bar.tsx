import { Redo2, Undo2 } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import button from '../ui/button.module.css';
import type { DraftRefusal } from './apply-drafts.ts';
import { isKeptNowhere } from './draft.ts';
import type { DraftsHandle } from './drafts.ts';
import styles from './review-bar.module.css';

const ApplyDialog = lazy(async () => ({ default: (await import('./apply-dialog.tsx')).ApplyDialog }));

interface ReviewBarProps {
  readonly handle: DraftsHandle;
  readonly refusals: ReadonlyMap<string, DraftRefusal>;
  onRefused(refusals: ReadonlyMap<string, DraftRefusal>): void;
}

/** Floats above the page for as long as something is staged. */
export function ReviewBar({ handle, refusals, onRefused }: ReviewBarProps) {
  const { drafts, canUndo, canRedo } = handle;
  const [isReviewing, setReviewing] = useState(false);
  useAskingBeforeLeaving([...drafts.values()].some(isKeptNowhere));
  const refused = [...refusals].filter(([key, { draft }]) => drafts.get(key) === draft).length;
  return (
    <>
      <section className={styles.bar} aria-label="Drafts">
        <p className={styles.words} role="status">
          <strong>{drafts.size === 1 ? '1 change' : `${drafts.size} changes`}</strong>
          <span className={styles.where}> in {placesOf(handle)}</span>
          {refused > 0 && <span className={styles.refused}> · {refused} refused</span>}
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
          <button type="button" className={button.main} onClick={() => setReviewing(true)}>
            Review
          </button>
        </div>
      </section>
      {isReviewing && (
        <Suspense>
          <ApplyDialog handle={handle} onClose={() => setReviewing(false)} onRefused={onRefused} />
        </Suspense>
      )}
    </>
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
