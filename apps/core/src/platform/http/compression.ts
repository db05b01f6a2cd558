import { pipeline, type Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import { acceptedEncoding, type Encoding, etagOfEncoding, etagWithoutEncoding } from '@strata/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasRevealedSecret } from '../limits/request-limits.ts';

/** Smaller responses fit into one packet without compression. */
const WORTHWHILE_BYTES = 1_024;
/** Each response is compressed for one client, so more effort would cost more time than it saves. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 } };
const GZIP = { level: 4 };

const VARY = 'Accept, Accept-Encoding, Cookie, Origin';

/**
 * Compresses a JSON response if the client accepts it; a long one while it is sent. A response that shows a secret in
 * clear is not compressed: its compressed length would show how much of the secret equals a guess. Event streams are
 * not JSON responses.
 */
export function compressResponse(request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
  if (reply.statusCode === 304) tagCachedForm(request, reply);
  if (!isWorthwhile(reply, payload) || hasRevealedSecret(request)) return payload;
  reply.header('vary', VARY);
  const encoding = request.method === 'HEAD' ? null : acceptedEncoding(request.headers['accept-encoding']);
  if (encoding === null) return payload;
  reply.header('content-encoding', encoding).removeHeader('content-length');
  const etag = reply.getHeader('etag');
  if (typeof etag === 'string') reply.header('etag', etagOfEncoding(etag, encoding));
  return isStream(payload) ? compressedStream(payload, encoding) : compressed(payload as string | Buffer, encoding);
}

/** A client that has one encoding of the current state gets 304 with the tag of that encoding. */
function tagCachedForm({ headers }: FastifyRequest, reply: FastifyReply): void {
  const etag = reply.getHeader('etag');
  const sentTags = (headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  const shownTag = sentTags.find((tag) => etagWithoutEncoding(tag) === etag);
  if (shownTag !== undefined) reply.header('etag', shownTag).header('vary', VARY);
}

function isWorthwhile(reply: FastifyReply, payload: unknown): boolean {
  if (!String(reply.getHeader('content-type') ?? '').startsWith('application/json')) return false;
  if (reply.hasHeader('content-encoding') || reply.hasHeader('set-cookie')) return false;
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) return payload.length >= WORTHWHILE_BYTES;
  return isStream(payload);
}

function isStream(payload: unknown): payload is Readable {
  return typeof (payload as { pipe?: unknown } | null)?.pipe === 'function';
}

function compressed(text: string | Buffer, encoding: Encoding): Promise<Buffer> {
  return encoding === 'br' ? promisify(brotliCompress)(text, BROTLI) : promisify(gzip)(text, GZIP);
}

function compressedStream(chunks: Readable, encoding: Encoding): Readable {
  // the client notices an error because the response ends early
  return pipeline(chunks, encoding === 'br' ? createBrotliCompress(BROTLI) : createGzip(GZIP), () => undefined);
}
