import type { Dispatcher, Pool } from 'undici';
import type { CorePool } from './core-pool.ts';
import { failureOf, UnexpectedAnswer, unreachable } from './failure.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** Lists are joined by commas, or sent once for each when they are `repeated`; what is undefined or null is not sent. */
export type Query = Readonly<
  Record<string, string | number | boolean | readonly string[] | RepeatedParameter | null | undefined>
>;

/** A parameter whose texts may hold commas. */
export interface RepeatedParameter {
  readonly repeated: readonly string[];
}

export interface RestRequest {
  readonly method: Method;
  /** Below the origin, with the final slash: `/api/v1/environments/`. */
  readonly path: string;
  readonly query?: Query;
  readonly body?: unknown;
  /** An ETag; when it holds no longer, the write is refused with `precondition_failed`. */
  readonly ifMatch?: string;
  /** `*`: when what shall be made is there already, the write is refused with `precondition_failed`. */
  readonly ifNoneMatch?: '*';
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** A POST that changes nothing, such as a batch of reads: it may be sent again. */
  readonly isRead?: boolean;
}

/** Whether a request changes nothing. */
export function isReading({ method, isRead = method === 'GET' }: RestRequest): boolean {
  return isRead;
}

export interface RestResponse<T> {
  readonly status: number;
  /** Null when there is none: 204. */
  readonly body: T | null;
  readonly etag: string | null;
  /** The organization's revision that the answer shows. */
  readonly revision: number | null;
  readonly requestId: string | null;
}

/** Sends requests with one caller's credential. Refusals are thrown as Failures, network trouble as `unavailable`. */
export class Transport {
  constructor(
    private readonly pool: CorePool,
    private readonly headers: Readonly<Record<string, string>>,
  ) {}

  async send<T>(call: RestRequest): Promise<RestResponse<T>> {
    const { status, headers, text } = await asFailure(this.exchange(call), call);
    if (status >= 400) throw failureOf({ status, text, ...refusalHeaders(headers) });
    return {
      status,
      body: text === '' ? null : parsed<T>(text, status, headers),
      etag: single(headers.etag),
      revision: numberOrNull(single(headers['x-revision'])),
      requestId: single(headers['x-request-id']),
    };
  }

  /** The body of a stream, once its head says that it is one. The signal ends it. */
  async open(call: RestRequest): Promise<AsyncIterable<Uint8Array>> {
    const { statusCode: status, headers, body } = await asFailure(this.dispatch(this.pool.streams, call), call);
    if (status === 200) return body;
    throw failureOf({ status, text: await asFailure(body.text(), call), ...refusalHeaders(headers) });
  }

  private async exchange(call: RestRequest) {
    try {
      return await this.exchangeOnce(call);
    } catch (error) {
      // A kept connection may have been closed under our hands; reading again does no harm, writing again might.
      if (!isReading(call) || !isHangUp(error)) throw error;
      return this.exchangeOnce(call);
    }
  }

  private async exchangeOnce(call: RestRequest) {
    const { statusCode: status, headers, body } = await this.dispatch(this.pool.requests, call);
    return { status, headers, text: await body.text() };
  }

  private dispatch(pool: Pool, call: RestRequest): Promise<Dispatcher.ResponseData> {
    return pool.request({
      method: call.method,
      path: call.path + queryString(call.query),
      headers: this.headersOf(call),
      body: call.body === undefined ? null : JSON.stringify(call.body),
      signal: call.signal ?? null,
    });
  }

  private headersOf({ body, headers, ifMatch, ifNoneMatch }: RestRequest): Record<string, string> {
    return {
      ...this.headers,
      accept: 'application/json',
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

/** Whatever went wrong on the way is one thing to the caller, except that an interruption stays one. */
async function asFailure<T>(exchange: Promise<T>, { signal }: RestRequest): Promise<T> {
  try {
    return await exchange;
  } catch (error) {
    throw signal?.aborted ? error : unreachable();
  }
}

const HANG_UPS: ReadonlySet<unknown> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

function isHangUp(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && HANG_UPS.has(error.code);
}

/** What is no JSON is no answer of a core. The parser's own error would quote it. */
function parsed<T>(text: string, status: number, headers: Headers): T {
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new UnexpectedAnswer(status, single(headers['x-request-id']));
  }
}

type Headers = Dispatcher.ResponseData['headers'];

function refusalHeaders(headers: Headers) {
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
