import fs from 'node:fs';
import path from 'node:path';
import { exportVariable, getInput, getMultilineInput, info, setSecret } from '@actions/core';
import { acceptedNames, projectFile, rejectedNames, runsCode, writePrivately } from '@strata/cli';
import { exportBody } from '@strata/domain';
import { masksOf } from './masks.ts';
import { StepFailure } from './run-action.ts';
import { Strata } from './strata.ts';

interface Value {
  readonly name: string;
  readonly value: string | null;
  readonly secret: boolean;
}

interface Variable {
  readonly name: string;
  readonly text: string;
}

/** Variables that control the runner or later steps with Strata. */
const RUNNER_NAMES = /^(CI$|(GITHUB|RUNNER|ACTIONS|INPUT|STRATA)_)/i;
const VARIABLE = /^[A-Za-z_][\w.-]*$/;

/** Sets effective values as variables of the next steps, or writes them to a file. */
export async function exportValues(): Promise<void> {
  const strata = await Strata.connect();
  const values = await strata.json<readonly Value[]>(['list', '--reveal', '--json', '--', ...words('names')]);
  const secrets = values.filter(({ secret }) => secret).map(({ value }) => value ?? '');
  for (const text of secrets.flatMap(masksOf)) setSecret(text);
  const prefix = getInput('prefix');
  assertNames(values.map(({ name }) => `${prefix}${name}`));
  const variables = values.flatMap(({ name, value }) =>
    value === null ? [] : { name: `${prefix}${name}`, text: value },
  );
  const file = getInput('dotenv');
  if (file) writeFile(file, exportBody(variables, 'dotenv'));
  else setVariables(variables);
  const where = file ? `written to ${file}` : 'set as variables of the next steps';
  info(`${variables.length} values, ${secrets.length} of them secret, are ${where}.`);
  const nulls = values.filter(({ value }) => value === null).map(({ name }) => name);
  if (nulls.length > 0) info(`Left out, because the value is null: ${nulls.join(', ')}`);
}

/** Returns the words of an input. */
const words = (input: string): readonly string[] => getMultilineInput(input).flatMap((line) => line.split(/\s+/));

function assertNames(names: readonly string[]): void {
  const malformed = names.filter((name) => !VARIABLE.test(name));
  if (malformed.length > 0)
    throw new StepFailure(`Not the name of a variable: ${malformed.join(', ')}. Select other parameters with names.`);
  // The commands of this step use the same strata.json.
  const accepted = acceptedNames(projectFile(process.cwd()), words('allow-names'));
  const rejected = rejectedNames(names, accepted, (name) => runsCode(name) || RUNNER_NAMES.test(name));
  if (rejected.length === 0) return;
  const reason = accepted.isComplete
    ? 'are not among the names that strata.json accepts'
    : 'can make programs run other code, or control the runner';
  throw new StepFailure(
    `Nothing was exported: ${rejected.join(', ')} ${reason}. To permit a name, add it to allow-names, or to "acceptNames" in strata.json.`,
  );
}

/** Writes a file of the workspace. The repository, whose author may be someone else, can contain symbolic links. */
function writeFile(file: string, text: string): void {
  const workspace = fs.realpathSync(process.env.GITHUB_WORKSPACE ?? '');
  const { dir, base } = path.parse(path.resolve(workspace, file));
  const folder = fs.realpathSync(dir);
  if (folder !== workspace && !folder.startsWith(`${workspace}${path.sep}`))
    throw new StepFailure(`Nothing was exported: ${file} is outside the workspace.`);
  try {
    writePrivately(path.join(folder, base), text, { followsLink: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ELOOP') throw error;
    throw new StepFailure(`Nothing was exported: ${file} is a symbolic link.`);
  }
}

function setVariables(variables: readonly Variable[]): void {
  // Without the file, @actions/core would print the values.
  if (!process.env.GITHUB_ENV) throw new StepFailure('The runner provides no file for variables (GITHUB_ENV).');
  for (const { name, text } of variables) exportVariable(name, text);
}
