import { useSyncExternalStore } from 'react';
import type { DraftRefusals } from '../../lib/draft-refusals.ts';

let refusals: DraftRefusals = new Map();
const listeners = new Set<() => void>();

/** Publishes the rejections of the last plan, which the cells show. */
export function setRefusals(next: DraftRefusals): void {
  refusals = next;
  for (const listener of listeners) listener();
}

/** Publishes further rejections, which the console found itself. */
export const addRefusals = (found: DraftRefusals): void => setRefusals(new Map([...refusals, ...found]));

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useRefusals = (): DraftRefusals => useSyncExternalStore(subscribe, () => refusals);
