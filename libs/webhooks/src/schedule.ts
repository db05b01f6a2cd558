const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** The share of a delay that is random, so that webhooks that failed together do not retry together. */
const JITTER = 0.2;

/**
 * The delays after the first, second, … failure: short while the event is recent, then longer. The long delays at the
 * end reach 72 hours even if the jitter shortens every delay.
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
 * Returns when to retry after this many failures (1 = the first attempt failed), or null to give up. `random` returns a
 * number in [0, 1). A requested delay (`rate_limited`) is no failure and must not be counted.
 */
export function nextAttempt(failures: number, now: Date, random: () => number): Date | null {
  const delay = RETRY_DELAYS[Math.max(failures, 1) - 1];
  if (delay === undefined) return null;
  return new Date(now.getTime() + Math.round(delay * (1 - JITTER + 2 * JITTER * random())));
}
