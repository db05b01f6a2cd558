import type { QueryValue } from '@strata/contract';
import type { Dispatcher, Pool } from 'undici';
import type { CorePool } from './core-pool.ts';
import { coreUnreachableError, toFailure, UnexpectedResponseError } from './failure.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Query = Readonly<Record<string, QueryValue>>;

export interface RestRequest {
  readonly method: Method;
  /** The path below the origin, with the final slash: `/api/v1/environments/`. */
  readonly path: string;
  readonly query?: Query;
  readonly body?: unknown;
  /** An ETag. If it no longer matches, the core rejects the write with `precondition_failed`. */
  readonly ifMatch?: string;
  /** With `*`, the core rejects the write with `precondition_failed` if the object already exists. */
  readonly ifNoneMatch?: '*';
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Marks a POST that changes nothing, such as a batch of reads. It may be retried. */
  readonly isRead?: boolean;
}

/** Returns whether a request changes nothing. */
export function isReading({ method, isRead = method === 'GET' }: RestRequest): boolean {
  return isRead;
}

export interface RestResponse<T> {
  readonly status: number;
  /** The parsed body; null if the status is 204. */
  readonly body: T | null;
  readonly etag: string | null;
  readonly cacheControl: string | null;
  /** The revision of the organization that the response reflects. */
  readonly revision: number | null;
  readonly requestId: string | null;
}

/**
 * Sends requests with one caller's credential. Throws Failures for error responses, and a Failure `unavailable` for
 * network errors.
 */
export class Transport {
  constructor(
    private readonly pool: CorePool,
    private readonly headers: Readonly<Record<string, string>>,
  ) {}

  async send<T>(call: RestRequest): Promise<RestResponse<T>> {
    const { status, headers, text } = await asFailure(this.exchange(call), call);
    if (status >= 400) throw toFailure({ status, text, ...errorHeaders(headers) });
    return {
      status,
      body: text === '' ? null : parsed<T>(text, status, headers),
      etag: single(headers.etag),
      cacheControl: single(headers['cache-control']),
      revision: numberOrNull(single(headers['x-revision'])),
      requestId: single(headers['x-request-id']),
    };
  }

  /** Returns the body of a stream once the response headers confirm it. The signal ends the stream. */
  async open(call: RestRequest): Promise<AsyncIterable<Uint8Array>> {
    const { statusCode: status, headers, body } = await asFailure(this.dispatch(this.pool.streams, call), call);
    if (status === 200) return body;
    throw toFailure({ status, text: await asFailure(body.text(), call), ...errorHeaders(headers) });
  }

  private async exchange(call: RestRequest) {
    try {
      return await this.sendOnce(call);
    } catch (error) {
      // The server may have closed a reused connection. Reads are safe to retry; writes are not.
      if (!isReading(call) || !isHangUp(error)) throw error;
      return this.sendOnce(call);
    }
  }

  private async sendOnce(call: RestRequest) {
    const { statusCode: status, headers, body } = await this.dispatch(this.pool.requests, call);
    return { status, headers, text: await body.text() };
  }

  private dispatch(pool: Pool, call: RestRequest): Promise<Dispatcher.ResponseData> {
    return pool.request({
      method: call.method,
      path: call.path + queryString(call.query),
      headers: this.buildHeaders(call),
      body: call.body === undefined ? null : JSON.stringify(call.body),
      signal: call.signal ?? null,
    });
  }

  private buildHeaders({ body, headers, ifMatch, ifNoneMatch }: RestRequest): Record<string, string> {
    return {
      ...this.headers,
      accept: 'application/json, application/problem+json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      ...(ifNoneMatch !== undefined && { 'if-none-match': ifNoneMatch }),
      ...headers,
    };
  }
}

export function queryString(query: Query = {}): string {
  const pairs = Object.entries(query).flatMap(([key, value]) => {
    if (value === undefined || value === null) return [];
    const texts = typeof value === 'object' && 'repeated' in value ? value.repeated : [String(value)];
    return texts.map((text) => `${encodeURIComponent(key)}=${encodeURIComponent(text)}`);
  });
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** All network errors look the same to the caller, except that an abort stays an abort. */
async function asFailure<T>(exchange: Promise<T>, { signal }: RestRequest): Promise<T> {
  try {
    return await exchange;
  } catch (error) {
    throw signal?.aborted ? error : coreUnreachableError();
  }
}

const HANG_UPS: ReadonlySet<unknown> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

function isHangUp(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && HANG_UPS.has(error.code);
}

/**
 * A body that is not JSON does not come from a core. The parser's error is not used, because it would quote the body.
 */
function parsed<T>(text: string, status: number, headers: Headers): T {
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new UnexpectedResponseError(status, single(headers['x-request-id']));
  }
}

type Headers = Dispatcher.ResponseData['headers'];

function errorHeaders(headers: Headers) {
  return {
    code: single(headers['x-error-code']),
    rules: single(headers['x-error-rule']),
    retryAfter: single(headers['retry-after']),
    requestId: single(headers['x-request-id']),
  };
}

function single(header: string | string[] | undefined): string | null {
  return (Array.isArray(header) ? header[0] : header) ?? null;
}

function numberOrNull(text: string | null): number | null {
  return text === null ? null : Number(text);
}
