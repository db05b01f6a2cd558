import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { parse as parseFields } from 'node:querystring';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { OPERATIONS } from '@strata/contract';
import { canDropBody, decodeBody, Failure, headerValues, malformedBodyError, sentence } from '@strata/domain';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Env } from '../env.ts';
import { hasRevealedSecret, waitForTurn } from '../limits/request-limits.ts';
import { CACHE_CONTROL, NO_STORE } from './conditional-requests.ts';
import { parseJsonBytes } from './json.ts';
import { toRoute } from './operation-controller.ts';
import { acceptsProblemDetails, createProblem, PROBLEM_TYPE } from './problem-details.ts';
import { setPublicOrigin } from './request.ts';
import { matchedPath, recordRoutes } from './routes.ts';

/** The largest value has 65,536 characters. One MiB leaves room for escapes and forms. */
const BODY_BYTES_MAX = 1_048_576;
/** Longer bodies wait for the turn of their organization, so that other requests run between them. */
const BYTES_PARSED_AT_ONCE = 65_536;
/** Routes with a higher limit, by method and path. */
const LONG_BODIES: ReadonlyMap<string, number> = new Map(
  OPERATIONS.flatMap(({ method, path, bodyBytesMax }) =>
    bodyBytesMax === undefined ? [] : [[`${method.toUpperCase()} ${toRoute(path)}`, bodyBytesMax] as const],
  ),
);
/** No object of the API has so many fields, and a million of them would block other requests. */
const FIELDS_MAX = 1_000;
/** The interval at which Node checks for requests that take too long to arrive. */
const ARRIVAL_LOOK_MS = 1_000;
/** 500 ids in one `id__in` take 20 KB of the request line; Node's default limit is 16 KB. */
const HEAD_BYTES_MAX = 32_768;

/** The headers of every response (behaviour.md §1.3). */
const HEADERS = {
  vary: 'Accept, Cookie, Origin',
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': CACHE_CONTROL,
};

/** Set when the process shuts down. From then on, connections are not kept for further requests. */
export interface ShutdownState {
  now: boolean;
}

/** Returns whether each request is logged. */
export function logsRequests({ STRATA_LOG_LEVEL: level }: Env): boolean {
  return level === 'info' || level === 'debug';
}

export function createAdapter(env: Env): FastifyAdapter {
  const { STRATA_TRUST_PROXY: proxies } = env;
  const arrivalMs = env.STRATA_REQUEST_SECONDS * 1_000;
  const adapter = new FastifyAdapter({
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 512 },
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: arrivalMs,
    // Node enforces no timeout if the head may take longer than the whole request, and its default check runs only
    // every 30 s
    http: { maxHeaderSize: HEAD_BYTES_MAX, headersTimeout: arrivalMs, connectionsCheckingInterval: ARRIVAL_LOOK_MS },
    clientErrorHandler: rejectUnreadableRequest(env.STRATA_REQUEST_SECONDS),
    // clients can write anything further left in X-Forwarded-For
    trustProxy: proxies !== false && ((_: string, hop: number) => hop < proxies),
    genReqId: () => randomUUID(),
    frameworkErrors: rejectUnreadablePath,
    forceCloseConnections: 'idle',
    // requests that arrive on an open connection are still answered
    return503OnClosing: false,
    skipMiddie: true, // No middleware is registered, so no request needs to look for it. If requests are not logged, they need no logger with their own id.
    ...(!logsRequests(env) && {
      childLoggerFactory: (logger: FastifyBaseLogger) => logger,
    }),
    logger:
      env.STRATA_LOG_LEVEL === 'silent'
        ? false
        : {
            level: env.STRATA_LOG_LEVEL,
            // unlike the logger's own stream, writing to it may fail: see redirectOutputToLogger
            stream: process.stdout,
            // an allow list, so that no header, query or body is ever logged
            serializers: {
              req: (request: FastifyRequest) => ({ method: request.method, path: request.routeOptions?.url }),
              res: (response: { statusCode: number }) => ({ status: response.statusCode }),
              err: (error: Error) => ({
                type: error.name,
                code: (error as { code?: string }).code,
                stack: '',
                message: '',
              }),
            },
          },
  });
  const fastify = adapter.getInstance() as unknown as FastifyInstance;
  setPublicOrigin(fastify, env.STRATA_PUBLIC_URL ?? null);
  recordRoutes(fastify);
  allowLongBodies(fastify);
  return adapter;
}

