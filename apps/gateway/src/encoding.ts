import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { acceptedEncoding } from '@strata/domain';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** Smaller responses fit into one packet anyway. */
const WORTHWHILE_BYTES = 1_024;
/** Each response has a single reader, so a higher level would cost more time than it saves. */
const BROTLI_QUALITY = 4;
const GZIP_LEVEL = 4;

/** Compresses JSON responses of sufficient length for clients that accept it. */
export function addCompression(server: FastifyInstance): void {
  server.addHook('onSend', async (request, reply, payload) => {
    if (!isText(payload) || payload.length < WORTHWHILE_BYTES || !isPlainJson(reply)) return payload;
    const encoding = acceptedEncoding(request.headers['accept-encoding']);
    addVary(reply, 'accept-encoding');
    if (encoding === null) return payload;
    reply.header('content-encoding', encoding).removeHeader('content-length');
    return encoding === 'br'
      ? promisify(brotliCompress)(payload, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } })
      : promisify(gzip)(payload, { level: GZIP_LEVEL });
  });
}

/** Names headers that determine the response, in addition to others. */
export function addVary(reply: FastifyReply, names: string): void {
  const previousVary = reply.getHeader('vary');
  reply.header('vary', previousVary === undefined ? names : `${previousVary}, ${names}`);
}

const isText = (payload: unknown): payload is string | Buffer =>
  typeof payload === 'string' || Buffer.isBuffer(payload);

function isPlainJson(reply: FastifyReply): boolean {
  // Responses that start a session are short, and their compressed length must not reveal their content.
  if (reply.hasHeader('content-encoding') || reply.hasHeader('set-cookie')) return false;
  // A strong entity tag belongs to the bytes that have it.
  if (String(reply.getHeader('etag') ?? '').startsWith('"')) return false;
  return /\bjson\b/.test(String(reply.getHeader('content-type')));
}
