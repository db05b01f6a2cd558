import type { ErrorEntry } from './operation-error.ts';

/** An error with a message that is shown to the user. */
export class RequestError extends Error {
  override readonly name = 'RequestError';

  constructor(
    /** The code in the gateway's `extensions`; `UNREACHABLE` if there was no response. */
    readonly code: string,
    message: string,
    /** The id with which operators find the request in the logs. */
    readonly requestId: string | null,
  ) {
    super(message);
  }
}

/** Returns the message, with the request id if there is one. */
export const messageWithRequestId = ({ message, requestId }: RequestError): string =>
  requestId === null ? message : `${message} Request ${requestId}.`;

/** Describes an error in one line. */
export const describeError = (error: unknown): string =>
  error instanceof RequestError ? messageWithRequestId(error) : UNEXPECTED;

/** The message of an error of the console itself. */
export const UNEXPECTED = 'Something went wrong. Try again, or reload the page.';

/** The error of one field, such as `name`, or `operations.1.PORT` in a changeset. */
export interface FieldError extends ErrorEntry {
  readonly field: string;
  readonly message: string;
}

/** The rejection of a write. Nothing was stored. */
export class WriteError extends RequestError {
  constructor(
    code: string,
    message: string,
    readonly fieldErrors: readonly FieldError[],
    /** Whether the expected versions or the expected plan are outdated. */
    readonly isOutdated: boolean,
    /** A JSON pointer to the input that the error is about, if it has no fields. */
    readonly pointer: string = '',
  ) {
    super(code, message, null);
  }
}

/** The error code of the gateway if it does not know a document, because the page belongs to another release. */
export const UPGRADED = 'PERSISTED_QUERY_NOT_FOUND';

/** Returns whether an error means that the page and the gateway belong to different releases. */
export const isUpgraded = (error: unknown): boolean => error instanceof RequestError && error.code === UPGRADED;

const PASSING = ['UNREACHABLE', 'UNAVAILABLE', 'core_unreachable', 'core_slow', 'outcome_unknown'];

/** Returns whether a request had no response. The outcome of a write is then unknown. */
export const isNoResponse = (error: unknown): boolean => error instanceof RequestError && PASSING.includes(error.code);

/** Returns whether an error means that the session has ended. */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof RequestError && ['UNAUTHENTICATED', 'unauthenticated', 'bad_credential'].includes(error.code);
