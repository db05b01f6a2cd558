import { decodeJwt, decodeProtectedHeader } from 'jose';

/** The claims of a token. They are untrusted until they have been checked. */
export interface TokenClaims {
  readonly sub?: unknown;
  readonly organization?: unknown;
  readonly token_version?: unknown;
  readonly exp?: unknown;
  readonly iat?: unknown;
  readonly email?: unknown;
  readonly email_verified?: unknown;
  readonly name?: unknown;
}

/** The accepted types of a token. Tokens for another purpose, such as a logout token, are rejected. */
const TYPES: readonly unknown[] = [undefined, 'jwt', 'at+jwt', 'application/at+jwt'];

/**
 * Returns the claims of a token without verifying it; null if it is malformed. The libraries that verify check neither
 * the type of a token nor every extension that its reader must support (`crit`), of which the core supports none.
 */
export function unverifiedClaims(token: string): Readonly<Record<string, unknown>> | null {
  try {
    const { crit, typ } = decodeProtectedHeader(token);
    const type: unknown = typeof typ === 'string' ? typ.toLowerCase() : typ;
    return crit === undefined && TYPES.includes(type) ? decodeJwt(token) : null;
  } catch {
    return null;
  }
}
