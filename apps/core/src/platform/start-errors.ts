import { isDatabaseUnavailable } from './postgres/constraints.ts';
import { NOT_MIGRATED } from './postgres/schema-lineage.ts';

const UNREADABLE =
  'DATABASE_URL is invalid. Write it as postgres://user:password@host:5432/database. Escape special characters of the password, such as %2F for / and %25 for %.';

/** Messages for the operator, by the error code of PostgreSQL or of the operating system. */
const MESSAGES: Readonly<Record<string, string>> = {
  '22023': NOT_MIGRATED, // the role strata_app does not exist
  '42P01': NOT_MIGRATED, // schema_migration or schema_compatibility does not exist
  '28P01': 'PostgreSQL rejects the user or the password in DATABASE_URL.',
  '28000': 'PostgreSQL rejects the user in DATABASE_URL.',
  '3D000': 'The database in DATABASE_URL does not exist.',
  '42501':
    'The account in DATABASE_URL lacks a permission. Set STRATA_OWNER_DATABASE_URL to the owner of the schema, see docs/guides/install.md.',
  '57P03': 'PostgreSQL is starting or stopping. Try again in a moment.',
  '53300': 'PostgreSQL has no free connection. Increase its max_connections, or stop other clients.',
  EADDRINUSE: 'Another program listens on STRATA_PORT. Set STRATA_PORT to a free port.',
  EADDRNOTAVAIL: 'STRATA_HOST is not an address of this machine.',
  EACCES: 'STRATA_PORT requires root. Set it to a port above 1023.',
  ECONNREFUSED: 'No server listens at the host and port in DATABASE_URL. Start PostgreSQL, or correct DATABASE_URL.',
  ECONNRESET: 'The connection to the database in DATABASE_URL was closed.',
  ENOTFOUND: 'The host in DATABASE_URL is unknown.',
  EAI_AGAIN: 'The host in DATABASE_URL cannot be resolved at the moment.',
  ETIMEDOUT: 'The database in DATABASE_URL does not respond.',
  ERR_INVALID_URL: UNREADABLE,
};

/** Errors that the driver detects itself have no code. */
const MESSAGES_BY_PATTERN: readonly (readonly [RegExp, string])[] = [
  [
    /^SASL: .* client password must be /,
    'PostgreSQL requires a password, and DATABASE_URL has none. Write it as postgres://user:password@host:5432/database.',
  ],
  [
    /^The server does not support SSL connections$/,
    'DATABASE_URL requires TLS, which this PostgreSQL does not support.',
  ],
  [/^URI malformed$/, UNREADABLE],
];

/** Returns one sentence for a failed start, or null if the error is a bug whose stack must be logged. */
export function startErrorMessage(error: unknown): string | null {
  const { code, driverError } = (error ?? {}) as { code?: string; driverError?: { code?: string } };
  const message = MESSAGES[driverError?.code ?? code ?? ''] ?? messageByPattern(error);
  return message ?? (isDatabaseUnavailable(error) ? MESSAGES.ECONNRESET : null) ?? null;
}

function messageByPattern(error: unknown): string | undefined {
  const message = error instanceof Error ? error.message : '';
  return MESSAGES_BY_PATTERN.find(([pattern]) => pattern.test(message))?.[1];
}

export const OTHER_ROOT_KEY = 'This database was encrypted with another STRATA_ROOT_KEY. Start with the original key.';

/** An error that stops the start, with a message for the operator. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
