import fs from 'node:fs';
import { createInterface, type ReadLineOptions } from 'node:readline/promises';
import { addAbortSignal, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { decodeText } from '@strata/domain';
import { CommandError, EXIT, invalidInputError, requireUtf8 } from './errors.ts';

/** Prompts for a secret on the terminal without showing it. Prompts are written to standard error. */
export async function promptSecret(question: string, signal?: AbortSignal): Promise<string> {
  const hiddenOutput = new Writable({ write: (_chunk, _encoding, done) => done() });
  process.stderr.write(`${question}: `);
  try {
    return await prompted('', { output: hiddenOutput, terminal: true, historySize: 0, ...(signal && { signal }) });
  } finally {
    process.stderr.write('\n');
  }
}

/** Prompts for a text on the terminal. */
export const promptText = async (question: string): Promise<string> =>
  (await prompted(`${question}: `, { output: process.stderr })).trim();

/** Prompts with a question that the user answers with yes or no. */
export async function confirm(
  question: string,
  hint = 'Add --yes, or apply the hash of a plan with --plan.',
): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw invalidInputError('Nothing was changed: standard input is not a terminal, so you cannot confirm this.', hint);
  return /^y(es)?$/i.test((await prompted(`${question} [y/N] `, { output: process.stderr })).trim());
}

async function prompted(question: string, { signal, ...options }: Omit<ReadLineOptions, 'input'>): Promise<string> {
  const prompt = createInterface({ ...options, input: process.stdin });
  try {
    const answer = await (signal ? prompt.question(question, { signal }) : prompt.question(question));
    requireUtf8([answer], 'The input');
    return answer;
  } catch (error) {
    // The user pressed Ctrl+C or Ctrl+D.
    if ((error as Error).name === 'AbortError') throw new CommandError(EXIT.failed, 'Cancelled. Nothing was changed.');
    throw error;
  } finally {
    prompt.close();
  }
}

/** Reads standard input to its end. */
export const readStdin = async (signal?: AbortSignal): Promise<string> =>
  decoded(await buffer(signal ? addAbortSignal(signal, process.stdin) : process.stdin), 'standard input');

/** Reads a file; `-` is standard input. Errors name it by its title, because a credential can be in the place of its path. */
export const readInput = async (file: string, title = file): Promise<string> =>
  file === '-' ? readStdin() : readTextFile(file, title);

/** Reads a file. Throws if it cannot be read, or is not text in UTF-8. */
export function readTextFile(file: string, title = file): string {
  let bytes: Buffer;
  try {
    bytes = fs.readFileSync(file);
  } catch (error) {
    throw invalidInputError(`${title} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  return decoded(bytes, title);
}

function decoded(bytes: Buffer, source: string): string {
  const { text, problem, line } = decodeText(bytes);
  if (text === undefined) throw invalidInputError(`${source}:${line}: ${problem}`);
  return text;
}

/** Removes the line break with which files and pipes usually end. */
export const withoutLineEnd = (content: string): string => content.replace(/\r?\n$/, '');
