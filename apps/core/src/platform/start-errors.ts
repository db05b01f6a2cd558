import { isDatabaseUnavailable } from './postgres/constraints.ts';
import { NOT_MIGRATED } from './postgres/schema-lineage.ts';

const UNREADABLE =
  'DATABASE_URL cannot be read. It looks like postgres://user:password@host:5432/database; write special characters of the password escaped, such as %2F for / and %25 for %.';

/** Messages for the operator, by the error code of PostgreSQL or of the operating system. */
const MESSAGES: Readonly<Record<string, string>> = {
  '22023': NOT_MIGRATED, // the role strata_app does not exist
  '42P01': NOT_MIGRATED, // schema_migration or schema_compatibility does not exist
  '28P01': 'PostgreSQL refuses the user or the password in DATABASE_URL.',
  '28000': 'PostgreSQL refuses the user in DATABASE_URL.',
  '3D000': 'The database in DATABASE_URL does not exist.',
  '42501': 'The user in DATABASE_URL lacks a permission; docs/guides/install.md lists the permissions it needs.',
  '57P03': 'PostgreSQL is still starting, or stopping.',
  '53300': 'PostgreSQL has no connection left for us.',
  EADDRINUSE: 'Another program listens on STRATA_PORT. Set it to a free one.',
  EADDRNOTAVAIL: 'STRATA_HOST is no address of this machine.',
  EACCES: 'STRATA_PORT needs more rights than this user has. Set it to one above 1023.',
  ECONNREFUSED: 'Nobody listens where DATABASE_URL points to.',
  ECONNRESET: 'The connection to the database of DATABASE_URL was cut.',
  ENOTFOUND: 'The host in DATABASE_URL is unknown.',
  EAI_AGAIN: 'The host in DATABASE_URL cannot be looked up right now.',
  ETIMEDOUT: 'The database in DATABASE_URL does not answer.',
  ERR_INVALID_URL: UNREADABLE,
};

/** Errors that the driver detects itself have no code. */
const MESSAGES_BY_PATTERN: readonly (readonly [RegExp, string])[] = [
  [
    /^SASL: .* client password must be /,
    'PostgreSQL asks for a password, and DATABASE_URL has none: postgres://user:password@host:5432/database',
  ],
  [/^The server does not support SSL connections$/, 'DATABASE_URL asks for TLS, which this PostgreSQL does not offer.'],
  [/^URI malformed$/, UNREADABLE],
];

/** Returns one sentence for a failed start, or null if the error is a bug whose stack must be logged. */
export function startErrorMessage(error: unknown): string | null {
  const { code, driverError } = (error ?? {}) as { code?: string; driverError?: { code?: string } };
  const known = MESSAGES[driverError?.code ?? code ?? ''] ?? messageByPattern(error);
  return known ?? (isDatabaseUnavailable(error) ? MESSAGES.ECONNRESET : null) ?? null;
}

function messageByPattern(error: unknown): string | undefined {
  const message = error instanceof Error ? error.message : '';
  return MESSAGES_BY_PATTERN.find(([words]) => words.test(message))?.[1];
}

/** A start that the core refuses, with a message for the operator. */
export class StartError extends Error {
  override readonly name = 'StartRefused';
}
