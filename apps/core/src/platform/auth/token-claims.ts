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
