import { createGrowingPause } from '@strata/testkit';

/** Long enough for a machine that is busy with other work. */
const TIMEOUT_MS = 120_000;

/** Reads until the result matches. Use it for state that the core changes without a request. */
export async function waitUntil<T>(
  read: () => Promise<T>,
  isEnough: (result: T) => boolean,
  timeoutMs = TIMEOUT_MS,
): Promise<T> {
  const pause = createGrowingPause();
  for (const end = Date.now() + timeoutMs; ; await pause()) {
    const result = await read();
    if (isEnough(result)) return result;
    if (Date.now() > end)
      throw new Error(`No match within ${timeoutMs} ms. The last result: ${JSON.stringify(result)}`);
  }
}
