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
    if (typeof payload !== 'string' || payload.length < WORTHWHILE_BYTES || !isPlainJson(reply)) return payload;
    const encoding = acceptedEncoding(request.headers['accept-encoding']);
    reply.header('vary', 'accept-encoding');
    if (encoding === null) return payload;
    reply.header('content-encoding', encoding).removeHeader('content-length');
    return encoding === 'br'
      ? promisify(brotliCompress)(payload, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } })
      : promisify(gzip)(payload, { level: GZIP_LEVEL });
  });
}

function isPlainJson(reply: FastifyReply): boolean {
  // Responses that start a session are short, and their compressed length must not reveal their content.
  if (reply.hasHeader('content-encoding') || reply.hasHeader('set-cookie')) return false;
  return /\bjson\b/.test(String(reply.getHeader('content-type')));
}
