import { Failure } from '@strata/domain';
import { QueryFailedError, QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';

interface DatabaseError {
  readonly code?: string;
  readonly constraint?: string;
  readonly message?: string;
  readonly severity?: string;
}

function databaseError(error: unknown): DatabaseError | null {
  if (error instanceof QueryFailedError) return error.driverError as DatabaseError;
  return error instanceof Error ? (error as DatabaseError) : null;
}

/** Lets the database decide a race, and turns its violation, by constraint name, into our words. */
export async function translateViolations<T>(
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

/** Connections break with these; nobody knows how far the server came. */
const LOST = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|080\d\d|57P0[123])$/;
const LOST_MESSAGE = /Connection terminated|Client has encountered a connection error|not queryable/;

/** The server said so itself, and did nothing. */
const REFUSED = new Set([
  '53300', // too_many_connections
  '25006', // read_only_sql_transaction: a standby took over
  '53100', // disk_full
]);

/** The database cannot be used right now; nothing is wrong with the request. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (isConnectionLost(error)) return true;
  const { code = '', message = '' } = databaseError(error) ?? {};
  return REFUSED.has(code) || /timeout exceeded when trying to connect/.test(message);
}

/** Whether what was asked last was done cannot be known. */
export function isConnectionLost(error: unknown): boolean {
  // TypeORM releases a runner by itself as soon as its connection breaks, even between two statements of a write.
  if (error instanceof QueryRunnerAlreadyReleasedError) return true;
  if (error instanceof QueryRunnerProviderAlreadyReleasedError) return true;
  const { code = '', message = '' } = databaseError(error) ?? {};
  return LOST.test(code) || LOST_MESSAGE.test(message);
}

/** Whether a COMMIT that failed with this may be carried out all the same: the server, or its part of the connection, ended. */
export function isCommitOutcomeUnknown(error: unknown): boolean {
  return isConnectionLost(error) || /^(FATAL|PANIC)$/.test(databaseError(error)?.severity ?? '');
}

/** As if the connection had broken: it went silent. */
export function responseTimeout(): Error {
  return Object.assign(new Error('The database did not answer in time.'), { code: 'ETIMEDOUT' });
}

/** Too many writers of one organization at once, or a statement over its time: worth another try. */
export function isContention(error: unknown): boolean {
  return ['55P03', '57014', '40001', '40P01', '25P03'].includes(databaseError(error)?.code ?? '');
}

/** A statement that took more time than it may. */
export function isStatementTimeout(error: unknown): boolean {
  return databaseError(error)?.code === '57014';
}

/**
 * The change may be stored, since its connection broke while COMMIT was on its way; or it surely is, and what became of it
 * cannot be shown. The caller must be told so.
 */
export function outcomeUnknown(): Failure {
  return new Failure({
    kind: 'unavailable',
    code: 'outcome_unknown',
    message:
      'The database went away while the change was being committed. Send the request again with its Idempotency-Key, or read the object to see whether it was stored.',
    retryAfterSeconds: 1,
  });
}
