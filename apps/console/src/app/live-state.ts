import { useSyncExternalStore } from 'react';

/** Whether what is shown follows what others change. */
export type LiveState =
  | { readonly kind: 'connecting' }
  /** Everything that is shown is as it was at this revision, or later. */
  | { readonly kind: 'live'; readonly revision: number }
  /** Nothing is heard, since a time; null where nothing was ever heard. */
  | { readonly kind: 'cut'; readonly revision: number | null };

let state: LiveState = { kind: 'connecting' };
const listeners = new Set<() => void>();

export function setLiveState(next: LiveState): void {
  state = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useLiveState = (): LiveState => useSyncExternalStore(subscribe, () => state);
