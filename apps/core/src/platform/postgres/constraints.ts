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

/** Lets the database decide a race. Translates a violation into our error, by the name of the constraint. */
export async function translateViolations<T>(
  statement: Promise<T>,
  errors: Readonly<Record<string, () => Failure>>,
): Promise<T> {
  try {
    return await statement;
  } catch (error) {
    const createError = errors[databaseError(error)?.constraint ?? ''];
    throw createError ? createError() : error;
  }
}

/** Error codes of a broken connection. The server may or may not have run the last statement. */
const LOST = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|080\d\d|57P0[123])$/;
const LOST_MESSAGE = /Connection terminated|Client has encountered a connection error|not queryable/;

/** Error codes of a server that rejected the connection or the statement, so nothing was stored. */
const REJECTED_CODES = new Set([
  '53300', // too_many_connections
  '25006', // read_only_sql_transaction: a standby took over
  '53100', // disk_full
  '26000', // a connection pooler selected a server where the statement is not prepared
  '42P05', // a connection pooler selected a server where another connection prepared a statement of this name
]);

/** Returns whether the database is unavailable. If so, the request itself is not at fault. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (isConnectionLost(error)) return true;
  const { code = '', message = '' } = databaseError(error) ?? {};
  return REJECTED_CODES.has(code) || /timeout exceeded when trying to connect/.test(message);
}

/** Returns whether it is unknown if the last statement was run. */
export function isConnectionLost(error: unknown): boolean {
  // TypeORM releases a runner itself as soon as its connection breaks, even between two statements of a write.
  if (error instanceof QueryRunnerAlreadyReleasedError) return true;
  if (error instanceof QueryRunnerProviderAlreadyReleasedError) return true;
  const { code = '', message = '' } = databaseError(error) ?? {};
  return LOST.test(code) || LOST_MESSAGE.test(message);
}

/**
 * Returns whether a COMMIT that failed with this error may have succeeded, because the server or its backend process
 * ended.
 */
export function isCommitOutcomeUnknown(error: unknown): boolean {
  return isConnectionLost(error) || /^(FATAL|PANIC)$/.test(databaseError(error)?.severity ?? '');
}

/** Returns the error for a connection that stopped responding. It is handled like a broken connection. */
export function responseTimeoutError(): Error {
  return Object.assign(new Error('The database did not respond in time.'), { code: 'ETIMEDOUT' });
}

/** The function of PostgreSQL in which a COMMIT waits for its standbys. The server translates its message, but not this name. */
const WAIT_FOR_STANDBYS = 'SyncRepWaitForLSN';

/**
 * Returns whether a notice of the server says that a COMMIT no longer waits for its standbys. PostgreSQL then reports
 * success, although the loss of its machine would undo the commit.
 */
export const isUnreplicatedCommit = ({ routine }: { readonly routine?: string | undefined }): boolean =>
  routine === WAIT_FOR_STANDBYS;

/** Returns the error for such a COMMIT. It is handled like a broken connection. */
export function unreplicatedCommitError(): Error {
  return Object.assign(new Error('No standby has confirmed the commit.'), { code: '08007' });
}

/**
 * Returns whether a retry may succeed: too many writers of one organization at once, or a statement that exceeded its
 * time limit.
 */
export function isContention(error: unknown): boolean {
  return ['55P03', '57014', '40001', '40P01', '25P03'].includes(databaseError(error)?.code ?? '');
}

/** Returns whether a statement exceeded its time limit. */
export function isStatementTimeout(error: unknown): boolean {
  return databaseError(error)?.code === '57014';
}

/**
 * Returns the error for a change that may have been stored because its connection broke during COMMIT, or that was
 * stored but cannot be shown. Its message says that the caller must check before a retry.
 */
export function outcomeUnknownError(): Failure {
  return new Failure({
    kind: 'unavailable',
    code: 'outcome_unknown',
    message:
      'The database became unavailable during the commit. Repeat the request with its Idempotency-Key, or read the object to see whether the change was stored.',
    retryAfterSeconds: 1,
  });
}
