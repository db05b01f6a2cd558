import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_MS = 10;
const LONGEST_MS = 100;

/**
 * Returns a function that waits before the next attempt of a test that polls. The pauses grow, so that a test that waits
 * for seconds leaves the processor to others.
 */
export function createGrowingPause(): () => Promise<void> {
  let pauseMs = FIRST_MS;
  return async () => {
    await sleep(pauseMs);
    pauseMs = Math.min(2 * pauseMs, LONGEST_MS);
  };
}
