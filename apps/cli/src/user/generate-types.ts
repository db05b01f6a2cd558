import fs from 'node:fs';
import { CommandError, EXIT, invalid, unwritable } from './command-error.ts';
import { contextOf, type TargetOptions } from './context.ts';
import { jsonSchema } from './json-schema.ts';
import { note, print } from './output.ts';
import { type ParameterWithCells, readParameters } from './parameters.ts';
import { readInput } from './prompt.ts';
import { type GeneratedParameter, typescriptTypes } from './typescript-types.ts';

interface GenerateOptions extends Omit<TargetOptions, 'environment'> {
  readonly environment?: readonly string[];
  readonly language: 'typescript' | 'json-schema';
  readonly output?: string;
  readonly check?: boolean;
}

/** Prints or writes the types of the parameters of a project, or checks that a file contains them. */
export async function generateTypes({ environment, ...options }: GenerateOptions): Promise<void> {
  const { output, check } = options;
  if (check && output === undefined) throw invalid('--check requires --output.', 'Name the file to compare.');
  const { client, project } = await contextOf(options);
  const { parameters, types } = await readParameters(client, project, environment);
  const generated = parameters.map(
    (parameter): GeneratedParameter => ({ ...parameter, isRequired: hasValues(parameter) }),
  );
  const text =
    options.language === 'typescript'
      ? typescriptTypes(project, generated)
      : `${JSON.stringify(jsonSchema(project, generated, types), undefined, 2)}\n`;
  if (output === undefined) return print(text);
  if (check) return compareWith(output, text);
  write(output, text);
}

/** Whether a parameter has a value in every environment that the caller can read. An explicit null is none. */
const hasValues = ({ cells }: ParameterWithCells): boolean =>
  cells.every(({ states }) => !states.includes('missing') && !states.includes('null'));

async function compareWith(file: string, text: string): Promise<void> {
  const present = fs.existsSync(file) ? await readInput(file) : null;
  // Git can replace line breaks on Windows.
  if (present?.replaceAll('\r\n', '\n') === text) return note(`${file} is current.`);
  throw new CommandError(
    EXIT.checkFailed,
    present === null ? `${file} does not exist.` : `${file} differs from the parameters in Strata.`,
    { hint: 'Run the command again without --check, and commit the file.' },
  );
}

function write(file: string, text: string): void {
  try {
    fs.writeFileSync(file, text);
  } catch (error) {
    throw unwritable(file, error);
  }
}
