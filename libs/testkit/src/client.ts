import { AsyncLocalStorage } from 'node:async_hooks';
import { request } from 'undici';
import type { ContractCheck } from './contract.ts';

export type Headers = Readonly<Record<string, string>>;

/** Headers of every request that a function sends: `requestHeaders.run(headers, function)`. */
export const requestHeaders = new AsyncLocalStorage<Headers>();

/** A response exactly as received. Error statuses do not throw. */
export interface Reply<T = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
  readonly text: string;
}

declare global {
  /** Shared by all spec files of this process (tools/jest/environment.mjs). */
  var strataContractCheck: ContractCheck;
}

/** Compares every response with the contract. */
export const contract: Pick<ContractCheck, 'check' | 'findOperationId'> = {
  check: (response) => strataContractCheck.check(response),
  findOperationId: (method, path) => strataContractCheck.findOperationId(method, path),
};

export interface RequestOptions {
  readonly headers?: Headers;
  /** Texts, bytes and forms are sent as they are; anything else is sent as JSON. */
  readonly body?: unknown;
}

/**
 * Sends requests as any HTTP client could. Paths may be full links from earlier responses, absolute (`/healthz`), or
 * relative to the API (`environments/`). Every response of an operation in v1.json is checked; a response that violates
 * the contract throws a ContractViolation.
 */
export class RawClient {
  constructor(
    readonly origin: string,
    /** The whole header; a promise if the credential is created lazily; null for anonymous requests. */
    private readonly authorization: string | null | (() => Promise<string>),
  ) {}

  get<T = unknown>(path: string, headers: Headers = {}): Promise<Reply<T>> {
    return this.send('GET', path, { headers });
  }

  post<T = unknown>(path: string, body?: unknown, headers: Headers = {}): Promise<Reply<T>> {
    return this.send('POST', path, { body, headers });
  }

  put<T = unknown>(path: string, body?: unknown, headers: Headers = {}): Promise<Reply<T>> {
    return this.send('PUT', path, { body, headers });
  }

  patch<T = unknown>(path: string, body?: unknown, headers: Headers = {}): Promise<Reply<T>> {
    return this.send('PATCH', path, { body, headers });
  }

  delete<T = unknown>(path: string, body?: unknown, headers: Headers = {}): Promise<Reply<T>> {
    return this.send('DELETE', path, { body, headers });
  }

  async send<T = unknown>(
    method: string,
    path: string,
    { body, headers = {} }: RequestOptions = {},
  ): Promise<Reply<T>> {
    const target = requestTarget(path);
    const authorization = typeof this.authorization === 'function' ? await this.authorization() : this.authorization;
    const { payload, type } = await encodePayload(body);
    const response = await request(this.origin + target, {
      method,
      body: payload,
      headers: {
        ...(authorization !== null && { authorization }),
        ...(type !== null && { 'content-type': type }),
        ...requestHeaders.getStore(),
        ...headers,
      },
    });
    const text = await response.body.text();
    const checkedResponse = {
      status: response.statusCode,
      headers: flat(response.headers),
      body: parsed(text, response.headers['content-type']),
      text,
    };
    if (method !== 'HEAD' && method !== 'OPTIONS') contract.check({ method, path: target, ...checkedResponse });
    if (authorization !== null && !OPEN_TO_ALL.test(target)) assertRevision(method, target, checkedResponse);
    return checkedResponse as Reply<T>;
  }
}

/** The paths that return nothing that belongs to an organization, or that serve callers without one. */
const OPEN_TO_ALL =
  /^\/((api\/)?(healthz|readyz)|api\/schema|api\/docs|api\/v1\/features|api\/v1\/auth|api\/v1\/invitations\/[^/]+\/(accept|offer))\b/;

/** Codes of requests that are rejected before the caller is known or the database is queried. */
const CALLER_UNKNOWN = [
  'bad_credential',
  'body_too_large',
  'malformed_body',
  'known_otherwise',
  'no_organization',
  'organization_needed',
  'rate_limited',
  'unauthenticated',
  'unsupported_media_type',
];

/** Codes of requests that are rejected before the caller is known because they match no operation. */
const NO_OPERATION = ['method_not_allowed', 'unknown_route'];

/** Asserts that every response to a known caller contains the revision of the organization. */
function assertRevision(method: string, target: string, { status, headers }: Reply): void {
  const code = headers['x-error-code'] ?? '';
  if (status >= 500 || headers['x-revision'] !== undefined || CALLER_UNKNOWN.includes(code)) return;
  // `fetch` resolves `users/..` to `api/v1/` before it sends the request.
  const { pathname } = new URL(target, 'http://core');
  if (NO_OPERATION.includes(code) && contract.findOperationId(method, pathname) === null) return;
  throw new Error(`${method} ${target} (${status}) has no X-Revision`);
}

function requestTarget(path: string): string {
  if (/^https?:\/\//.test(path)) {
    const { pathname, search } = new URL(path);
    return pathname + search;
  }
  return path.startsWith('/') ? path : `/api/v1/${path}`;
}

async function encodePayload(body: unknown) {
  if (body === undefined) return { payload: null, type: null };
  if (body instanceof URLSearchParams) {
    return { payload: body.toString(), type: 'application/x-www-form-urlencoded' };
  }
  if (body instanceof FormData) {
    const encoded = new Response(body);
    return { payload: await encoded.bytes(), type: encoded.headers.get('content-type') };
  }
  if (typeof body === 'string' || body instanceof Uint8Array) return { payload: body, type: 'application/json' };
  return { payload: JSON.stringify(body), type: 'application/json' };
}

function parsed(text: string, type: string | string[] | undefined): unknown {
  if (text === '' || !/[/+]json\b/.test(String(type))) return null;
  return JSON.parse(text);
}

function flat(headers: Readonly<Record<string, string | string[] | undefined>>): Headers {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, String(value)]),
  );
}
