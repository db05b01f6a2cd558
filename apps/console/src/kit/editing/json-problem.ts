import { jsonLanguage } from '@codemirror/lang-json';
import { VALUE_LENGTH_MAX } from '@strata/domain';
import type { MarkedProblem } from '../../lib/mentions.ts';

/**
 * Returns the first error of a JSON document with its position; null if there is none. The messages of browsers are not used, because they
 * quote the text, and not all of them contain a position.
 */
export function jsonProblem(text: string): MarkedProblem | null {
  try {
    JSON.parse(text);
    return null;
  } catch {
    // A longer text cannot be a value, and to locate its error can take seconds.
    const from = text.length > VALUE_LENGTH_MAX ? null : firstError(text);
    if (from === null) return { from: 0, to: text.length, message: 'This is not valid JSON.' };
    const lines = text.slice(0, from).split('\n');
    const position = `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
    // Other blanks than these are errors.
    const isEnd = /^[ \t\r\n]*$/.test(text.slice(from));
    const message = isEnd ? `The JSON ends too early, at ${position}.` : `This is not valid JSON at ${position}.`;
    return isEnd ? { from: Math.max(0, from - 1), to: from, message } : { from, to: from + 1, message };
  }
}

function firstError(text: string): number | null {
  let position: number | null = null;
  jsonLanguage.parser.parse(text).iterate({
    enter: ({ type, from }) => {
      if (type.isError) position ??= from;
    },
  });
  return position;
}
