import { Failure } from '@strata/domain';
import { QueryFailedError, QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';

interface DatabaseError {
  readonly code?: string;
  readonly constraint?: string;
  readonly message?: string;
}

function databaseError(error: unknown): DatabaseError | null {
  if (error instanceof QueryFailedError) return error.driverError as DatabaseError;
  return error instanceof Error ? (error as DatabaseError) : null;
}

/** Lets the database decide a race, and turns its verdict, by constraint name, into our words. */
export async function refuseOn<T>(
  statement: Promise<T>,
  refusals: Readonly<Record<string, () => Failure>>,
): Promise<T> {
  try {
    return await statement;
  } catch (error) {
    const refusal = refusals[databaseError(error)?.constraint ?? ''];
    throw refusal ? refusal() : error;
  }
}

const CONNECTION_TROUBLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '53300', // too_many_connections
  '08000',
  '08003',
  '08006',
  '25006', // read_only_sql_transaction: a standby took over
  '53100', // disk_full
]);

/** The database cannot be used right now; nothing is wrong with the request. */
export function isConnectionTrouble(error: unknown): boolean {
  // TypeORM releases a runner by itself as soon as its connection breaks, even between two statements of a write.
  if (error instanceof QueryRunnerAlreadyReleasedError) return true;
  if (error instanceof QueryRunnerProviderAlreadyReleasedError) return true;
  const cause = databaseError(error);
  if (!cause) return false;
  if (cause.code && CONNECTION_TROUBLE.has(cause.code)) return true;
  return /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/.test(
    cause.message ?? '',
  );
}

/** Too many writers of one organization at once, or a statement over its time: worth another try. */
export function isContention(error: unknown): boolean {
  return ['55P03', '57014', '40001', '40P01', '25P03'].includes(databaseError(error)?.code ?? '');
}
