import { KeyObject } from 'node:crypto';
import { decodeProtectedHeader, errors, type JWSHeaderParameters } from 'jose';
import type { SecretOrKeyProvider } from 'passport-jwt';
import { remoteKeySet } from './issuer-keys.ts';

/** Finds the key of an external issuer's token, fetching the issuer's key set when it must. */
export function externalKeys(jwksUrl: string): SecretOrKeyProvider {
  const keySet = remoteKeySet(jwksUrl);
  return (_request, rawToken: string, done) => {
    const header = decodeHeader(rawToken);
    if (!header) return done(UNKNOWN_KEY);
    keySet(header).then(
      (key) => done(null, KeyObject.from(key as Parameters<typeof KeyObject.from>[0]) as never),
      (error: unknown) => done(error instanceof errors.JOSEError ? UNKNOWN_KEY : error),
    );
  };
}

const UNKNOWN_KEY = new Error('The key of this token is unknown.');

function decodeHeader(rawToken: string): JWSHeaderParameters | null {
  try {
    return decodeProtectedHeader(rawToken);
  } catch {
    return null;
  }
}
