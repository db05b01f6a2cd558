import fs from 'node:fs';
import { type ParameterWithCells, readParameters } from '../../api/parameters.ts';
import { loadContext } from '../../core/context.ts';
import { choiceOr, defineCommand, flagOption, listOption, textOption } from '../../core/define-command.ts';
import { CommandError, EXIT, invalidInputError, unwritableFileError } from '../../core/errors.ts';
import { PROJECT_OPTIONS } from '../../core/options.ts';
import { printNote, print } from '../../core/output.ts';
import { readInput } from '../../core/prompt.ts';
import { jsonSchema } from '../../render/json-schema.ts';
import { type GeneratedParameter, typescriptTypes } from '../../render/typescript-types.ts';

/** Prints or writes the types of the parameters of a project, or checks that a file contains them. */
export const command = defineCommand({
  description: 'generate the types of the parameters of a project, in an order that does not change',
  options: {
    ...PROJECT_OPTIONS,
    language: choiceOr('typescript', '--language <language>', 'language of the types', ['typescript', 'json-schema']),
    environment: listOption(
      '-e, --environment <name>',
      'only this environment decides which parameters are optional; repeatable (default: all)',
    ),
    output: textOption('-o, --output <file>', 'write a file'),
    check: flagOption('--check', 'write nothing, and exit with 7 if the file differs'),
  },
  examples: ['strata generate types --output configuration.ts'],
  async run(_, { environment, ...options }) {
    const { output, check } = options;
    if (check && output === undefined) throw invalidInputError('--check requires --output.', 'Name the file to compare.');
    const { client, project } = await loadContext(options);
    const { parameters, types } = await readParameters(client, project, environment);
    const generated = parameters.map(
      (parameter): GeneratedParameter => ({ ...parameter, isRequired: hasValues(parameter) }),
    );
    const content =
      options.language === 'typescript'
        ? typescriptTypes(project, generated)
        : `${JSON.stringify(jsonSchema(project, generated, types), undefined, 2)}\n`;
    if (output === undefined) return print(content);
    if (check) return compareWith(output, content);
    write(output, content);
  },
});

/** Whether a parameter has a value in every environment that the caller can read. An explicit null is none. */
const hasValues = ({ cells }: ParameterWithCells): boolean =>
  cells.every(({ states }) => !states.includes('missing') && !states.includes('null'));

async function compareWith(file: string, text: string): Promise<void> {
  const currentText = fs.existsSync(file) ? await readInput(file) : null;
  // Git can replace line breaks on Windows.
  if (currentText?.replaceAll('\r\n', '\n') === text) return printNote(`${file} is current.`);
  throw new CommandError(
    EXIT.checkFailed,
    currentText === null ? `${file} does not exist.` : `${file} differs from the parameters in Strata.`,
    { hint: 'Run the command again without --check, and commit the file.' },
  );
}

function write(file: string, text: string): void {
  try {
    fs.writeFileSync(file, text);
  } catch (error) {
    throw unwritableFileError(file, error);
  }
}
