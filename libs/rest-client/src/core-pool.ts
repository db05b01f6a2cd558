import { Pool } from 'undici';

/** A long poll takes up to thirty seconds; anything slower is lost. */
const ANSWER_TIMEOUT_MS = 40_000;
/** An idle stream carries a bookmark every ten seconds; without one it is dead, whatever TCP believes. */
const SILENCE_TIMEOUT_MS = 30_000;
const REQUESTS_AT_ONCE_MAX = 128;

/** Connections to one core, shared by all clients of a process. Streams have their own, so they never block a request. */
export class CorePool {
  readonly requests: Pool;
  readonly streams: Pool;

  constructor(origin: string) {
    this.requests = new Pool(origin, {
      connections: REQUESTS_AT_ONCE_MAX,
      headersTimeout: ANSWER_TIMEOUT_MS,
      bodyTimeout: ANSWER_TIMEOUT_MS,
    });
    this.streams = new Pool(origin, { headersTimeout: ANSWER_TIMEOUT_MS, bodyTimeout: SILENCE_TIMEOUT_MS });
  }

  /** Cuts streams off at once and lets nothing else begin. */
  async close(): Promise<void> {
    await Promise.all([this.requests.destroy(), this.streams.destroy()]);
  }
}
