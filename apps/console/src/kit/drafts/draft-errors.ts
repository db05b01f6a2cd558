import { useSyncExternalStore } from 'react';
import type { DraftErrors } from '../../lib/draft-errors.ts';

let draftErrors: DraftErrors = new Map();
const listeners = new Set<() => void>();

/** Publishes the rejections of the last plan, which the cells show. */
export function setDraftErrors(next: DraftErrors): void {
  draftErrors = next;
  for (const listener of listeners) listener();
}

/** Publishes further rejections, which the console found itself. */
export const addDraftErrors = (newErrors: DraftErrors): void => setDraftErrors(new Map([...draftErrors, ...newErrors]));

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useDraftErrors = (): DraftErrors => useSyncExternalStore(subscribe, () => draftErrors);
