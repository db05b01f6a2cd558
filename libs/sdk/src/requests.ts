import type { CommonOptions, Fetch, ProgramCredential } from './options.ts';
import { invalidOptionError } from './options.ts';
import type { ConfigSelection } from './selection.ts';
import { ForeignResponseError, StrataError, type StrataErrorCode } from './strata-error.ts';
import { parseIds } from './wire.ts';

interface Sent {
  readonly method?: 'GET' | 'POST';
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly signal: AbortSignal;
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const DETAIL_MAX = 300;
const RETRY_AFTER_MS_MAX = 3_600_000;

/** The meaning of a status that Strata itself returned. */
const CODES: Readonly<Record<number, StrataErrorCode>> = {
  400: 'bad_request',
  401: 'credential_rejected',
  403: 'forbidden',
  404: 'not_found',
  410: 'bad_request',
  413: 'bad_request',
  414: 'bad_request',
  422: 'evaluation_failed',
  431: 'bad_request',
};

/** Sends requests with the credential of the program. */
export class Requests {
  readonly #fetch: Fetch;
  readonly #selection: ConfigSelection;
  readonly #credential: ProgramCredential;
  #token: string | null = null;
  #projectId: string | null = null;

  constructor(
    { credential, fetch = (url, init) => globalThis.fetch(url, init) }: CommonOptions,
    selection: ConfigSelection,
  ) {
    this.#fetch = fetch;
    this.#selection = selection;
    this.#credential = credential;
    if (typeof credential === 'string') assertHeader(credential);
    else if ('apiKey' in credential) assertHeader(credential.apiKey);
    else if (typeof credential.token !== 'function') throw invalidOptionError('`credential` is invalid.');
  }

  /** Returns a response with status 200, 204 or 304. Throws a StrataError for any other. */
  async send(path: string, sentRequest: Sent): Promise<Response> {
    const isNew = this.#token === null;
    const response = await this.#fetched(path, sentRequest);
    if (response.ok || response.status === 304) return response;
    const error = await toError(response);
    // A token that was used before can have expired.
    if (error.code !== 'credential_rejected' || !this.renews || isNew) throw error;
    this.expire();
    return this.send(path, sentRequest);
  }

  /** Whether the program can provide another credential. */
  get renews(): boolean {
    return typeof this.#credential === 'object' && 'token' in this.#credential;
  }

  /** Makes the next request use a new token. */
  expire(): void {
    this.#token = null;
  }

  /** Returns a path of the project. Looks up its id on the first call, if the program knows only the name. */
  async projectPath(restPath: string, signal: AbortSignal): Promise<string> {
    const { project } = this.#selection;
    if (this.#projectId === null && UUID.test(project)) this.#projectId = project;
    if (this.#projectId === null) {
      const response = await this.send('projects/', { query: { name: project, page_size: '1' }, signal });
      const [id] = parseIds(await readText(response));
      if (id === undefined) {
        const params = { object: 'Project', name: project };
        throw new StrataError('not_found', `The project "${project}" does not exist.`, { params });
      }
      this.#projectId = id;
    }
    return `projects/${encodeURIComponent(this.#projectId)}/${restPath}`;
  }

  async #fetched(path: string, { method = 'GET', query = {}, headers, body, signal }: Sent): Promise<Response> {
    const url = new URL(`${this.#selection.url}/api/v1/${path}`);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
    const authorization = await this.#authorization();
    try {
      return await this.#fetch(url.href, {
        method,
        headers: {
          ...{ authorization, accept: 'application/json, application/problem+json' },
          ...(body && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body && { body: JSON.stringify(body) }),
        // The browser would answer from its own cache, and other sites would receive the configuration's address.
        cache: 'no-store',
        referrerPolicy: 'no-referrer',
        redirect: 'manual',
        signal,
      });
    } catch (error) {
      throw unreachableError(error);
    }
  }

  async #authorization(): Promise<string> {
    const credential = this.#credential;
    if (typeof credential === 'string') return credential;
    if ('apiKey' in credential) return `Api-Key ${credential.apiKey}`;
    try {
      this.#token ??= await credential.token();
    } catch (cause) {
      throw new StrataError('unavailable', '`credential.token` failed.', { cause });
    }
    assertHeader(this.#token);
    return `Bearer ${this.#token}`;
  }
}

/** Without this check, the error of `fetch` would quote the credential. */
function assertHeader(text: unknown): asserts text is string {
  if (typeof text !== 'string' || !/^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/.test(text)) {
    throw invalidOptionError('`credential` must be printable ASCII characters without a line break.');
  }
}

/** Reads a body. Connections can also break in the middle of it. */
export async function readText(response: Response): Promise<string> {
  try {
    return await response.text();
  } catch (error) {
    throw unreachableError(error);
  }
}

export function unreachableError(error: unknown): StrataError {
  if (error instanceof StrataError) return error;
  const { code } = ((error as Error | undefined)?.cause ?? {}) as { readonly code?: unknown };
  return new StrataError('unavailable', `Strata cannot be reached${typeof code === 'string' ? ` (${code})` : ''}.`);
}

async function toError(response: Response): Promise<StrataError> {
  const { status } = response;
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    return new ForeignResponseError('The address redirects to another one. Use the final address as `url`.');
  }
  const { code, detail, params } = await readError(response);
  const message = `Strata returned ${status}${detail === '' ? '' : `: ${detail}`}`;
  const retryAfterMs = retryDelayMs(response);
  if (status === 429 || status >= 500) return new StrataError('unavailable', message, { retryAfterMs, params });
  const errorCode = CODES[status];
  // A proxy can return these statuses too. Only a response of Strata ends the connection or deletes the cache.
  const isFromStrata = code !== null || detail !== '';
  if (errorCode === undefined || !isFromStrata || code === 'unknown_route') return new ForeignResponseError(message);
  return new StrataError(code === 'bad_credential' ? 'credential_rejected' : errorCode, message, { params });
}

interface ReadError {
  readonly code: string | null;
  readonly detail: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Reads an error of Strata. Scripts of other origins may be unable to read the header, and a proxy sends other bodies. */
async function readError(response: Response): Promise<ReadError> {
  const text = await response.text().catch(() => '');
  let body: Partial<Readonly<Record<'code' | 'detail' | 'pointer' | 'params' | 'errors', unknown>>> = {};
  try {
    body = JSON.parse(text) ?? {};
  } catch {}
  const { params, pointer, errors } = body;
  // The body of a proxy can have a code, too. Only errors of Strata have a pointer.
  const bodyCode = typeof pointer === 'string' && typeof body.code === 'string' ? body.code : null;
  const code = response.headers.get('x-error-code') ?? bodyCode;
  let { detail } = body;
  if (Array.isArray(detail)) detail = describeEvaluation(detail.map((problem) => problem?.parameter_name));
  else if (code === 'evaluation_failed' && Array.isArray(errors)) {
    detail = describeEvaluation(errors.map((error) => error?.params?.name));
  }
  if (code !== null) detail ??= text;
  return {
    code,
    detail: typeof detail === 'string' ? detail.slice(0, DETAIL_MAX) : '',
    params: typeof params === 'object' && params !== null ? { ...params } : {},
  };
}

function describeEvaluation(names: readonly unknown[]): string {
  return `The configuration cannot be evaluated: ${names.join(', ')}`;
}

function retryDelayMs(response: Response): number {
  const seconds = Number(response.headers.get('retry-after') ?? 0);
  return seconds > 0 ? Math.min(seconds * 1_000, RETRY_AFTER_MS_MAX) : 0;
}
