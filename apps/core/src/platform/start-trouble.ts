import { isConnectionTrouble } from './database/constraints.ts';

const NOT_MIGRATED = 'The schema is not current. Run the migration first: node apps/core/dist/main.js migrate';

/** What PostgreSQL or the system says to a start that cannot succeed, in words for whoever operates the service. */
const TROUBLE: Readonly<Record<string, string>> = {
  '22023': NOT_MIGRATED, // the role strata_app does not exist
  '42P01': NOT_MIGRATED, // schema_migration does not exist
  '28P01': 'PostgreSQL refuses the user or the password in DATABASE_URL.',
  '28000': 'PostgreSQL refuses the user in DATABASE_URL.',
  '3D000': 'The database in DATABASE_URL does not exist.',
  '42501': 'The user in DATABASE_URL lacks a right; docs/operating.md says which ones it needs.',
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
};

/** One sentence for a failed start, or null when it is a bug of ours that deserves its stack. */
export function startTrouble(error: unknown): string | null {
  const { code, driverError } = (error ?? {}) as { code?: string; driverError?: { code?: string } };
  const known = TROUBLE[driverError?.code ?? code ?? ''];
  return known ?? (isConnectionTrouble(error) ? TROUBLE.ECONNRESET : null) ?? null;
}

/** A start that we refuse ourselves, in words for whoever operates the service. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';
}
