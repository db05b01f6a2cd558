// Limits how often a process that ends unexpectedly is restarted.

const RESTARTS = 5;
const LONG_ENOUGH_MS = 60_000;

/**
 * Counts the unexpected ends of one process. Each end soon after a start doubles the next pause, and after too many in
 * a row the process is not restarted. If it runs for `longEnoughMs`, its earlier ends no longer count.
 */
export function countRestarts({
  firstPauseMs,
  longEnoughMs = LONG_ENOUGH_MS,
  now = Date.now,
}: {
  readonly firstPauseMs: number;
  readonly longEnoughMs?: number | undefined;
  readonly now?: () => number;
}) {
  let falls = 0;
  let startedAt = now();
  return {
    started(): void {
      startedAt = now();
    },
    /** Returns the milliseconds to wait before the next start; null if there should be none. */
    fell(): number | null {
      if (now() - startedAt >= longEnoughMs) falls = 0;
      falls += 1;
      return falls > RESTARTS ? null : firstPauseMs * 2 ** (falls - 1);
    },
    get falls(): number {
      return falls;
    },
  };
}
