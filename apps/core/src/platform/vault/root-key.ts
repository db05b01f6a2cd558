import {
  createCipheriv,
  createDecipheriv,
  createECDH,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
  type webcrypto,
} from 'node:crypto';

const KEY_BYTES = 32;
/** The size of a block of SHA-256. */
const HASH_BLOCK_BYTES = 64;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** The format of all sealed bytes: version, nonce, tag, ciphertext. Unknown versions are rejected. */
const VERSION = 1;
const HEADER_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

export class IntegrityError extends Error {
  override readonly name = 'IntegrityError';
}

/** Encrypts with AES-256-GCM, a random nonce and a full tag. `context` binds the bytes to the row they belong to. */
export function sealBytes(key: Buffer, context: string, plainBytes: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(context));
  const sealedBytes = Buffer.concat([cipher.update(plainBytes), cipher.final()]);
  return Buffer.concat([Buffer.from([VERSION]), nonce, cipher.getAuthTag(), sealedBytes]);
}

/** Throws IntegrityError if the bytes were altered, moved to another row or sealed under another key. */
export function openBytes(key: Buffer, context: string, envelope: Buffer): Buffer {
  if (envelope.length < HEADER_BYTES || envelope[0] !== VERSION)
    throw new IntegrityError('The encrypted bytes are malformed.');
  const nonce = envelope.subarray(1, 1 + NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(envelope.subarray(1 + NONCE_BYTES, HEADER_BYTES));
  try {
    return Buffer.concat([decipher.update(envelope.subarray(HEADER_BYTES)), decipher.final()]);
  } catch {
    throw new IntegrityError('The encrypted bytes belong to another row or column, or were altered.');
  }
}

/** The one secret of an installation. All other keys are derived from it, with a label for each purpose. */
export class RootKey {
  private readonly wrappingKey: Buffer;
  private readonly apiKeyPepper: Buffer;
  private readonly invitationPepper: Buffer;
  private readonly requestPepper: Buffer;
  private readonly sessionPepper: Buffer;
  private readonly signInCodePepper: Buffer;
  private readonly idTokenKey: Buffer;
  private readonly tenantTokenSecret: Buffer;
  /**
   * The key of entity tags, so that no caller can compute the tag of a guessed text. All processes of an installation
   * share it.
   */
  readonly entityTagKey: KeyObject;

  constructor(private readonly root: Buffer) {
    if (root.length !== KEY_BYTES) throw new Error('The root key must have 32 bytes.');
    this.wrappingKey = this.derive('wrap');
    this.apiKeyPepper = this.derive('api-key');
    this.invitationPepper = this.derive('invitation');
    this.requestPepper = this.derive('request');
    this.sessionPepper = this.derive('session');
    this.signInCodePepper = this.derive('sign-in-code');
    this.idTokenKey = this.derive('id-token');
    this.tenantTokenSecret = this.derive('tenant-token');
    this.entityTagKey = createSecretKey(this.derive('entity-tag'));
  }

  private derive(label: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.root, '', `strata/v1/${label}`, KEY_BYTES));
  }

  /** Returns a code that differs between two root keys and reveals nothing else about them. */
  checkValue(): Buffer {
    return createHmac('sha256', this.derive('check')).update('strata').digest().subarray(0, 16);
  }

  /** Returns the hash of an API key that the core stores. It is fast on purpose, since the secret has 256 bits. */
  apiKeyHmac(key: string): Buffer {
    return createHmac('sha256', this.apiKeyPepper).update(key).digest();
  }

  /** Returns the hash of an invitation's token that the core stores. */
  invitationHmac(token: string): Buffer {
    return createHmac('sha256', this.invitationPepper).update(token).digest();
  }

  /** Returns whether the hash was computed from this token. */
  isInvitationToken(hmac: Buffer | null, token: string): boolean {
    return hmac !== null && timingSafeEqual(hmac, this.invitationHmac(token));
  }

  /** Returns the hash of a session's secret that the core stores. */
  sessionHmac(secret: string): Buffer {
    return createHmac('sha256', this.sessionPepper).update(secret).digest();
  }

  /** Returns the hash of a sign-in code that the core stores. */
  signInCodeHmac(code: string): Buffer {
    return createHmac('sha256', this.signInCodePepper).update(code).digest();
  }

  /** Encrypts the id token of a session, which names its user. */
  sealIdToken(sessionId: string, idToken: string): Buffer {
    return sealBytes(this.idTokenKey, `session|${sessionId}`, Buffer.from(idToken));
  }

  openIdToken(sessionId: string, sealedToken: Buffer): string {
    return openBytes(this.idTokenKey, `session|${sessionId}`, sealedToken).toString();
  }

  /** Returns a code that differs between two requests and does not reveal their content, which may be a secret. */
  requestHmac(request: string): Buffer {
    return createHmac('sha256', this.requestPepper).update(request).digest();
  }

  /**
   * Returns the key with which PostgreSQL verifies the tokens of statements: its id and the two padded halves of an HMAC
   * key (RFC 2104), of 64 bytes each.
   */
  get tenantTokenKey(): { readonly id: string; readonly innerKey: Buffer; readonly outerKey: Buffer } {
    const padded = Buffer.concat([this.tenantTokenSecret, Buffer.alloc(HASH_BLOCK_BYTES - KEY_BYTES)]);
    const half = (padding: number) => Buffer.from(padded.map((byte) => byte ^ padding));
    const id = createHash('sha256').update(this.tenantTokenSecret).digest('hex').slice(0, 16);
    return { id, innerKey: half(0x36), outerKey: half(0x5c) };
  }

  /** Returns the code that makes a token of organizations valid. */
  tenantTokenMac(token: string): string {
    return createHmac('sha256', this.tenantTokenSecret).update(token).digest('hex');
  }

  wrap(organizationId: string, dataKey: Buffer): Buffer {
    return sealBytes(this.wrappingKey, `organization_key|${organizationId}`, dataKey);
  }

  unwrap(organizationId: string, wrappedKey: Buffer): Buffer {
    return openBytes(this.wrappingKey, `organization_key|${organizationId}`, wrappedKey);
  }

  /** Encrypts a key with which the built-in issuer signs tokens. */
  sealTokenKey(id: string, jwk: object): Buffer {
    return sealBytes(this.tokenKeysKey(), `token_signing_key|${id}`, Buffer.from(JSON.stringify(jwk)));
  }

  openTokenKey(id: string, sealedKey: Buffer): object {
    return JSON.parse(openBytes(this.tokenKeysKey(), `token_signing_key|${id}`, sealedKey).toString()) as object;
  }

  /** It follows from the first key of tokens, so it remains the same as long as that one. */
  private tokenKeysKey(): Buffer {
    return createHmac('sha256', this.derive('token')).update('strata/v1/token-signing-keys').digest();
  }

  /**
   * Returns the first ES256 key pair of the built-in token issuer; all processes of an installation compute the same pair.
   */
  tokenKey(): webcrypto.JsonWebKey {
    const ecdh = createECDH('prime256v1');
    const secret = this.derive('token');
    ecdh.setPrivateKey(secret);
    const point = ecdh.getPublicKey();
    return {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
      d: secret.toString('base64url'),
    };
  }
}
