/** The reason of a `StrataError`. */
export type StrataErrorCode =
  /** The options of `connect` are invalid. */
  | 'invalid_options'
  /** The name has no value, or an explicit null. */
  | 'missing'
  /** The value is a secret, and the program did not connect with `reveal`. */
  | 'masked'
  /** The text is not of the requested type. */
  | 'invalid'
  /** Strata cannot be reached, is too slow, or is overloaded. */
  | 'unavailable'
  | 'credential_rejected'
  | 'forbidden'
  /** The project or the environment does not exist. */
  | 'not_found'
  /** Strata rejects the request. */
  | 'bad_request'
  /** A text of the configuration cannot be evaluated. */
  | 'evaluation_failed'
  /** `validate` rejected the configuration. */
  | 'rejected'
  /** The cache file cannot be used or written. */
  | 'cache_unusable'
  /** Strata did not accept what the program reported about its configuration. */
  | 'report_failed'
  /** A listener threw an error. */
  | 'listener_failed'
  /** `close` was called, or the signal was aborted. */
  | 'closed';

interface Details {
  readonly parameter?: string;
  readonly retryAfterMs?: number;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** An error of this package. Its message never contains a value or a credential. */
export class StrataError extends Error {
  override readonly name = 'StrataError';
  /** The name of the parameter, if the error is about one. */
  readonly parameter: string | undefined;
  /** The time that Strata requests to wait before the next request. */
  readonly retryAfterMs: number;
  /** The names and numbers in the sentence of Strata, by name. */
  readonly params: Readonly<Record<string, unknown>>;

  constructor(
    readonly code: StrataErrorCode,
    message: string,
    { parameter, retryAfterMs = 0, params = {}, cause }: Details = {},
  ) {
    super(message, { cause });
    this.parameter = parameter;
    this.retryAfterMs = retryAfterMs;
    this.params = params;
  }
}

/** Throw it in `validate` to reject a configuration. Strata shows the message, so never put a value into it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Errors after which the program has to be changed or restarted with other options. */
const FINAL: readonly StrataErrorCode[] = ['credential_rejected', 'forbidden', 'not_found', 'bad_request'];

export function isFinal({ code }: StrataError): boolean {
  return FINAL.includes(code);
}

/** A response that does not come from Strata, but from a proxy or another server. */
export class ForeignResponseError extends StrataError {
  constructor(message: string, retryAfterMs = 0) {
    super('unavailable', message, { retryAfterMs });
  }
}
