import { decodeJwt, decodeProtectedHeader } from 'jose';

/** The claims of a token. They are untrusted until they have been checked. */
export interface TokenClaims {
  readonly iss?: unknown;
  readonly sub?: unknown;
  readonly organization?: unknown;
  readonly token_version?: unknown;
  readonly exp?: unknown;
  readonly iat?: unknown;
  readonly email?: unknown;
  readonly email_verified?: unknown;
  readonly name?: unknown;
}

/** The types of id tokens and of tokens of workloads. Kubernetes and some issuers leave the type out. */
const JWT_TYPES: readonly unknown[] = [undefined, 'jwt'];
/** The types of tokens in the header `Authorization`, which can be access tokens (RFC 9068). */
const ACCESS_TOKEN_TYPES: readonly unknown[] = [...JWT_TYPES, 'at+jwt', 'application/at+jwt'];

/** Returns the claims of an access token without verifying it; null if it is malformed or has another type. */
export const claimsOfAccessToken = (token: string): TokenClaims | null => decodeClaims(token, ACCESS_TOKEN_TYPES);

/**
 * Returns the claims of a token without verifying it; null if it is malformed or was issued for another purpose, such as
 * signing out or access to an API. Verifiers check neither the type of a token nor all extensions that its reader must
 * support (`crit`), of which the core supports none.
 */
export function decodeClaims(token: string, types = JWT_TYPES): TokenClaims | null {
  try {
    const { crit, typ } = decodeProtectedHeader(token);
    const type: unknown = typeof typ === 'string' ? typ.toLowerCase() : typ;
    return crit === undefined && types.includes(type) ? decodeJwt(token) : null;
  } catch {
    return null;
  }
}

/** Returns the id of the key that a token names; undefined for a malformed token, and for one that names none. */
export function keyIdOfToken(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).kid;
  } catch {
    return undefined;
  }
}

/**
 * A single token cannot be revoked, so no token is valid for longer than a day, plus a minute for clock differences.
 */
const LIFETIME_SECONDS_MAX = 86_400 + 60;

export function exceedsLifetime({ iat }: TokenClaims, exp: number): boolean {
  const now = Date.now() / 1_000;
  const issuedAt = typeof iat === 'number' ? Math.min(iat, now) : now;
  return exp - issuedAt > LIFETIME_SECONDS_MAX;
}
