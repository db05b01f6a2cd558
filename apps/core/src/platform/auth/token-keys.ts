import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { calculateJwkThumbprint, type JWK } from 'jose';
import { SnapshotReader } from '../postgres/snapshot-reader.ts';
import { ServiceKeys } from '../vault/service-keys.ts';

/** Both halves of a key of the built-in issuer. */
export interface TokenKey {
  readonly id: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

export interface PublishedKeys {
  readonly keys: readonly JWK[];
}

/** The keys could not be read, so it is unknown whether a token is valid. */
export class TokenKeysError extends Error {
  override readonly name = 'TokenKeysError';
}

interface SigningKeyRow {
  readonly id: string;
  readonly sealed_key: Buffer;
  readonly signs: boolean;
}

interface LoadedKeys {
  readonly signing: TokenKey;
  /** By id. Keys that will sign later verify already. */
  readonly verifying: ReadonlyMap<string, TokenKey>;
  /** The key of tokens that name none. */
  readonly initialId: string;
  /** On the clock of `performance.now()`. */
  readonly until: number;
}

/** After this time, every core knows a new key, and rejects tokens of a removed one. */
const CACHE_MS = 10_000;
/** An unknown key loads the keys at most this often, so that forged tokens cause no statement each. */
const RELOAD_MS = 1_000;

/** The keys that verify tokens now, newest first. The first one that signs is the one to sign with. */
const KEYS = `
select id, sealed_key, signs_from <= clock_timestamp() as signs from token_signing_key
 where verifies_until is null or verifies_until > clock_timestamp()
 order by signs_from desc, id`;

/** Returns a key from its JWK. The id depends only on the key, so that all processes compute the same. */
export async function readTokenKey(jwk: JWK): Promise<TokenKey> {
  const privateKey = createPrivateKey({ key: jwk as never, format: 'jwk' });
  return { id: await calculateJwkThumbprint(jwk), privateKey, publicKey: createPublicKey(privateKey) };
}

/** The keys of the built-in token issuer: one signs, and all that have not ended verify. */
@Injectable()
export class TokenKeys {
  private readonly initialKey: Promise<TokenKey>;
  private loaded: LoadedKeys | null = null;
  private loading: Promise<LoadedKeys> | null = null;
  private loadedAt = Number.NEGATIVE_INFINITY;
  private readonly reader: SnapshotReader;

  constructor(
    reader: SnapshotReader,
    private readonly serviceKeys: ServiceKeys,
  ) {
    this.reader = reader.unlimited;
    this.initialKey = readTokenKey(serviceKeys.tokenKey() as JWK);
  }

  /** Returns the key to sign with. */
  async signing(): Promise<TokenKey> {
    return (await this.current()).signing;
  }

  /**
   * Returns the public key that verifies tokens with this id; null if there is none or it has ended. Tokens of the release
   * before name no key: the first one signed them.
   */
  async find(id: string | undefined): Promise<KeyObject | null> {
    const keyId = id ?? (await this.initialKey).id;
    const { verifying } = await this.current();
    const isStale = !verifying.has(keyId) && performance.now() - this.loadedAt > RELOAD_MS;
    const keys = isStale ? (await this.load()).verifying : verifying;
    return keys.get(keyId)?.publicKey ?? null;
  }

  /** Returns whether a token with this key, which was verified a moment ago, is still valid as far as this process knows. */
  isKnown(id: string | undefined): boolean {
    const { loaded } = this;
    return loaded !== null && loaded.until > performance.now() && loaded.verifying.has(id ?? loaded.initialId);
  }

  /** Returns the public keys as a JWK set (RFC 7517). */
  async published(): Promise<PublishedKeys> {
    const { verifying } = await this.current();
    return {
      keys: [...verifying.values()].map(({ id, publicKey }) => ({
        ...publicKey.export({ format: 'jwk' }),
        kid: id,
        alg: 'ES256',
        use: 'sig',
      })),
    };
  }

  private async current(): Promise<LoadedKeys> {
    const { loaded } = this;
    return loaded && loaded.until > performance.now() ? loaded : this.load();
  }

  private load(): Promise<LoadedKeys> {
    this.loading ??= this.read().finally(() => {
      this.loading = null;
    });
    return this.loading;
  }

  private async read(): Promise<LoadedKeys> {
    this.loadedAt = performance.now();
    const initialKey = await this.initialKey;
    const rows = await this.reader.query<SigningKeyRow>(KEYS, []);
    const keys = await Promise.all(
      rows.map(async ({ id, sealed_key: sealedKey }) =>
        readTokenKey(this.serviceKeys.openTokenKey(id, sealedKey) as JWK),
      ),
    );
    const verifying = new Map((keys.length > 0 ? keys : [initialKey]).map((key) => [key.id, key]));
    const signingRow = rows.find(({ signs }) => signs);
    const signing = signingRow ? verifying.get(signingRow.id) : initialKey;
    if (!signing) throw new Error('No key signs tokens.');
    this.loaded = { signing, verifying, initialId: initialKey.id, until: this.loadedAt + CACHE_MS };
    return this.loaded;
  }
}
