import { randomBytes } from 'node:crypto';
import { openBytes, sealBytes } from '../vault/root-key.ts';
import type { BodyWithOrigin } from './origin-placeholders.ts';

/** Only this process has the key, and only for its lifetime. */
const KEY = randomBytes(32);
const CONTEXT = 'strata|v1|response';

/** A body that shows secrets, encrypted, so that no clear text is in memory for longer than a response takes. */
export type SealedBody = Omit<BodyWithOrigin, 'bytes'> & { readonly sealed: Buffer };

export function sealBody({ bytes, ...links }: BodyWithOrigin): SealedBody {
  return { ...links, sealed: sealBytes(KEY, CONTEXT, bytes) };
}

export function openBody({ sealed, ...links }: SealedBody): BodyWithOrigin {
  return { ...links, bytes: openBytes(KEY, CONTEXT, sealed) };
}
