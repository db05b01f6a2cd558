import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { getInput, getMultilineInput } from '@actions/core';
import { StepFailure } from './run-action.ts';
import { parseFailure, type Strata } from './strata.ts';
import { textHash } from './text-hash.ts';

export interface PlannedChangeset {
  readonly text: string;
  /** Identifies the plan for its account, or the text of the plan of an account that cannot write. Null if it is rejected. */
  readonly hash: string | null;
  readonly isChanged: boolean;
}

/** The exit code of a plan with operations that Strata would reject. */
export const PLAN_REFUSED = 7;
const PLAN = /^([\s\S]*)\n\nPlan hash (\S+)\n$/;

/** The text of a plan lists at most 1,000 entries of each kind. */
const INCOMPLETE = /^ {2}and \d+ more$/m;

const tooLong = () =>
  new StepFailure(
    'This plan has more entries than its text shows, so its text does not identify it. Split the changeset, or plan with an account that can write.',
  );

/** Returns the arguments for the changeset of the inputs. */
export function changesetArguments(): readonly string[] {
  const files = getMultilineInput('file', { required: true });
  const message = getInput('message');
  return [...files.map((file) => `--file=${file}`), ...(message ? [`--message=${message}`] : [])];
}

/** Returns a digest that distinguishes the changeset of the inputs from others of the same commit. */
export function changesetDigest(): string {
  const files = getMultilineInput('file', { required: true });
  // The command line reports files that cannot be read.
  const texts = files.map((file) => (fs.existsSync(file) ? fs.readFileSync(file, 'base64') : ''));
  const parts = [getInput('project'), getInput('environment'), ...texts];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

/** Returns the name of the plan of this step. */
export function planName(): string {
  const name = getInput('name');
  if (!/^[\w.-]{1,40}$/.test(name))
    throw new StepFailure('The name of a plan has 1 to 40 letters, digits, points, hyphens and underscores.');
  return name;
}

/** Returns what the changeset of the inputs would do, also for an account that cannot write if `assumeWrite`. */
export async function plannedChangeset(strata: Strata, assumeWrite = false): Promise<PlannedChangeset> {
  const { text, hash, isRefused } = await printedPlan(strata, assumeWrite ? ['--assume-write'] : []);
  const isChanged = /^(Effective changes|Changes of objects): /m.test(text);
  if (assumeWrite && INCOMPLETE.test(text)) throw tooLong();
  const identity = assumeWrite ? textHash(text) : hash;
  return { text, hash: isRefused ? null : identity, isChanged };
}

/** Returns the hash of the plan that applies what another account has planned without permission to write. */
export async function hashOfSamePlan(strata: Strata, expected: string): Promise<string | null> {
  const { text, hash } = await printedPlan(strata);
  return textHash(text) === expected ? hash : null;
}

/** Returns the parts of the output of `strata plan` for the changeset of the inputs. */
async function printedPlan(strata: Strata, options: readonly string[] = []) {
  const output = await strata.run(['plan', ...changesetArguments(), ...options]);
  const [, text, hash] = PLAN.exec(output.stdout) ?? [];
  if (text === undefined || hash === undefined) throw parseFailure(output);
  return { text, hash, isRefused: output.code === PLAN_REFUSED };
}

/** Prints a text of the configuration, in which the runner executes no commands. */
export function printText(text: string): void {
  const end = randomUUID();
  process.stdout.write(`::stop-commands::${end}\n${text}\n::${end}::\n`);
}
