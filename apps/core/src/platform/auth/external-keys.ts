import { KeyObject } from 'node:crypto';
import { createRemoteJWKSet, decodeProtectedHeader } from 'jose';
import type { SecretOrKeyProvider } from 'passport-jwt';

const TIMEOUT_MS = 5_000;
/** A flood of tokens with unknown key ids must not become a flood of requests to the issuer. */
const COOLDOWN_MS = 30_000;
const CACHE_MS = 600_000;

/** Finds the key of an external issuer's token, fetching the issuer's key set when it must. */
export function externalKeys(jwksUrl: string): SecretOrKeyProvider {
  const keySet = createRemoteJWKSet(new URL(jwksUrl), {
    timeoutDuration: TIMEOUT_MS,
    cooldownDuration: COOLDOWN_MS,
    cacheMaxAge: CACHE_MS,
  });
  return (_request, rawToken: string, done) => {
    Promise.resolve()
      .then(() => keySet(decodeProtectedHeader(rawToken) as Parameters<typeof keySet>[0]))
      .then((key) => done(null, KeyObject.from(key as Parameters<typeof KeyObject.from>[0]) as never))
      .catch(() => done(new Error('The key of this token is unknown.')));
  };
}
