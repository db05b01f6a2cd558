/** Why there is no answer, in words for people. */
export class Refused extends Error {
  override readonly name = 'Refused';

  constructor(
    /** `extensions.code` of the gateway; `UNREACHABLE` when nothing came back. */
    readonly code: string,
    message: string,
    /** Operators find the request in the logs by this id. */
    readonly requestId: string | null,
  ) {
    super(message);
  }
}

/** Returns the message with the request id, which operators need. */
export const inWords = ({ message, requestId }: Refused): string =>
  requestId === null ? message : `${message} Request ${requestId}.`;

/** What is wrong with one place of what was sent: `name`; of a changeset `operations.1.PORT`. */
export interface RefusedPlace {
  readonly field: string;
  readonly message: string;
}

/** A write that was refused; nothing of it was stored. */
export class RefusedWrite extends Refused {
  constructor(
    code: string,
    message: string,
    readonly places: readonly RefusedPlace[],
    /** Something has changed since the versions, or the plan, that were expected. */
    readonly isOvertaken: boolean,
  ) {
    super(code, message, null);
  }
}

/** The gateway does not know what this page asks for: it is of another release. */
export const UPGRADED = 'PERSISTED_QUERY_NOT_FOUND';

/** Whether an error says that this page is of another release than the gateway. */
export const isUpgraded = (error: unknown): boolean => error instanceof Refused && error.code === UPGRADED;

const PASSING = ['UNREACHABLE', 'UNAVAILABLE', 'core_unreachable', 'core_slow', 'outcome_unknown'];

/** Whether the request had no answer: a retry may help, and a write may have been stored. */
export const isUnanswered = (error: unknown): boolean => error instanceof Refused && PASSING.includes(error.code);

/** Whether an error says that the session is over. */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof Refused && ['UNAUTHENTICATED', 'unauthenticated', 'bad_credential'].includes(error.code);
