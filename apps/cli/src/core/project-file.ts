import fs from 'node:fs';
import path from 'node:path';
import { invalidInputError, unwritableFileError } from './errors.ts';
import { isEveryName } from './programs/dangerous-names.ts';
import { readTextFile } from './prompt.ts';

/** The settings that a project keeps beside its code. */
export interface ProjectFile {
  readonly file: string;
  readonly url?: string;
  readonly project?: string;
  readonly environment?: string;
  /** Names and patterns of variables that `strata run` accepts although they can make programs run other code. */
  readonly acceptNames?: readonly string[];
  /** Whether `strata run` accepts no other names. */
  readonly acceptOnly?: boolean;
}

const NAMES = ['strata.json', '.strata.json'];
const TEXTS = ['url', 'project', 'environment'];
const MEMBERS = [...TEXTS, 'acceptNames', 'acceptOnly'];

/** Returns the path of the `strata.json` or `.strata.json` of a folder. */
const pathInFolder = (folder: string): string | undefined =>
  NAMES.map((name) => path.join(folder, name)).find((candidate) => fs.existsSync(candidate));

/** Returns the settings of the first `strata.json` or `.strata.json` in a folder or above it. */
export function projectFile(folder: string): ProjectFile | null {
  const file = pathInFolder(folder);
  if (file !== undefined) return { ...parsed(file, readTextFile(file)), file };
  const parent = path.dirname(folder);
  return parent === folder ? null : projectFile(parent);
}

/**
 * Returns the file for the settings of a folder. Throws if a new one would replace a file above it that protects the names
 * of variables: only the nearest file applies.
 */
export function assertProjectFileWritable(folder: string): string {
  const file = pathInFolder(folder);
  if (file !== undefined) return file;
  const inheritedFile = projectFile(folder);
  if (inheritedFile?.acceptNames === undefined && inheritedFile?.acceptOnly === undefined)
    return path.join(folder, 'strata.json');
  throw invalidInputError(
    `A new strata.json in this folder would replace ${inheritedFile.file}, whose acceptNames and acceptOnly would no longer apply.`,
    'Run `strata setup` in the folder of that file, or first write a strata.json with these members into this folder.',
  );
}

/** Writes settings into a file, and keeps its other members. */
export function writeProjectFile(file: string, settings: Omit<ProjectFile, 'file'>): void {
  const storedFile = fs.existsSync(file) ? parsed(file, readTextFile(file)) : {};
  try {
    fs.writeFileSync(file, `${JSON.stringify({ ...storedFile, ...settings }, undefined, 2)}\n`);
  } catch (error) {
    throw unwritableFileError(file, error);
  }
}

function parsed(file: string, text: string): Omit<ProjectFile, 'file'> {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw invalidInputError(`${file} is not valid JSON.`, 'Correct the file, or remove it.');
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw invalidInputError(`${file} must contain a JSON object.`, `Its members are ${MEMBERS.join(', ')}.`);
  for (const [name, value] of Object.entries(content)) {
    if (name === '$schema') continue;
    // A key that was put here by mistake must not remain in a repository.
    if (!MEMBERS.includes(name))
      throw invalidInputError(
        `${file} has an unknown member "${name}".`,
        `Its members are ${MEMBERS.join(', ')}. Credentials do not belong in it: use \`strata login\` or STRATA_API_KEY.`,
      );
    if (TEXTS.includes(name) && (typeof value !== 'string' || value === ''))
      throw invalidInputError(`"${name}" in ${file} must be a text.`);
  }
  assertNames(file, content);
  return content;
}

function assertNames(file: string, content: { readonly acceptNames?: unknown; readonly acceptOnly?: unknown }): void {
  const { acceptNames = [], acceptOnly = false } = content;
  if (typeof acceptOnly !== 'boolean') throw invalidInputError(`"acceptOnly" in ${file} must be true or false.`);
  if (!Array.isArray(acceptNames) || !acceptNames.every((name) => typeof name === 'string' && name !== ''))
    throw invalidInputError(`"acceptNames" in ${file} must be a list of names.`);
  const everyName = acceptNames.find(isEveryName);
  if (everyName !== undefined)
    throw invalidInputError(
      `"${everyName}" of "acceptNames" in ${file} would permit every name.`,
      'Name the variables, or use a pattern such as JAVA_*.',
    );
}
