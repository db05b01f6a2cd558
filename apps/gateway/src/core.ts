import { Failure } from '@strata/domain';
import type { CorePool, Query } from '@strata/rest-client';
import { RestClient } from '@strata/rest-client';

export type { Query } from '@strata/rest-client';

/** A query that waits longer than this has lost its reader. */
const READ_TIMEOUT_MS = 10_000;
/** A copy or an import of much takes longer; to call it failed while it succeeds would be worse than to wait. */
const WRITE_TIMEOUT_MS = 30_000;

export interface Answer<Body> {
  readonly body: Body;
  /** Revision of the organization that was read or made. */
  readonly revision: number | null;
  readonly etag: string | null;
}

/** The core as one caller may use it, by paths below `/api/v1/`. Throws `Failure` for every refusal. */
export interface Core {
  get<Body>(path: string, query?: Query): Promise<Answer<Body>>;
  send<Body>(
    method: 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    more?: { readonly query?: Query; readonly ifMatch?: string },
  ): Promise<Answer<Body>>;
}

/** What the core is told of a caller besides its credential. */
export interface Caller {
  readonly requestId?: string;
  /** Its network address: guesses at passwords are counted by it. */
  readonly address?: string;
}

export function clientOf(pool: CorePool, authorization: string, { requestId, address }: Caller = {}): RestClient {
  return new RestClient({
    origin: pool.origin,
    pool,
    ...(authorization !== '' && { authorization }),
    // The ledger remembers by which door a change came in.
    headers: {
      'x-strata-surface': 'graphql',
      ...(requestId !== undefined && { 'x-request-id': requestId }),
      ...(address !== undefined && { 'x-forwarded-for': address }),
    },
  });
}

export function coreOf(client: RestClient): Core {
  const ask = async <Body>(call: Parameters<RestClient['request']>[0]): Promise<Answer<Body>> => {
    const timeout = call.method === 'GET' ? READ_TIMEOUT_MS : WRITE_TIMEOUT_MS;
    try {
      const { body, revision, etag } = await client.request<Body>({ ...call, signal: AbortSignal.timeout(timeout) });
      return { body: body as Body, revision, etag };
    } catch (error) {
      if (error instanceof Error && error.name === 'TimeoutError') {
        throw new Failure('unavailable', 'core_slow', 'The service did not answer in time. Try again in a moment.');
      }
      throw error;
    }
  };
  return {
    get: (path, query) => ask({ method: 'GET', path: `/api/v1/${path}`, query }),
    send: (method, path, body, more) =>
      ask({ method, path: `/api/v1/${path}`, body: body ?? (method === 'POST' ? {} : undefined), ...more }),
  };
}

/** Answers null for what does not exist, and keeps every other failure. */
export async function orNull<T>(promise: Promise<T>): Promise<T | null> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof Failure && error.kind === 'not_found') return null;
    throw error;
  }
}
