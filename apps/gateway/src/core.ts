import { BATCH_LIMITS, type BatchedRead, type BatchResponse, type BatchResult } from '@strata/contract';
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
import {
  type ResponseSource,
  ResponseSources,
  type ResponseVersion,
  type StorableSources,
} from './response-store/response-sources.ts';

export type { Query } from '@strata/rest-client';

/** Most clients of a query have given up after this time. */
const READ_TIMEOUT_MS = 10_000;
/** If a stored response cannot be validated soon, the query is executed. */
const VALIDATION_TIMEOUT_MS = 2_000;
/** Large copies and imports take longer. It is better to wait than to report a failure of a write that succeeds. */
const WRITE_TIMEOUT_MS = 30_000;

/** Matches paths whose responses may contain secrets in clear. */
const REQUESTS_SECRETS = /[?&](?:mask_secrets=false|reveal=true)(?:&|$)/;

export interface CoreResponse<Body> extends ResponseVersion {
  readonly body: Body;
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

interface CoreClientOptions {
  /** Collects the reads. */
  readonly sources?: ResponseSources;
  /** The caller's key for its writes. */
  readonly idempotencyKey?: string | undefined;
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
export function createCoreClient(
  client: RestClient,
  { sources = new ResponseSources(), idempotencyKey }: CoreClientOptions = {},
): CoreClient {
  let writeCount = 0;
  const idempotencyHeaders = () => {
    if (idempotencyKey === undefined) return {};
    writeCount += 1;
    return { headers: { 'idempotency-key': writeCount === 1 ? idempotencyKey : `${idempotencyKey}.${writeCount}` } };
  };
  const readAlone = async <Body>(path: string) => {
    const response = await send<Body>(client, { method: 'GET', path: `/api/v1/${path}` });
    // A core of the previous release does not say that a single response contains secrets.
    return REQUESTS_SECRETS.test(path) ? { ...response, isStorable: false } : response;
  };
  const batchLoader = new DataLoader<string, CoreResponse<unknown>>((paths) => readTogether(paths, client, readAlone), {
    cache: false,
    maxBatchSize: BATCH_LIMITS.requests,
    // When the next turn of the event loop begins, all resolvers of one level have made their requests.
    batchScheduleFn: (dispatch) => setImmediate(dispatch),
  });
  const read = async (path: string) => {
    try {
      const response = await batchLoader.load(path);
      sources.add(path, response);
      return response;
    } catch (error) {
      sources.discard();
      throw error;
    }
  };
  return {
    get: <Body>(path: string, query?: Query) => read(path + queryString(query)) as Promise<CoreResponse<Body>>,
    send: (method, path, body, readOptions) => {
      sources.discard();
      return send(client, {
        method,
        path: `/api/v1/${path}`,
        body: body ?? (method === 'POST' ? {} : undefined),
        ...idempotencyHeaders(),
        ...readOptions,
      });
    },
  };
}

async function send<Body>(
  client: RestClient,
  call: Parameters<RestClient['request']>[0],
  timeout = isReading(call) ? READ_TIMEOUT_MS : WRITE_TIMEOUT_MS,
): Promise<CoreResponse<Body>> {
  try {
    const response = await client.request<Body>({ ...call, signal: AbortSignal.timeout(timeout) });
    const { body, revision, etag, cacheControl } = response;
    return { body: body as Body, revision, etag, isStorable: isStorable(cacheControl) };
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
}

/** A result of a batch without the member comes from an earlier release, which does not say what may be stored. */
const isStorable = (cacheControl: string | null | undefined): boolean => cacheControl?.includes('no-store') === false;

/** Runs many reads in one request. The results are in the order of the reads. */
async function sendBatch(
  client: RestClient,
  requests: readonly BatchedRead[],
  timeout?: number,
): Promise<readonly BatchResult[]> {
  const batch = { method: 'POST', path: '/api/v1/batch/', body: { requests }, isRead: true } as const;
  return (await send<BatchResponse>(client, batch, timeout)).body.results;
}

/**
 * Returns whether these responses are all unchanged and may be stored. Throws if the core does not respond soon. One
 * response is validated like any client does it, because that costs the core less than a batch.
 */
export async function areUnchanged(client: RestClient, storableSources: StorableSources): Promise<boolean> {
  const { reads, showsRevision } = storableSources;
  const [first] = reads;
  if (first && reads.length === 1) return isUnchanged(client, first, showsRevision);
  const requests = reads.map(({ path, etag }) => ({ path, if_none_match: etag }));
  const results = await sendBatch(client, requests, VALIDATION_TIMEOUT_MS);
  return reads.every(({ revision }, index) => {
    const result = results[index];
    const isSameRevision = !showsRevision || revision === result?.revision;
    // A core of the previous release may have sent a secret without saying so.
    return result?.status === 304 && isSameRevision && isStorable(result.cache_control);
  });
}

async function isUnchanged(
  client: RestClient,
  { path, etag, revision }: ResponseSource,
  showsRevision: boolean,
): Promise<boolean> {
  const { status, ...response } = await client.request({
    method: 'GET',
    path: `/api/v1/${path}`,
    headers: { 'if-none-match': etag },
    signal: AbortSignal.timeout(VALIDATION_TIMEOUT_MS),
  });
  const isSameRevision = !showsRevision || revision === response.revision;
  return status === 304 && isSameRevision && isStorable(response.cacheControl);
}

/**
 * Reads everything that one level of a document needs in one call to the core, each path once. Each path has its own
 * result or error.
 */
async function readTogether(
  paths: readonly string[],
  client: RestClient,
  readAlone: (path: string) => Promise<CoreResponse<unknown>>,
): Promise<(CoreResponse<unknown> | Error)[]> {
  const distinctPaths = [...new Set(paths)];
  // One path above the limit would cause the whole batch to be rejected.
  const batched = distinctPaths.filter((path) => path.length <= BATCH_LIMITS.path);
  const reads = batched.map((path) => ({ path }));
  const results = batched.length > 1 ? await sendBatch(client, reads) : [];
  const resultByPath = new Map(results.map((result, index) => [batched[index], result]));
  const responses = await Promise.all(
    distinctPaths.map((path) => toResponse(resultByPath.get(path), () => readAlone(path))),
  );
  const byPath = new Map(distinctPaths.map((path, index) => [path, responses[index]]));
  return paths.map((path) => byPath.get(path) ?? new Error('A response of the core is missing.'));
}

async function toResponse(
  result: BatchResult | undefined,
  readAlone: () => Promise<CoreResponse<unknown>>,
): Promise<CoreResponse<unknown> | Error> {
  if (result?.status === 200) {
    const { body, revision, etag, cache_control: cacheControl } = result;
    return { body, revision, etag, isStorable: isStorable(cacheControl) };
  }
  if (!result || result.error_code === 'batch_too_large')
    return readAlone().catch((error: unknown) =>
      error instanceof Error ? error : new Error('The core did not respond.'),
    );
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
