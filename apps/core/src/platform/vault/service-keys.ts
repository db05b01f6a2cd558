import {
  createECDH,
  createHash,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
  type webcrypto,
} from 'node:crypto';
import type { DataSource } from 'typeorm';
import { OTHER_ROOT_KEY, StartError } from '../start-errors.ts';
import { findActiveRootKey, type ReadRows, requireActiveRootKey } from './active-root-key.ts';
import { openBytes, type RootKey, type RootKeys, sealBytes, type WrappedKey } from './root-key.ts';

const KEY_BYTES = 32;
/** The size of a block of SHA-256. */
const HASH_BLOCK_BYTES = 64;

/** The keys of an installation by purpose. Each is stored, so that a new root key invalidates nothing. */
const PURPOSES = [
  'api-key',
  'invitation',
  'request',
  'session',
  'sign-in-code',
  'id-token',
  'tenant-token',
  'entity-tag',
  'token',
] as const;
type Purpose = (typeof PURPOSES)[number];

/** The keys of an installation that do not belong to an organization. All its processes share them. */
export class ServiceKeys {
  /** The key of entity tags, so that no caller can compute the tag of a guessed text. */
  readonly entityTagKey: KeyObject;

  constructor(private readonly keys: Readonly<Record<Purpose, Buffer>>) {
    this.entityTagKey = createSecretKey(keys['entity-tag']);
  }

  /** Returns the keys that releases before stored service keys used. */
  static derive(rootKey: RootKey): ServiceKeys {
    return new ServiceKeys(mapPurposes((purpose) => rootKey.derive(purpose)));
  }

  /** Returns the hash of an API key that the core stores. It is fast on purpose, since the secret has 256 bits. */
  apiKeyHmac(key: string): Buffer {
    return this.hmac('api-key', key);
  }

  /** Returns the hash of an invitation's token that the core stores. */
  invitationHmac(token: string): Buffer {
    return this.hmac('invitation', token);
  }

  /** Returns whether the hash was computed from this token. */
  isInvitationToken(hmac: Buffer | null, token: string): boolean {
    return hmac !== null && timingSafeEqual(hmac, this.invitationHmac(token));
  }

  /** Returns the hash of a session's secret that the core stores. */
  sessionHmac(secret: string): Buffer {
    return this.hmac('session', secret);
  }

  /** Returns the hash of a sign-in code that the core stores. */
  signInCodeHmac(code: string): Buffer {
    return this.hmac('sign-in-code', code);
  }

  /** Encrypts the id token of a session, which names its user. */
  sealIdToken(sessionId: string, idToken: string): Buffer {
    return sealBytes(this.keys['id-token'], `session|${sessionId}`, Buffer.from(idToken));
  }

  openIdToken(sessionId: string, sealedToken: Buffer): string {
    return openBytes(this.keys['id-token'], `session|${sessionId}`, sealedToken).toString();
  }

  /** Returns a code that differs between two requests and does not reveal their content, which may be a secret. */
  requestHmac(request: string): Buffer {
    return this.hmac('request', request);
  }

  /**
   * Returns the key with which PostgreSQL verifies the tokens of statements: its id and the two padded halves of an HMAC
   * key (RFC 2104), of 64 bytes each.
   */
  get tenantTokenKey(): { readonly id: string; readonly innerKey: Buffer; readonly outerKey: Buffer } {
    const secret = this.keys['tenant-token'];
    const padded = Buffer.concat([secret, Buffer.alloc(HASH_BLOCK_BYTES - KEY_BYTES)]);
    const half = (padding: number) => Buffer.from(padded.map((byte) => byte ^ padding));
    const id = createHash('sha256').update(secret).digest('hex').slice(0, 16);
    return { id, innerKey: half(0x36), outerKey: half(0x5c) };
  }

  /** Returns the code that makes a token of organizations valid. */
  tenantTokenMac(token: string): string {
    return this.hmac('tenant-token', token).toString('hex');
  }

