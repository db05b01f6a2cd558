import fs from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { invalid } from './command-error.ts';

/** Prompts for a secret on the terminal without showing it. Prompts are written to standard error. */
export async function promptSecret(question: string): Promise<string> {
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = createInterface({ input: process.stdin, output: hidden, terminal: true, historySize: 0 });
  process.stderr.write(`${question}: `);
  try {
    return await prompt.question('');
  } finally {
    prompt.close();
    process.stderr.write('\n');
  }
}

/** Prompts with a question that the user answers with yes or no. */
export async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw invalid(
      'Nothing was changed: standard input is not a terminal, so you cannot confirm the plan.',
      'Add --yes, or apply the hash of a plan with --plan.',
    );
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await prompt.question(`${question} [y/N] `)).trim());
  } finally {
    prompt.close();
  }
}

/** Reads standard input to its end. */
export const readStdin = (): Promise<string> => text(process.stdin);

/** Reads a file; `-` is standard input. */
export async function readInput(file: string): Promise<string> {
  if (file === '-') return readStdin();
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    throw invalid(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

/** Removes the line break with which files and pipes usually end. */
export const withoutLineEnd = (content: string): string => content.replace(/\r?\n$/, '');
