/** What a token may say; only what was looked at can be relied on. */
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
