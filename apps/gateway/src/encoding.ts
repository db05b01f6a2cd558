import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** Best first. */
const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** What is smaller fits into one packet anyway. */
const WORTHWHILE_BYTES = 1_024;
/** Answers are made for one reader: what is gained by more effort costs more than it saves. */
const BROTLI_QUALITY = 4;
const GZIP_LEVEL = 4;

/** The best of these encodings that a client accepts; null for the plain form. Weights other than zero are not compared. */
export function acceptedEncoding(
  header: string | undefined,
  encodings: readonly Encoding[] = ENCODINGS,
): Encoding | null {
  const accepted = new Set(
    (header ?? '')
      .toLowerCase()
      .split(',')
      .map((word) => word.split(';').map((part) => part.trim()))
      .filter(([, weight]) => weight === undefined || !/^q=0(\.0*)?$/.test(weight))
      .map(([name]) => name),
  );
  return ENCODINGS.find((encoding) => encodings.includes(encoding) && accepted.has(encoding)) ?? null;
}

/** Compresses answers in JSON that are worth it, for those who accept it. */
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
  return !reply.hasHeader('content-encoding') && /\bjson\b/.test(String(reply.getHeader('content-type')));
}
