import { createHmac, createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** The kinds of signatures of Standard Webhooks: `v1` with a shared secret, and `v1a` with a public key. */
export const SIGNING_METHODS = ['hmac', 'ed25519'] as const;
export type SigningMethod = (typeof SIGNING_METHODS)[number];

export interface SigningKey {
  /** `whsec_…`, which the receiver needs too, or `whsk_…`, which never leaves Strata. */
  readonly secret: string;
  /** `whpk_…`, which the receiver of an Ed25519 signature needs. */
  readonly publicKey: string | null;
}

const HMAC_PREFIX = 'whsec_';
const PRIVATE_PREFIX = 'whsk_';
const PUBLIC_PREFIX = 'whpk_';
/** Standard Webhooks allows 24 to 64 bytes. */
const SECRET_BYTES = 32;
const SEED_BYTES = 32;

export function newSigningKey(method: SigningMethod): SigningKey {
  if (method === 'hmac') {
    return { secret: HMAC_PREFIX + randomBytes(SECRET_BYTES).toString('base64'), publicKey: null };
  }
  const { d = '', x = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const [seed, publicKey] = [d, x].map((part) => Buffer.from(part, 'base64url')) as [Buffer, Buffer];
  return {
    secret: PRIVATE_PREFIX + Buffer.concat([seed, publicKey]).toString('base64'),
    publicKey: PUBLIC_PREFIX + publicKey.toString('base64'),
  };
}

export interface SignedContent {
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

/** Returns the headers of Standard Webhooks with a signature of each key, in the given order. */
export function signedHeaders(
  keys: readonly string[],
  { id, timestamp, body }: SignedContent,
): Readonly<Record<string, string>> {
  const signedText = `${id}.${timestamp}.${body}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': keys.map((key) => signature(key, signedText)).join(' '),
  };
}

function signature(secret: string, signedText: string): string {
  if (secret.startsWith(HMAC_PREFIX)) {
    const key = Buffer.from(secret.slice(HMAC_PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(signedText).digest('base64')}`;
  }
  const bytes = Buffer.from(secret.slice(PRIVATE_PREFIX.length), 'base64');
  const [d, x] = [bytes.subarray(0, SEED_BYTES), bytes.subarray(SEED_BYTES)].map((part) => part.toString('base64url'));
  const key = createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x }, format: 'jwk' });
  return `v1a,${sign(null, Buffer.from(signedText), key).toString('base64')}`;
}
