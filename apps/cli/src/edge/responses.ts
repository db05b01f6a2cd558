import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { pipeline } from 'node:stream';
import type { UpstreamResponse } from './core-request.ts';

/** An error of the edge itself, in the shape of the core's errors. */
export class EdgeError extends Error {
  override readonly name = 'EdgeError';

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: { readonly retryAfterSeconds?: number; readonly params?: object; readonly pointer?: string } = {},
  ) {
    super(message);
  }
}

export function notAtEdgeError(message: string, status = 501): EdgeError {
  return new EdgeError(status, 'not_at_edge', `${message} Send other requests to the core.`);
}

const OFREP = /\/ofrep\/v1\/evaluate\/flags(?:\/([^/]+))?\/?$/;

/** Sends an error in the form that the request accepts, like the core. */
export function sendError(request: IncomingMessage, response: ServerResponse, error: EdgeError): void {
  const { status, code, message: detail, details } = error;
  const { params = {}, pointer = '', retryAfterSeconds } = details;
  const [path = ''] = (request.url ?? '').split('?', 1);
  const flags = OFREP.exec(path);
  const isProblem = flags === null && request.headers.accept?.includes('application/problem+json') === true;
  const body = isProblem
    ? { title: STATUS_CODES[status] ?? '', status, code, pointer, params, detail }
    : { detail, ...(flags && flagError(status, flags[1], detail)) };
  response.writeHead(status, {
    'content-type': isProblem ? 'application/problem+json' : 'application/json',
    'x-error-code': code,
    'cache-control': 'no-store',
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    ...(status === 401 && { 'www-authenticate': 'Api-Key, Bearer' }),
  });
  response.end(JSON.stringify(body));
}

function flagError(status: number, key: string | undefined, errorDetails: string) {
  const errorCode = status === 404 && key !== undefined ? 'FLAG_NOT_FOUND' : 'GENERAL';
  return { ...(key !== undefined && { key: decodeKey(key) }), errorCode, errorDetails };
}

/** Returns the text itself if it is malformed. */
function decodeKey(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Headers of a response of the core that its caller receives. The body is decoded already. */
const PASSED_ON: readonly string[] = [
  ...['content-type', 'cache-control', 'etag', 'retry-after', 'www-authenticate', 'x-accel-buffering'],
  ...['x-error-code', 'x-error-rule', 'x-revision', 'x-request-id', 'x-strata-stale', 'age', 'location'],
];

/** A complete response of the core, which several requests can receive. */
export interface Rejection {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const headersToPassOn = ({ headers }: UpstreamResponse): Record<string, string> =>
  Object.fromEntries(
    PASSED_ON.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value] as const];
    }),
  );

export async function readRejection(response: UpstreamResponse): Promise<Rejection> {
  return { status: response.status, headers: headersToPassOn(response), body: await response.text() };
}

export function sendRejection(response: ServerResponse, { status, headers, body }: Rejection): void {
  response.writeHead(status, headers);
  response.end(body);
}

/** Passes on a response of the core. Ends it when the client leaves. */
export function passOn(response: ServerResponse, fromCore: UpstreamResponse): void {
  response.writeHead(fromCore.status, headersToPassOn(fromCore));
  response.flushHeaders();
  // It destroys both if one of them fails.
  pipeline(fromCore.message, response, () => undefined);
}

const BODY_BYTES_MAX = 1_048_576;

export async function readBody(request: IncomingMessage): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > BODY_BYTES_MAX) throw new EdgeError(413, 'body_too_large', 'The body is larger than 1 MiB.');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Returns whether the client has this tag. A proxy can have marked it as weak. */
export function hasCopy({ headers }: IncomingMessage, tags: readonly string[]): boolean {
  const copies = (headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return copies.includes('*') || tags.some((tag) => copies.includes(tag));
}
