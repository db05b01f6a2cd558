import type { Logger } from '@nestjs/common';
import { Failure } from '@strata/domain';
import { UnexpectedResponseError } from '@strata/rest-client';

/** The error classes whose messages are ours and contain no values. */
const OUR_OWN = [Failure, UnexpectedResponseError];

/** Logs errors without the data that caused them. */
export function createErrorLogger(logger: Logger): (error: unknown) => void {
  return (error) => {
    const { summary, stack } = describeError(error);
    logger.error(summary, stack);
  };
}

/**
 * Returns the loggable part of an error: its class and stack. Messages of other libraries quote their input, which may
 * be a variable of a request or a value from the core.
 */
function describeError(error: unknown): { readonly summary: string; readonly stack: string } {
  if (!(error instanceof Error))
    return { summary: `Something that is no error was thrown: ${typeof error}`, stack: '' };
  const { name, message, stack = '' } = error;
  const code = 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : '';
  const isOurs = OUR_OWN.some((kind) => error instanceof kind);
  const frames = stack.slice(stack.indexOf(message) + message.length);
  return {
    summary: `${name}${code}${isOurs ? `: ${message}` : ''}`,
    stack: frames
      .split('\n')
      .filter((line) => /^ {4}at /.test(line))
      .join('\n'),
  };
}
