import { styleText } from 'node:util';
import { CommandError } from './errors.ts';
import { toOneLine } from './one-line.ts';

type Style = Parameters<typeof styleText>[0];

/** Returns the text in a colour, unless the stream is no terminal or NO_COLOR is set. */
const styled = (style: Style, text: string, stream: NodeJS.WriteStream): string =>
  (stream.isTTY || process.env.FORCE_COLOR) && !process.env.NO_COLOR
    ? styleText(style, text, { validateStream: false })
    : text;

export const paint = (style: Style, text: string): string => styled(style, text, process.stdout);

export const print = (text: string): void => void process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);

export const printJson = (value: unknown): void => print(JSON.stringify(value, undefined, 2));

/** Prints a remark on standard error, so that it never becomes part of the output that another program reads. */
export const printNote = (text: string): void => void process.stderr.write(`${text}\n`);

/** Returns the text of a value on one line, and shortens it to a maximum length. */
export function shownText(text: string | null | undefined, lengthMax = Number.POSITIVE_INFINITY): string {
  if (text == null) return paint('dim', 'null');
  const line = toOneLine(text);
  return line.length > lengthMax ? `${line.slice(0, lengthMax - 1)}…` : line;
}

/** Prints an error on standard error: what happened, what to do next, and the request id. */
export function printError(error: CommandError, asJson: boolean): void {
  const { hint, requestId, code, pointer, params } = error.details;
  if (asJson) {
    const shape = {
      ...{ message: error.message, exit_code: error.exitCode, code, pointer, params, hint },
      request_id: requestId ?? undefined,
    };
    process.stderr.write(`${JSON.stringify({ error: shape })}\n`);
    return;
  }
  const lines = [error.message, hint, requestId && `Request id: ${requestId}`].filter(Boolean);
  process.stderr.write(`${styled('red', 'Error:', process.stderr)} ${lines.join('\n')}\n`);
}
