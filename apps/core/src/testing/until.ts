import { setTimeout as sleep } from 'node:timers/promises';

/** Polls until the result matches, for state that changes by itself in a moment. */
export async function until<T>(
  read: () => Promise<T>,
  isEnough: (found: T) => boolean,
  timeoutMs = 15_000,
): Promise<T> {
  for (const end = Date.now() + timeoutMs; ; await sleep(20)) {
    const found = await read();
    if (isEnough(found)) return found;
    if (Date.now() > end) throw new Error(`Waited in vain; at last: ${JSON.stringify(found)}`);
  }
}
