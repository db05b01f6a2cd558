import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const KEY_BYTES = 32;
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

/** The row that stores a wrapped key. The key cannot be unwrapped in any other context. */
export type WrappingContext = `${'organization_key' | 'data_key' | 'service_key'}|${string}`;

/** A key as the database stores it. Releases before root keys had ids stored no id. */
export interface WrappedKey {
  readonly wrapped_key: Buffer;
  readonly root_key_id: Buffer | null;
}

/** A key that is never stored in the database. It encrypts all keys that are. */
export class RootKey {
  private readonly wrappingKey: Buffer;
  /** Differs between two root keys and reveals nothing else about them. */
  readonly id: Buffer;

  constructor(private readonly root: Buffer) {
    if (root.length !== KEY_BYTES) throw new Error('The root key must have 32 bytes.');
    this.wrappingKey = this.derive('wrap');
    this.id = createHmac('sha256', this.derive('check')).update('strata').digest().subarray(0, 16);
  }

  /** Earlier releases derived the service keys from the root key. They are stored since. */
  derive(label: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.root, '', `strata/v1/${label}`, KEY_BYTES));
  }

  wrap(context: WrappingContext, key: Buffer): WrappedKey {
    return { wrapped_key: sealBytes(this.wrappingKey, context, key), root_key_id: this.id };
  }

  unwrap(context: WrappingContext, wrappedKey: Buffer): Buffer {
    return openBytes(this.wrappingKey, context, wrappedKey);
  }
}

/** The root keys of the settings: the current one and, while it is replaced, the previous one. */
export class RootKeys {
  readonly all: readonly RootKey[];

  constructor(
    readonly current: RootKey,
    readonly previous: RootKey | null = null,
  ) {
    this.all = previous ? [current, previous] : [current];
  }

  find(id: Buffer): RootKey | null {
    return this.all.find((rootKey) => rootKey.id.equals(id)) ?? null;
  }

  /** Throws IntegrityError if none of the root keys has wrapped the key for this row. */
  unwrap(context: WrappingContext, { wrapped_key: wrappedKey, root_key_id: id }: WrappedKey): Buffer {
    const candidates = id === null ? this.all : [this.find(id)];
    for (const rootKey of candidates) {
      try {
        if (rootKey) return rootKey.unwrap(context, wrappedKey);
      } catch (error) {
        if (!(error instanceof IntegrityError)) throw error;
      }
    }
    throw new IntegrityError(`No root key of the settings decrypts ${context}.`);
  }
}

/** The settings that contain the root keys. */
export interface RootKeySettings {
  readonly STRATA_ROOT_KEY: string;
  readonly STRATA_PREVIOUS_ROOT_KEY?: string | undefined;
}

export function readRootKeys(settings: RootKeySettings): RootKeys {
  const { STRATA_ROOT_KEY: current, STRATA_PREVIOUS_ROOT_KEY: previous } = settings;
  const parse = (text: string) => new RootKey(Buffer.from(text, 'base64'));
  return new RootKeys(parse(current), previous ? parse(previous) : null);
}
