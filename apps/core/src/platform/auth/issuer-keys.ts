import { Failure } from '@strata/domain';
import type { IssuerFetch } from '@strata/issuers';
import {
  type CryptoKey,
  createRemoteJWKSet,
  customFetch,
  errors,
  type FetchImplementation,
  type JWSHeaderParameters,
} from 'jose';

const TIMEOUT_MS = 5_000;
/** A flood of tokens with unknown key ids must not become a flood of requests to the issuer. */
const COOLDOWN_MS = 30_000;
const CACHE_MS = 600_000;

/**
 * Finds the key of a token by its header. Throws an error of jose if the token is at fault, and `issuer_unavailable` if
 * the keys cannot be fetched.
 */
export type KeySet = (header: JWSHeaderParameters) => Promise<CryptoKey>;

/** Returns the key set at a URL. It is fetched when it is needed, once for concurrent requests. */
export function remoteKeySet(url: string, fetch?: IssuerFetch): KeySet {
  const keySet = createRemoteJWKSet(new URL(url), {
    timeoutDuration: TIMEOUT_MS,
    cooldownDuration: COOLDOWN_MS,
    cacheMaxAge: CACHE_MS,
    ...(fetch && { [customFetch]: fetch as FetchImplementation }),
  });
  return async (header) => {
    try {
      return await keySet(header);
    } catch (error) {
      throw isFaultOfToken(error) ? error : issuerUnavailableError();
    }
  };
}

function isFaultOfToken(error: unknown): boolean {
  return [errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys, errors.JOSENotSupported].some(
    (kind) => error instanceof kind,
  );
}

/** The error if the issuer's keys cannot be fetched. Valid tokens must not be rejected as invalid then. */
export function issuerUnavailableError(): Failure {
  const message = 'The keys of the token issuer cannot be fetched right now. Try again in a moment.';
  return new Failure({ kind: 'unavailable', code: 'issuer_unavailable', message, retryAfterSeconds: 1 });
}
