import { useEffect } from 'react';
import { isNeverStored } from '../../lib/draft.ts';
import { useDrafts } from './drafts.ts';

/** Requires a confirmation before the user leaves the page, if a draft would be lost: a secret, or any draft that could not be stored. */
export function useLeaveConfirmation(): void {
  const { drafts, areKept } = useDrafts();
  const isNeeded = !areKept || [...drafts.values()].some(isNeverStored);
  useEffect(() => {
    if (!isNeeded) return;
    const requestConfirmation = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', requestConfirmation);
    return () => removeEventListener('beforeunload', requestConfirmation);
  }, [isNeeded]);
}
