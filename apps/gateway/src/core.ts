import { BATCH_LIMITS, type BatchResponse, type BatchResult } from '@strata/contract';
import { Failure } from '@strata/domain';
import {
  type CorePool,
  isReading,
  type Query,
  queryString,
  RestClient,
  type RestRequest,
  toFailure,
} from '@strata/rest-client';
import DataLoader from 'dataloader';

export type { Query } from '@strata/rest-client';

/** Most clients of a query have given up after this time. */
const READ_TIMEOUT_MS = 10_000;
/** Large copies and imports take longer. It is better to wait than to report a failure of a write that succeeds. */
const WRITE_TIMEOUT_MS = 30_000;

export interface CoreResponse<Body> {
  readonly body: Body;
  /** The revision of the organization that was read or created. */
  readonly revision: number | null;
  readonly etag: string | null;
}

/** The core on behalf of one caller, by paths below `/api/v1/`. Throws `Failure` for every error response. */
export interface CoreClient {
  get<Body>(path: string, query?: Query): Promise<CoreResponse<Body>>;
  send<Body>(
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    more?: { readonly query?: Query } & Pick<RestRequest, 'ifMatch' | 'ifNoneMatch'>,
  ): Promise<CoreResponse<Body>>;
}

/** Describes the caller to the core, in addition to the credential. */
export interface RequestOrigin {
  readonly requestId?: string;
  /** The network address of the caller, which the core uses to limit password guesses. */
  readonly address?: string;
}

export function createClient(
  pool: CorePool,
  authorization: string,
  { requestId, address }: RequestOrigin = {},
): RestClient {
  return new RestClient({
    pool,
    ...(authorization !== '' && { authorization }),
    // The ledger records the interface of each change.
    headers: {
      'x-strata-surface': 'graphql',
      ...(requestId !== undefined && { 'x-request-id': requestId }),
      ...(address !== undefined && { 'x-forwarded-for': address }),
    },
  });
}

/**
 * Each write gets the caller's idempotency key, and the second and later ones get a number as well. A repeated request
 * sends the same writes in the same order and therefore the same keys.
 */
export function createCoreClient(client: RestClient, idempotencyKey?: string): CoreClient {
  let written = 0;
  const named = () => {
    if (idempotencyKey === undefined) return {};
    written += 1;
    return { headers: { 'idempotency-key': written === 1 ? idempotencyKey : `${idempotencyKey}.${written}` } };
  };
  const request = async <Body>(call: Parameters<RestClient['request']>[0]): Promise<CoreResponse<Body>> => {
    const timeout = isReading(call) ? READ_TIMEOUT_MS : WRITE_TIMEOUT_MS;
    try {
      const { body, revision, etag } = await client.request<Body>({ ...call, signal: AbortSignal.timeout(timeout) });
      return { body: body as Body, revision, etag };
    } catch (error) {
      if (error instanceof Error && error.name === 'TimeoutError') {
        throw new Failure({
          kind: 'unavailable',
          code: 'core_slow',
          message: 'The service did not respond in time. Try again in a moment.',
        });
      }
      throw error;
    }
  };
  const alone = <Body>(path: string) => request<Body>({ method: 'GET', path: `/api/v1/${path}` });
  const together = new DataLoader<string, CoreResponse<unknown>>((paths) => readTogether(paths, request, alone), {
    cache: false,
    maxBatchSize: BATCH_LIMITS.requests,
    // When the next turn of the event loop begins, all resolvers of one level have made their requests.
    batchScheduleFn: (dispatch) => setImmediate(dispatch),
  });
  return {
    get: <Body>(path: string, query?: Query) => together.load(path + queryString(query)) as Promise<CoreResponse<Body>>,
    send: (method, path, body, more) =>
      request({
        method,
        path: `/api/v1/${path}`,
        body: body ?? (method === 'POST' ? {} : undefined),
        ...named(),
        ...more,
      }),
  };
}

type Send = <Body>(call: Parameters<RestClient['request']>[0]) => Promise<CoreResponse<Body>>;

/**
 * Reads everything that one level of a document needs in one call to the core, each path once. Each path has its own
 * result or error.
 */
async function readTogether(
  paths: readonly string[],
  request: Send,
  alone: (path: string) => Promise<CoreResponse<unknown>>,
): Promise<(CoreResponse<unknown> | Error)[]> {
  const different = [...new Set(paths)];
  // One path above the limit would cause the whole batch to be rejected.
  const batched = different.filter((path) => path.length <= BATCH_LIMITS.path);
  const results = batched.length > 1 ? await sendBatch(batched, request) : new Map<string, BatchResult>();
  const answers = await Promise.all(different.map((path) => toResponse(results.get(path), () => alone(path))));
  const byPath = new Map(different.map((path, at) => [path, answers[at]]));
  return paths.map((path) => byPath.get(path) ?? new Error('A response of the core is missing.'));
}

async function sendBatch(paths: readonly string[], request: Send): Promise<ReadonlyMap<string, BatchResult>> {
  const requests = paths.map((path) => ({ path }));
  const batch = { method: 'POST', path: '/api/v1/batch/', body: { requests }, isRead: true } as const;
  const { body } = await request<BatchResponse>(batch);
  return new Map(body.results.map((result, at) => [paths[at] ?? '', result]));
}

async function toResponse(
  result: BatchResult | undefined,
  alone: () => Promise<CoreResponse<unknown>>,
): Promise<CoreResponse<unknown> | Error> {
  if (result?.status === 200) return { body: result.body, revision: result.revision, etag: result.etag };
  if (!result || result.error_code === 'batch_too_large')
    return alone().catch((error: unknown) => (error instanceof Error ? error : new Error('The core did not respond.')));
  const { status, error_code: code, retry_after: retryAfter, body } = result;
  return toFailure({
    status,
    text: JSON.stringify(body),
    code,
    // A batch contains only reads, which cannot violate a rule.
    rules: null,
    retryAfter: retryAfter === null ? null : String(retryAfter),
    requestId: null,
  });
}

/** Returns null for a 404 and rethrows every other failure. */
export async function nullIfNotFound<T>(promise: Promise<T>): Promise<T | null> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof Failure && error.kind === 'not_found') return null;
    throw error;
  }
}
