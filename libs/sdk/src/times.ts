interface Limits {
  readonly first: number;
  readonly most: number;
}

/** Intervals and timeouts in milliseconds. Only tests use others. */
export interface Times {
  /** The time in which the first bytes of a stream arrive. Proxies that buffer responses deliver nothing for longer. */
  readonly openMs: number;
  /** Strata sends a bookmark every 10 s. After this time without any byte the connection is lost. */
  readonly silenceMs: number;
  /** A stream that ends earlier has failed. */
  readonly steadyMs: number;
  /** The limits of the increasing time for which the program polls before it tries the stream again. */
  readonly pollingMs: Limits;
  /** The time that Strata waits for a change before it responds to a poll. */
  readonly pollWaitMs: number;
  /** The limits of the increasing delay between two attempts. */
  readonly backoffMs: Limits;
  /** The interval of reports and of writing the cache file while nothing changes. */
  readonly heartbeatMs: number;
}

export const TIMES: Times = {
  openMs: 10_000,
  silenceMs: 25_000,
  steadyMs: 10_000,
  pollingMs: { first: 10_000, most: 300_000 },
  pollWaitMs: 30_000,
  backoffMs: { first: 250, most: 30_000 },
  heartbeatMs: 300_000,
};

/** Returns a delay that doubles with each failure. Half of it is random, so that programs do not reconnect together. */
export function backoffDelay(failures: number, { first, most }: Limits, random = Math.random): number {
  const limit = Math.min(most, first * 2 ** Math.min(failures - 1, 30));
  return limit / 2 + (random() * limit) / 2;
}

/** Waits, or returns earlier if the signal is aborted. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, milliseconds);
    if (signal.aborted) finish();
    else signal.addEventListener('abort', finish);
  });
}

/** An operation that ends with a signal or with its own timeout, which can be restarted. */
export class Deadline {
  readonly #outer: AbortSignal;
  readonly #controller = new AbortController();
  readonly #abort = () => this.#controller.abort();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the time was exceeded. */
  isExceeded = false;

  constructor(outer: AbortSignal) {
    this.#outer = outer;
    if (outer.aborted) this.#abort();
    else outer.addEventListener('abort', this.#abort);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  restart(milliseconds: number): void {
    this.stop();
    this.#timer = setTimeout(() => {
      this.isExceeded = true;
      this.#abort();
    }, milliseconds);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** Ends the operation. */
  end(): void {
    this.stop();
    this.#outer.removeEventListener('abort', this.#abort);
    this.#abort();
  }
}