/** Rejects a path with invalid escapes. Fastify finds no route for it, so neither hooks nor the filter run. */
function rejectUnreadablePath(_: Error, request: FastifyRequest, reply: FastifyReply): void {
  const headers = { ...HEADERS, 'x-request-id': request.id, 'x-error-code': 'unknown_route' };
  const isProblem = acceptsProblemDetails(request.headers.accept);
  const detail = 'Not found.';
  void reply
    .status(404)
    .headers(headers)
    .type(isProblem ? PROBLEM_TYPE : 'application/json')
    .send(JSON.stringify(isProblem ? createProblem(404, 'unknown_route', detail) : { detail }));
}

type RawResponse = readonly [status: string, code: string, detail: string];
const MALFORMED: RawResponse = ['400 Bad Request', 'malformed_request', 'The request is malformed.'];
/** The responses by the error code of Node. */
const unreadable = (seconds: number): { readonly [code: string]: RawResponse } => ({
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'head_too_large',
    'Path, query and headers are longer than 32 KiB.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    '408 Request Timeout',
    'request_timeout',
    `The request did not arrive within ${seconds} seconds. Send it again.`,
  ],
});

/** Rejects a request that Node could not parse: it is not HTTP, its head is too long, or it did not arrive in time. */
function rejectUnreadableRequest(arrivalSeconds: number) {
  const responsesByCode = unreadable(arrivalSeconds);
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const [status, code, detail] = responsesByCode[error.code ?? ''] ?? MALFORMED;
    const body = JSON.stringify({ detail });
    const lines = [`HTTP/1.1 ${status}`, 'Content-Type: application/json', `Content-Length: ${body.length}`];
    socket.end([...lines, `X-Error-Code: ${code}`, 'Connection: close', '', body].join('\r\n'));
  };
}

/** Applies the body limits that the contract defines for some routes. */
function allowLongBodies(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    const bytes = LONG_BODIES.get(`${[route.method].flat().join()} ${route.url.replace(/\/?$/, '/')}`);
    if (bytes !== undefined) route.bodyLimit = bytes;
  });
}

/** Sets the headers that every response has. Throws if the path does not support the method. */
export function startResponse(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(HEADERS).header('x-request-id', request.id);
  const routePath = matchedPath(request);
  if (routePath) reply.header('allow', routePath.allow);
  // some clients send a content type without a body
  if (isEmpty(request)) delete request.headers['content-type'];
  if (headerValues('host', request.raw.rawHeaders).length > 1) throw severalHosts();
  if (routePath && !routePath.methods.includes(request.method)) throw methodNotAllowed(request.method);
}

/** Corrects the headers of a complete response. */
export function finishHeaders(reply: FastifyReply, payload: unknown, shutdown: ShutdownState): unknown {
  if (hasRevealedSecret(reply.request) && reply.getHeader('cache-control') === CACHE_CONTROL)
    reply.header('cache-control', NO_STORE);
  if (canDropBody(reply.request.headers)) reply.removeHeader('connection');
  // a request that runs during the shutdown would otherwise keep its connection, and therefore the process, open
  if (shutdown.now) reply.header('connection', 'close');
  const [type = ''] = String(reply.getHeader('content-type') ?? '').split(';');
  if (type.endsWith('json')) reply.header('content-type', type);
  if (reply.statusCode === 204) reply.removeHeader('content-type').header('content-length', '0');
  return payload;
}

