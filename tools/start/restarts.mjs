// How often something that falls over is started again.

const RESTARTS = 5;
const LONG_ENOUGH_MS = 60_000;

/**
 * Counts the falls of one thing. Each that comes soon after a start makes the next pause longer, and too many in a row are
 * given up on; who has run for long enough has its earlier ones forgotten.
 */
export function countRestarts({ firstPauseMs, longEnoughMs = LONG_ENOUGH_MS, now = Date.now }) {
  let falls = 0;
  let started = now();
  return {
    started() {
      started = now();
    },
    /** Milliseconds to wait before the next start; null when there shall be none. */
    fell() {
      if (now() - started >= longEnoughMs) falls = 0;
      falls += 1;
      return falls > RESTARTS ? null : firstPauseMs * 2 ** (falls - 1);
    },
    get falls() {
      return falls;
    },
  };
}
