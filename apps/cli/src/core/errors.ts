import type { Params } from '@strata/domain';

/** The exit codes of the commands that read and change configuration. docs/reference/cli.md describes them. */
export const EXIT = {
  failed: 1,
  invalid: 2,
  notSignedIn: 3,
  notFound: 4,
  unreachable: 5,
  forbidden: 6,
  checkFailed: 7,
  outdated: 8,
  /** Shells use these codes for programs that cannot be started, or do not exist. */
  cannotStart: 126,
  noProgram: 127,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

interface Details {
  /** The next step of the user. */
  readonly hint?: string | undefined;
  readonly requestId?: string | null | undefined;
  /** The error code of Strata. */
  readonly code?: string | undefined;
  /** A JSON pointer to the part of the request that Strata rejected. */
  readonly pointer?: string | undefined;
  /** The names and numbers in the sentence of Strata. */
  readonly params?: Params | undefined;
}

/** An error that ends a command. Its message never contains a secret. */
export class CommandError extends Error {
  override readonly name = 'CommandError';

  constructor(
    readonly exitCode: ExitCode,
    message: string,
    readonly details: Details = {},
  ) {
    super(message);
  }
}

/** Returns the error for a command line, a setting or a file that is invalid. */
export const invalidInputError = (message: string, hint?: string): CommandError =>
  new CommandError(EXIT.invalid, message, { hint });

/** Returns the error for a file that cannot be written. */
export const unwritableFileError = (file: string, error: unknown): CommandError =>
  new CommandError(EXIT.failed, `${file} cannot be written (${(error as NodeJS.ErrnoException).code}).`);

/** Throws for texts that Node has decoded and that were not UTF-8: it replaces such bytes by U+FFFD. */
export function requireUtf8(texts: readonly string[], subject: string): void {
  if (texts.some((text) => text.includes('\ufffd')))
    throw invalidInputError(`${subject} is not UTF-8.`, 'Set the terminal to UTF-8, or write the text into a file.');
}
