import fs from 'node:fs';
import path from 'node:path';
import { invalid } from './command-error.ts';
import { readTextFile } from './prompt.ts';

/** The settings that a project keeps beside its code. */
export interface ProjectFile {
  readonly file: string;
  readonly url?: string;
  readonly project?: string;
  readonly environment?: string;
}

const NAMES = ['strata.json', '.strata.json'];
const MEMBERS = ['url', 'project', 'environment'];

/** Returns the settings of the first `strata.json` or `.strata.json` in a folder or above it. */
export function projectFile(folder: string): ProjectFile | null {
  const file = NAMES.map((name) => path.join(folder, name)).find((candidate) => fs.existsSync(candidate));
  if (file !== undefined) return { ...parsed(file, readTextFile(file)), file };
  const parent = path.dirname(folder);
  return parent === folder ? null : projectFile(parent);
}

function parsed(file: string, text: string): Omit<ProjectFile, 'file'> {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw invalid(`${file} is not valid JSON.`, 'Correct the file, or remove it.');
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw invalid(`${file} must contain a JSON object.`, `Its members are ${MEMBERS.join(', ')}.`);
  for (const [name, value] of Object.entries(content)) {
    if (name === '$schema') continue;
    // A key that was put here by mistake must not remain in a repository.
    if (!MEMBERS.includes(name))
      throw invalid(
        `${file} has an unknown member "${name}".`,
        `Its members are ${MEMBERS.join(', ')}. Credentials do not belong in it: use \`strata login\` or STRATA_API_KEY.`,
      );
    if (typeof value !== 'string' || value === '') throw invalid(`"${name}" in ${file} must be a text.`);
  }
  return content;
}
