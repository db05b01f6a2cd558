import { Pool } from 'undici';

/** The timeout of a response. A long poll takes up to thirty seconds; a slower response counts as lost. */
const ANSWER_TIMEOUT_MS = 40_000;
/**
 * The timeout of an idle stream. The core sends a bookmark every ten seconds, so a longer silence means a lost
 * connection, whatever TCP reports.
 */
const SILENCE_TIMEOUT_MS = 25_000;
const REQUESTS_AT_ONCE_MAX = 128;

/**
 * Connections to one core, shared by all clients of a process. Streams use a separate pool, so they never block
 * requests.
 */
export class CorePool {
  readonly requests: Pool;
  readonly streams: Pool;

  /** Tests use a shorter timeout. */
  constructor(
    readonly origin: string,
    { silenceMs = SILENCE_TIMEOUT_MS }: { readonly silenceMs?: number } = {},
  ) {
    this.requests = new Pool(origin, {
      connections: REQUESTS_AT_ONCE_MAX,
      headersTimeout: ANSWER_TIMEOUT_MS,
      bodyTimeout: ANSWER_TIMEOUT_MS,
    });
    this.streams = new Pool(origin, { headersTimeout: ANSWER_TIMEOUT_MS, bodyTimeout: silenceMs });
  }

  /** Closes open streams immediately and rejects new requests. */
  async close(): Promise<void> {
    await Promise.all([this.requests.destroy(), this.streams.destroy()]);
  }
}
