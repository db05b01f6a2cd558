const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Spread retries of many webhooks that failed together. */
const JITTER = 0.2;

/**
 * Waiting times after the first, second, … failure: quick while the news is fresh, then patient. The long waits at the
 * end are as many as it takes to try for 72 hours even when every wait is cut short by the jitter.
 */
export const RETRY_DELAYS: readonly number[] = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  ...Array.from({ length: 7 }, () => 12 * HOUR),
];

/**
 * When to try again after so many failures (1 = the first attempt failed), or null when it is time to give up.
 * `random` answers a number in [0, 1). Being told to wait (`rate_limited`) is no failure and must not be counted.
 */
export function nextAttempt(failures: number, now: Date, random: () => number): Date | null {
  const delay = RETRY_DELAYS[Math.max(failures, 1) - 1];
  if (delay === undefined) return null;
  return new Date(now.getTime() + Math.round(delay * (1 - JITTER + 2 * JITTER * random())));
}