  /** Returns the first ES256 key pair of the built-in token issuer. */
  tokenKey(): webcrypto.JsonWebKey {
    const ecdh = createECDH('prime256v1');
    const secret = this.keys.token;
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

  /** Encrypts a key with which the built-in issuer signs tokens. */
  sealTokenKey(id: string, jwk: object): Buffer {
    return sealBytes(this.tokenKeysKey(), `token_signing_key|${id}`, Buffer.from(JSON.stringify(jwk)));
  }

  openTokenKey(id: string, sealedKey: Buffer): object {
    return JSON.parse(openBytes(this.tokenKeysKey(), `token_signing_key|${id}`, sealedKey).toString()) as object;
  }

  /** It follows from the first key of tokens, so it remains the same as long as that one. */
  private tokenKeysKey(): Buffer {
    return this.hmac('token', 'strata/v1/token-signing-keys');
  }

  private hmac(purpose: Purpose, text: string): Buffer {
    return createHmac('sha256', this.keys[purpose]).update(text).digest();
  }
}

const mapPurposes = (keyFor: (purpose: Purpose) => Buffer): Record<Purpose, Buffer> =>
  Object.fromEntries(PURPOSES.map((purpose) => [purpose, keyFor(purpose)])) as Record<Purpose, Buffer>;

/**
 * Loads the service keys. Returns null if the settings do not contain the active root key of the database. A database that
 * was not migrated has no stored keys yet.
 */
export async function loadServiceKeys(readRows: ReadRows, rootKeys: RootKeys): Promise<ServiceKeys | null> {
  const [tables] = await readRows<{ hasRootKey: boolean; hasKeys: boolean }>(
    `select to_regclass('root_key_check') is not null as "hasRootKey", to_regclass('service_key') is not null as "hasKeys"`,
  );
  const active = tables?.hasRootKey ? await findActiveRootKey(readRows, rootKeys) : rootKeys.current;
  if (!active) return null;
  const rows = tables?.hasKeys
    ? await readRows<WrappedKey & { purpose: Purpose }>('select purpose, wrapped_key, root_key_id from service_key')
    : [];
  const keys = new Map(rows.map((row) => [row.purpose, rootKeys.unwrap(`service_key|${row.purpose}`, row)]));
  return new ServiceKeys(mapPurposes((purpose) => keys.get(purpose) ?? active.derive(purpose)));
}

/** Loads the service keys of a core. */
export async function requireServiceKeys(readRows: ReadRows, rootKeys: RootKeys): Promise<ServiceKeys> {
  const serviceKeys = await loadServiceKeys(readRows, rootKeys);
  if (!serviceKeys) throw new StartError(OTHER_ROOT_KEY);
  return serviceKeys;
}

/**
 * Stores the service keys that the database lacks, as part of a migration. Keys of a new installation are random. Those of
 * an existing one are the keys that earlier releases derive, which run beside this one.
 */
export async function prepareServiceKeys(owner: DataSource, rootKeys: RootKeys): Promise<ServiceKeys> {
  const readRows: ReadRows = (sql) => owner.query(sql);
  await owner.query('insert into root_key_check (value) values ($1) on conflict do nothing', [rootKeys.current.id]);
  const active = await requireActiveRootKey(readRows, rootKeys);
  const [{ isNew }] = await owner.query('select not exists (select from organization) as "isNew"');
  for (const purpose of PURPOSES) {
    const key = isNew ? randomBytes(KEY_BYTES) : active.derive(purpose);
    const { wrapped_key: wrappedKey, root_key_id: id } = active.wrap(`service_key|${purpose}`, key);
    await owner.query(
      'insert into service_key (purpose, wrapped_key, root_key_id) values ($1, $2, $3) on conflict do nothing',
      [purpose, wrappedKey, id],
    );
  }
  return requireServiceKeys(readRows, rootKeys);
}