/** A proxy may have routed and authorized the request by the other one (RFC 9112). */
const severalHosts = () => Failure.invalid('malformed_request', 'Send one Host header, not several.');
const methodNotAllowed = (method: string) =>
  new Failure({
    kind: 'method_not_allowed',
    code: 'method_not_allowed',
    message: sentence`Method "${{ method }}" not allowed.`,
  });

function isEmpty({ headers }: FastifyRequest): boolean {
  return Number(headers['content-length'] ?? 0) === 0 && headers['transfer-encoding'] === undefined;
}

/**
 * Replaces the parsers of Nest for the three media types of the contract. Long bodies of the same holder, which is an
 * organization or an address, wait for each other.
 */
export function addParsers(fastify: FastifyInstance, holderOf: (request: FastifyRequest) => string): void {
  fastify.removeContentTypeParser(['application/json', 'text/plain', 'application/x-www-form-urlencoded']);
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const parse = () => {
      try {
        done(null, parseJsonBody(request, body));
      } catch (error) {
        done(error as Error);
      }
    };
    if (body.length <= BYTES_PARSED_AT_ONCE) return parse();
    void waitForTurn(holderOf(request)).then(parse);
  });
  const form = { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX } as const;
  fastify.addContentTypeParser('application/x-www-form-urlencoded', form, async (_: FastifyRequest, body: Buffer) =>
    parseForm(body),
  );
  fastify.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, parseMultipart);
}

function parseJsonBody({ headers, routeOptions }: FastifyRequest, body: Buffer): unknown {
  const [, parameters = ''] = (headers['content-type'] ?? '').toLowerCase().split(/;(.*)/s);
  if (parameters.trim() && !/^\s*charset\s*=\s*"?utf-8"?\s*$/.test(parameters)) {
    throw new Failure({
      kind: 'unsupported_media_type',
      code: 'unsupported_media_type',
      message: 'Send JSON as UTF-8.',
    });
  }
  return body.length === 0 ? {} : parseJsonBytes(body, routeOptions.bodyLimit);
}

function parseForm(body: Buffer): unknown {
  const text = decodeBody(body);
  if (text.match(ESCAPED_BYTES)?.some((bytes) => !isUtf8(bytes)))
    throw malformedBodyError(sentence`The escapes of the form are not valid UTF-8.`);
  if (text.split('&', FIELDS_MAX + 1).length > FIELDS_MAX) {
    throw malformedBodyError(sentence`The form has more than ${{ limit: FIELDS_MAX }} fields.`);
  }
  return parseFields(text, '&', '=', { maxKeys: 0 });
}

/** Matches bytes that are written as escapes in sequence. */
const ESCAPED_BYTES = /(?:%[0-9a-f]{2})+/gi;

function isUtf8(escapedBytes: string): boolean {
  try {
    return decodeURIComponent(escapedBytes) !== '';
  } catch {
    return false;
  }
}

/**
 * Parses the fields of a form. The size of the whole form is checked first, like that of any other body, which a
 * streaming parser would not do. A file becomes an object, which no schema accepts as text.
 */
async function parseMultipart({ headers }: FastifyRequest, body: Buffer): Promise<unknown> {
  const type = headers['content-type'] ?? '';
  // The library would replace bytes that are not UTF-8. No schema accepts the bytes of a file either.
  decodeBody(body);
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData().catch(() => {
    throw malformedBodyError(sentence`The body is not a valid multipart form.`);
  });
  return Object.assign(Object.create(null), Object.fromEntries(form));
}

/** Responds to OPTIONS with the methods of the path, which `startResponse` has set. Returns false for other requests. */
export function answerOptions(request: FastifyRequest, reply: FastifyReply): boolean {
  if (request.method !== 'OPTIONS' || !matchedPath(request)) return false;
  void reply.status(204).send();
  return true;
}
