import { useSyncExternalStore } from 'react';

/** The state of the connection over which the page receives changes. */
export type LiveState =
  | { readonly kind: 'connecting' }
  /** The page shows at least this revision. */
  | { readonly kind: 'live'; readonly revision: number }
  /** The connection is lost. `revision` is the last received one; null if none was received. */
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
