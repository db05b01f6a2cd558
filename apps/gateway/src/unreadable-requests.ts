import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorBody } from './errors.ts';

/** The headers of every response. */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

const MALFORMED = [400, 'Bad Request', 'The request is malformed.'] as const;
/** The responses by the code of Node's error. */
const RESPONSES: { readonly [code: string]: readonly [status: number, phrase: string, message: string] } = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'The URL and the headers are too long.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The request did not arrive in time. Send it again.'],
};

/** Responds to a URL with malformed escapes, which the router rejects before any hook runs. */
export function rejectUnreadablePath(_: Error, request: FastifyRequest, reply: FastifyReply): void {
  const headers = { ...SECURITY_HEADERS, 'cache-control': 'no-store', 'x-request-id': request.id };
  void reply
    .status(404)
    .headers(headers)
    .send(errorBody('This URL does not exist.', 'NOT_FOUND', request.id));
}

/** Responds to data that Node cannot parse as a request: no HTTP, too long headers, or an incomplete request. */
export function rejectUnreadableRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [status, phrase, message] = RESPONSES[error.code ?? ''] ?? MALFORMED;
  const requestId = randomUUID();
  const body = JSON.stringify(errorBody(message, 'BAD_REQUEST', requestId));
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'x-request-id': requestId,
    connection: 'close',
    ...SECURITY_HEADERS,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status} ${phrase}`, ...lines, '', body].join('\r\n'));
}
