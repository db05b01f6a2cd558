import { useEffect } from 'react';
import { isNeverStored } from '../../lib/draft.ts';
import { useDrafts } from './drafts.ts';

/** Confirms leaving the page if that would lose a draft: the text of a secret, or any draft without storage. */
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
