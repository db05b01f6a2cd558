/** An error with a message for users. */
export class Refused extends Error {
  override readonly name = 'Refused';

  constructor(
    /** `extensions.code` of the gateway; `UNREACHABLE` without a response. */
    readonly code: string,
    message: string,
    /** Operators find the request in the logs by this id. */
    readonly requestId: string | null,
  ) {
    super(message);
  }
}

/** Returns the message with the request id, which operators need. */
export const messageWithRequestId = ({ message, requestId }: Refused): string =>
  requestId === null ? message : `${message} Request ${requestId}.`;

/** The error of one input field: `name`, or `operations.1.PORT` for a changeset. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** A write that was rejected. Nothing of it was stored. */
export class RefusedWrite extends Refused {
  constructor(
    code: string,
    message: string,
    readonly places: readonly FieldError[],
    /** Whether the expected versions or the expected plan are outdated. */
    readonly isOvertaken: boolean,
  ) {
    super(code, message, null);
  }
}

/** The gateway does not know the document of this page, because it belongs to another release. */
export const UPGRADED = 'PERSISTED_QUERY_NOT_FOUND';

/** Returns whether an error means that the page and the gateway belong to different releases. */
export const isUpgraded = (error: unknown): boolean => error instanceof Refused && error.code === UPGRADED;

const PASSING = ['UNREACHABLE', 'UNAVAILABLE', 'core_unreachable', 'core_slow', 'outcome_unknown'];

/** Returns whether the request had no response. A retry may help, and a write may have been stored. */
export const isNoResponse = (error: unknown): boolean => error instanceof Refused && PASSING.includes(error.code);

/** Returns whether an error means that the session has ended. */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof Refused && ['UNAUTHENTICATED', 'unauthenticated', 'bad_credential'].includes(error.code);
