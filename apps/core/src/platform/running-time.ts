/** The clock measures this often whether the process runs. */
const TURN_MS = 50;
/** A timer of a process that gets enough processor time is at most this late. */
const LATE_MS = 10;

/** When the event loop last ran the timer of the clock, and how late all of its timers together were. */
export interface Turns {
  readonly at: number;
  readonly lateMs: number;
}

/** Returns the turns after one more at this time. */
export function addTurn({ at, lateMs }: Turns, now: number): Turns {
  return { at: now, lateMs: lateMs + Math.max(0, now - at - TURN_MS - LATE_MS) };
}

/**
 * Returns how much longer a wait must last until the process could have received a response for `limitMs`. Time in which
 * the process did not run does not count, because it could not receive anything.
 */
export function remainingMs(startedAt: Turns, currentTurns: Turns, limitMs: number): number {
  return Math.max(0, limitMs - (currentTurns.at - startedAt.at - (currentTurns.lateMs - startedAt.lateMs)));
}

let turns: Turns | null = null;

function currentTurns(): Turns {
  if (!turns) {
    turns = { at: performance.now(), lateMs: 0 };
    setInterval(() => {
      turns = turns && addTurn(turns, performance.now());
    }, TURN_MS).unref();
  }
  return addTurn(turns, performance.now());
}

/** Measures for how long this process has run since the object was created. */
export class RunningTime {
  private readonly began = currentTurns();

  /** Returns 0 if the process has run for this time. */
  remainingMs(limitMs: number): number {
    return remainingMs(this.began, currentTurns(), limitMs);
  }
}

/**
 * Calls `expire` when the process has run for this time. A response that arrived while the process was busy is received
 * before. The returned function cancels the call.
 */
export function afterRunning(limitMs: number, expire: () => void): () => void {
  const time = new RunningTime();
  let isCancelled = false;
  let timer = setTimeout(check, limitMs).unref();
  function check() {
    const ms = time.remainingMs(limitMs);
    if (ms > 0) timer = setTimeout(check, Math.ceil(ms)).unref();
    else setImmediate(() => setImmediate(() => isCancelled || expire()));
  }
  return () => {
    isCancelled = true;
    clearTimeout(timer);
  };
}
