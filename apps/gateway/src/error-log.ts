import type { Logger } from '@nestjs/common';
import { Failure } from '@strata/domain';
import { UnexpectedAnswer } from '@strata/rest-client';

/** Whose messages are ours, and name no value. */
const OUR_OWN = [Failure, UnexpectedAnswer];

/** Logs errors, and nothing that they were thrown for. */
export function logTo(logger: Logger): (error: unknown) => void {
  return (error) => {
    const { summary, stack } = describeError(error);
    logger.error(summary, stack);
  };
}

/**
 * What of an error a log may hold: what it is and where it was thrown. Messages of others quote what they failed on, which may
 * be a variable of a request, or a value that the core sent.
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
