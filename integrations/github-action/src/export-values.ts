import fs from 'node:fs';
import path from 'node:path';
import { exportVariable, getInput, getMultilineInput, info, setSecret } from '@actions/core';
import { canRunCode, filterRejectedNames, projectFile, readAcceptedNames, writePrivately } from '@strata/cli';
import { DOTENV_READERS, type DotenvReader, writeEnvFile } from '@strata/domain';
import { listMasks } from './masks.ts';
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
/** Names of variables that a shell accepts, so that it can read a file of them. */
const SHELL_VARIABLE = /^[A-Za-z_]\w*$/;

/** Sets effective values as variables of the next steps, or writes them to a file. */
export async function exportValues(): Promise<void> {
  const file = getInput('dotenv');
  const reader = chosenReader(file);
  const strata = await Strata.connect();
  const values = await strata.json<readonly Value[]>(['list', '--reveal', '--json', '--', ...splitInput('names')]);
  const secrets = values.filter(({ secret }) => secret).map(({ value }) => value ?? '');
  for (const text of secrets.flatMap(listMasks)) setSecret(text);
  const prefix = getInput('prefix');
  assertNames(values.map(({ name }) => `${prefix}${name}`));
  const isWritable = (name: string) => !file || SHELL_VARIABLE.test(`${prefix}${name}`);
  const exported = values.filter(({ name, value }) => value !== null && isWritable(name));
  const variables = exported.map(({ name, value }) => ({ name: `${prefix}${name}`, text: value ?? '' }));
  if (file) writeFile(file, dotenvText(variables, reader));
  else setVariables(variables);
  const where = file ? `written to ${file}` : 'set as variables of the next steps';
  info(`${exported.length} values, ${exported.filter(({ secret }) => secret).length} of them secret, are ${where}.`);
  report(
    'the value is null',
    values.filter(({ value }) => value === null),
  );
  report(
    'shells cannot read the name',
    values.filter(({ name }) => !isWritable(name)),
  );
}

function report(reason: string, omitted: readonly Value[]): void {
  if (omitted.length > 0) info(`Left out, because ${reason}: ${omitted.map(({ name }) => name).join(', ')}`);
}

function chosenReader(file: string): DotenvReader {
  const choice = getInput('dotenv-reader');
  if (choice && !file) throw new StepFailure('dotenv-reader requires the input dotenv.', 2);
  const reader = DOTENV_READERS.find((name) => name === (choice || 'all'));
  if (!reader) throw new StepFailure(`dotenv-reader must be one of ${DOTENV_READERS.join(', ')}.`, 2);
  return reader;
}

/** Returns the file for the chosen reader. */
function dotenvText(variables: readonly Variable[], reader: DotenvReader): string {
  const { body, unwritable } = writeEnvFile(variables, 'dotenv', { reader });
  if (unwritable.length === 0) return body;
  const names = unwritable.join(', ');
  throw new StepFailure(
    reader === 'all'
      ? `Nothing was exported: readers of dotenv files read the values of ${names} differently. Name the program that reads the file in dotenv-reader.`
      : `Nothing was exported: the reader "${reader}" cannot read the values of ${names} from a dotenv file.`,
    2,
  );
}

/** Returns the words of an input. */
const splitInput = (input: string): readonly string[] => getMultilineInput(input).flatMap((line) => line.split(/\s+/));

function assertNames(names: readonly string[]): void {
  const malformed = names.filter((name) => !VARIABLE.test(name));
  if (malformed.length > 0)
    throw new StepFailure(`Not the name of a variable: ${malformed.join(', ')}. Select other parameters with names.`);
  // The commands of this step use the same strata.json.
  const accepted = readAcceptedNames(projectFile(process.cwd()), splitInput('allow-names'));
  const rejected = filterRejectedNames(names, accepted, (name) => canRunCode(name) || RUNNER_NAMES.test(name));
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
