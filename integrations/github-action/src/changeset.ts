import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { getInput, getMultilineInput } from '@actions/core';
import { type PrintedPlan, planText, withoutHidden } from '@strata/domain';
import { effectsHash, isComplete } from './effects-hash.ts';
import { StepFailure } from './run-action.ts';
import { parseFailure, type Strata } from './strata.ts';

export interface PlannedChangeset {
  readonly text: string;
  /** Identifies the plan for its account, or the text of the plan of an account that cannot write. Null if it is rejected. */
  readonly hash: string | null;
  readonly isChanged: boolean;
}

/** The exit code of a plan with operations that Strata would reject. */
export const PLAN_REJECTED = 7;
/** What `strata plan --json` prints. */
type PrintedJson = PrintedPlan & { readonly plan_hash: string };

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
  const plan = await readPlan(strata, assumeWrite ? ['--assume-write'] : []);
  const { totals, plan_hash: hash } = plan;
  if (assumeWrite && !isComplete(plan)) throw tooLong();
  const identity = assumeWrite ? effectsHash(plan) : hash;
  return {
    text: withoutHidden(planText(plan).trimEnd(), '\n'),
    hash: totals.refusals > 0 ? null : identity,
    isChanged: totals.effective_changes > 0 || totals.changes > 0,
  };
}

/** Returns the hash of the plan that applies what another account has planned without permission to write. */
export async function hashOfSamePlan(strata: Strata, expected: string): Promise<string | null> {
  const plan = await readPlan(strata);
  return effectsHash(plan) === expected ? plan.plan_hash : null;
}

/** Returns the plan of the changeset of the inputs, which can contain rejected operations. */
async function readPlan(strata: Strata, options: readonly string[] = []): Promise<PrintedJson> {
  const output = await strata.run(['plan', ...changesetArguments(), ...options, '--json']);
  if (output.code !== 0 && output.code !== PLAN_REJECTED) throw parseFailure(output);
  return JSON.parse(output.stdout) as PrintedJson;
}

/** Prints a text of the configuration, in which the runner executes no commands. */
export function printText(text: string): void {
  const end = randomUUID();
  process.stdout.write(`::stop-commands::${end}\n${text}\n::${end}::\n`);
}
