import fs from 'node:fs';
import path from 'node:path';
import { createSource, environmentsInName, FILE_FORMATS, type ImportSource, type SourceFormat } from '@strata/import';
import { invalidInputError } from '../../../core/errors.ts';
import { readInput } from '../../../core/prompt.ts';

export interface InputOptions {
  readonly format?: string;
  readonly environment?: string;
}

/** Reads the files of an import. The environment of a source is empty if neither the file nor the user names one. */
export async function readSources(
  files: readonly string[],
  environments: readonly string[],
  options: InputOptions,
): Promise<readonly ImportSource[]> {
  const format = FILE_FORMATS.find((name) => name.toLowerCase() === options.format);
  const importSources = await Promise.all(
    files.map((file) =>
      file !== '-' && isFolder(file)
        ? sourcesIn(file, environments, options, format)
        : readFile(file, environments, options, format),
    ),
  );
  return importSources.flat();
}

async function readFile(
  file: string,
  environments: readonly string[],
  { environment }: InputOptions,
  format: SourceFormat | undefined,
): Promise<readonly ImportSource[]> {
  const name = file === '-' ? null : path.basename(file);
  const source = createSource({ name, text: await readInput(file) }, environments);
  const environmentNames = environmentsInName(name, environments);
  if (environment === undefined && environmentNames.length > 1)
    throw invalidInputError(
      `${file} names several environments: ${environmentNames.join(', ')}.`,
      'Select one of them with --environment.',
    );
  return [
    {
      ...source,
      title: file === '-' ? 'standard input' : file,
      format: format ?? source.format,
      environment: environment ?? environmentNames[0] ?? '',
    },
  ];
}

/**
 * Reads a folder with exports of Vault. The names of folders and files are joined with the names in the files like nested names, and the
 * first one can be an environment.
 */
async function sourcesIn(
  folder: string,
  environments: readonly string[],
  { environment }: InputOptions,
  format: SourceFormat | undefined,
): Promise<readonly ImportSource[]> {
  if (format !== 'Vault')
    throw invalidInputError(`${folder} is a folder.`, 'Name its files. Only --format vault reads folders.');
  const files = fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
  if (files.length === 0) throw invalidInputError(`${folder} contains no file that ends in .json.`);
  return Promise.all(
    files.map(async (file) => {
      const names = path.relative(folder, file).slice(0, -'.json'.length).split(path.sep);
      const [first = '', ...rest] = names;
      const isNamed = environment === undefined && environments.includes(first);
      const source = createSource({ name: null, text: await readInput(file) }, environments);
      const location = isNamed ? { environment: first, path: rest } : { environment: environment ?? '', path: names };
      return { ...source, title: file, format, ...location };
    }),
  );
}

function isFolder(file: string): boolean {
  try {
    return fs.statSync(file).isDirectory();
  } catch {
    return false;
  }
}
