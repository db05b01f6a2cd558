import { useEffect } from 'react';
import { isNeverStored } from '../../lib/draft.ts';
import { useDrafts } from './drafts.ts';

/** Asks before the page is left where that would lose a draft: the text of a secret, and all where the browser keeps none. */
export function useLeaveConfirmation(): void {
  const { drafts, areKept } = useDrafts();
  const isNeeded = !areKept || [...drafts.values()].some(isNeverStored);
  useEffect(() => {
    if (!isNeeded) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isNeeded]);
}
