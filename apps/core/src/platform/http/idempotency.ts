import { Failure, sentence } from '@strata/domain';
import type { FastifyRequest } from 'fastify';
import type { IdempotencyKey } from '../ledger/idempotency-keys.ts';
import type { ServiceKeys } from '../vault/service-keys.ts';

const WRITES: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
/** Visible ASCII, which header fields transport unchanged. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** Returns the `Idempotency-Key` of a write with a hash of the request, or null if the request has none. */
export function readIdempotencyKey(request: FastifyRequest, serviceKeys: ServiceKeys): IdempotencyKey | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined || !WRITES.has(request.method)) return null;
  if (typeof key !== 'string' || !KEY.test(key)) {
    throw Failure.invalid(
      'invalid_idempotency_key',
      sentence`Idempotency-Key must be 1 to ${{ limit: 255 }} visible ASCII characters, such as a UUID.`,
    );
  }
  return { key, digest: serviceKeys.requestHmac(JSON.stringify([request.method, request.url, request.body ?? null])) };
}
