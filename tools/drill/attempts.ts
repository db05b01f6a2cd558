import { setTimeout as sleep } from 'node:timers/promises';

/** The pause before a request is sent again, in milliseconds. */
const PAUSE_MS = 100;
/** The time limit of one attempt in milliseconds. */
const ATTEMPT_MS_MAX = 30_000;

/** A request as its caller saw it: all attempts until one succeeded. */
export interface Sent {
  readonly kind: string;
  /** The times of the first attempt and of the last response, from `performance.now()`. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** The attempts that failed: 5xx, 429, or no response. */
  readonly failures: readonly string[];
}

/** The requests of all clients during a part of a drill. */
export interface Noticed {
  readonly requests: number;
  /** The failed attempts of requests that were sent again. */
  readonly failures: readonly string[];
  readonly medianMs: number;
  /** The time of the slowest request, its repetitions included. */
  readonly longestMs: number;
}

/** Sends requests again until they succeed, as clients with idempotency keys do, and records how long each took. */
export class Attempts {
  readonly sent: Sent[] = [];
  /** Responses that a repetition cannot repair. */
  readonly rejected: string[] = [];

  /** Returns the body of the first successful response; null if the request was rejected. */
  async send<Body>(kind: string, attempt: (signal: AbortSignal) => Promise<Response>): Promise<Body | null> {
    const startedAt = performance.now();
    const failures: string[] = [];
    for (;;) {
      const outcome = await attempt(AbortSignal.timeout(ATTEMPT_MS_MAX)).then(
        async (response) => ({ status: response.status, text: await response.text() }),
        (error: Error) => ({ status: 0, text: String(error.cause ?? error.message) }),
      );
      const { status, text } = outcome;
      if (status >= 200 && status < 300) {
        this.sent.push({ kind, startedAt, endedAt: performance.now(), failures });
        return JSON.parse(text) as Body;
      }
      if (status >= 400 && status < 500 && status !== 429) {
        this.rejected.push(`${kind}: ${status} ${text}`);
        return null;
      }
      failures.push(`${status} ${text.slice(0, 200)}`);
      await sleep(PAUSE_MS);
    }
  }

  /** Sums up the requests that ended at or after `from` and started before `to`. */
  noticed(from: number, to: number): Noticed {
    const sentAttempts = this.sent.filter(({ startedAt, endedAt }) => endedAt >= from && startedAt < to);
    const times = sentAttempts.map(({ startedAt, endedAt }) => endedAt - startedAt).sort((a, b) => a - b);
    return {
      requests: sentAttempts.length,
      failures: sentAttempts.flatMap(({ kind, failures }) => failures.map((failure) => `${kind}: ${failure}`)),
      medianMs: times[Math.floor(times.length / 2)] ?? 0,
      longestMs: times.at(-1) ?? 0,
    };
  }
}
