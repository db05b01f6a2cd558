import { useSyncExternalStore } from 'react';

/** The interval after which shown relative times are updated. */
const TICK_MS = 10_000;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = Date.now();

/** Returns the current time in milliseconds. All components share one timer, which runs only while one of them is shown. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now);

function subscribe(onTick: () => void): () => void {
  if (timer === undefined) {
    now = Date.now();
    timer = setInterval(tick, TICK_MS);
  }
  listeners.add(onTick);
  return () => {
    listeners.delete(onTick);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  now = Date.now();
  for (const onTick of listeners) onTick();
}
