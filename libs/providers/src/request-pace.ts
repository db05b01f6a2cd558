import { setTimeout } from 'node:timers/promises';

/** Returns a function that waits so long that at most `atOnce` and then `perSecond` requests are sent. */
export function requestPace(atOnce: number, perSecond: number): () => Promise<void> {
  const interval = 1_000 / perSecond;
  let next = performance.now() - atOnce * interval;
  return async () => {
    const now = performance.now();
    next = Math.max(next, now - atOnce * interval) + interval;
    if (next > now) await setTimeout(next - now);
  };
}
