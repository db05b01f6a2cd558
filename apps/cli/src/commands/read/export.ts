import type { DotenvReader } from '@strata/domain';
import { pointInTimeQuery, type ReadOptions, readValues, type ValueWithSource } from '../../api/effective.ts';
import { type Context, loadContext } from '../../core/context.ts';
import { choice, choiceOr, defineCommand, flagOption, textOption } from '../../core/define-command.ts';
import { invalidInputError, unwritableFileError } from '../../core/errors.ts';
import { ALLOW_NAME, MOMENT_OPTIONS, REVEAL, SCOPE_OPTIONS } from '../../core/options.ts';
import { print, printNote } from '../../core/output.ts';
import { writePrivately } from '../../core/private-file.ts';
import { type AcceptedNames, describeRejectedNames, readAcceptedNames } from '../../core/programs/accepted-names.ts';
import { projectFile } from '../../core/project-file.ts';

/** The formats with one line for each variable. */
const TEXT_FORMATS = ['dotenv', 'docker', 'shell'] as const;
type TextFormat = (typeof TEXT_FORMATS)[number];

const FORMATS = [...TEXT_FORMATS, 'json', 'yaml', 'kubernetes'] as const;
/** The readers of `@strata/domain`, which is loaded only by commands that need it. */
const READERS = ['all', 'dotenv', 'node', 'dotenvx', 'sh', 'python-dotenv', 'compose', 'godotenv', 'ruby'] as const;

interface ExportOptions extends ReadOptions {
  readonly format: (typeof FORMATS)[number];
  readonly reader?: DotenvReader;
  readonly template?: string;
  readonly output?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly allowName?: readonly string[];
  readonly masked?: boolean;
}

/** Prints or writes all effective values in a format. */
export const command = defineCommand({
  description: 'print all effective values in a format, or a template',
  options: {
    ...{ ...SCOPE_OPTIONS, ...MOMENT_OPTIONS, allowName: ALLOW_NAME },
    format: choiceOr('dotenv', '--format <format>', 'format of the output', FORMATS, {
      ...{ conflicts: ['template'], earlier: ['-f <format>'] },
    }),
    reader: choice('--reader <name>', 'program that reads the dotenv file (default: all except ruby)', READERS),
    template: textOption('--template <name>', 'print a template of the project instead'),
    output: textOption('-o, --output <file>', 'write a file, which only its owner can read'),
    name: textOption('--name <name>', 'name of the Kubernetes objects (default: the project)'),
    namespace: textOption('--namespace <name>', 'namespace of the Kubernetes objects'),
    reveal: REVEAL,
    masked: flagOption('--masked', 'write ***** in place of each secret', { conflicts: ['reveal'] }),
  },
  examples: ['strata export --format dotenv --output .env', 'strata export --masked --format json'],
  async run(_, options) {
    const content = await exported(await loadContext(options), options);
    if (options.output === undefined) return print(content);
    try {
      writePrivately(options.output, content);
    } catch (error) {
      throw unwritableFileError(options.output, error);
    }
  },
});

async function exported(context: Context, options: ExportOptions): Promise<string> {
  if (options.template !== undefined) return rendered(context, options.template, options);
  const format = options.json ? 'json' : options.format;
  if (options.reader && format !== 'dotenv')
    throw invalidInputError('--reader requires the format "dotenv".', 'Leave it out.');
  const values = await readValues(context, options);
  if (Object.values(values).some(({ secret }) => secret)) requireReveal(options);
  if (isTextFormat(format)) {
    const acceptedNameList = readAcceptedNames(projectFile(process.cwd()), options.allowName);
    return variablesFile(values, format, { accepted: acceptedNameList, reader: options.reader });
  }
  if (format === 'kubernetes') {
    await reportOmitted(
      'the value is null',
      Object.keys(values).filter((name) => values[name]?.value === null),
    );
    const { name = context.project, namespace } = options;
    return (await import('../../render/kubernetes.ts')).kubernetesManifests(values, { name, namespace });
  }
  const texts = textsByName(values);
  if (format === 'json') return `${JSON.stringify(texts, undefined, 2)}\n`;
  return (await import('@strata/domain')).yamlDocument(texts);
}

/** Returns one line for each value whose name can be a variable, and reports the other names. */
async function variablesFile(
  values: Readonly<Record<string, ValueWithSource>>,
  format: TextFormat,
  { accepted, reader = 'all' }: { readonly accepted: AcceptedNames; readonly reader?: DotenvReader | undefined },
): Promise<string> {
  const { exportFile, namesThatCollide } = await import('@strata/domain');
  const { body, omitted } = exportFile(textsByName(values), format, { reader, explicitExport: false });
  const collisions = namesThatCollide(omitted.colliding).map((group) => group.join(' and '));
  if (collisions.length > 0)
    throw invalidInputError(
      `Names that would be the same variable, because the format "${format}" writes them in capitals: ${collisions.join('; ')}.`,
      'Rename one of them, or use the format "json" or "yaml".',
    );
  // Shells and containers make variables of all lines.
  const variables = Object.keys(values).filter((name) => !omitted.invalid.includes(name));
  const rejectionText = describeRejectedNames(variables.map((name) => name.toUpperCase()).sort(), accepted);
  if (rejectionText !== null) throw invalidInputError(rejectionText);
  if (omitted.unwritable.length > 0) throw unwritableValuesError(omitted.unwritable, format, reader);
  await reportOmitted('the name cannot be a variable', omitted.invalid);
  return body;
}

const textsByName = (values: Readonly<Record<string, ValueWithSource>>): Readonly<Record<string, string | null>> =>
  Object.fromEntries(Object.entries(values).map(([name, { value }]) => [name, value]));

async function reportOmitted(reason: string, names: readonly string[]): Promise<void> {
  const { withoutHidden } = await import('@strata/domain');
  if (names.length > 0) printNote(`Left out, because ${reason}: ${withoutHidden(names.toSorted().join(', '))}`);
}

function unwritableValuesError(names: readonly string[], format: TextFormat, reader: DotenvReader): Error {
  if (format === 'docker')
    return invalidInputError(
      `The format "docker" cannot represent line breaks, which are in the values of ${names.join(', ')}.`,
      'Use another format, or `strata run`.',
    );
  return reader === 'all'
    ? invalidInputError(
        `Readers of dotenv files read the values of ${names.join(', ')} differently.`,
        'Name the program that reads the file, such as --reader sh, or use `strata run`.',
      )
    : invalidInputError(
        `The reader "${reader}" cannot read the values of ${names.join(', ')} from a dotenv file.`,
        'Use another format, or `strata run`.',
      );
}

async function rendered(
  { client, project, environment }: Context,
  name: string,
  options: ExportOptions,
): Promise<string> {
  const projectId = { project_pk: await client.projectId(project) };
  const id = await client.requireId('projects_templates_list', name, 'template', projectId);
  const query = { environment, evaluate: true, mask_secrets: !options.reveal, ...pointInTimeQuery(options) };
  const { body, has_secret: hasSecret } = await client.call('projects_templates_retrieve', {
    path: { ...projectId, id },
    query,
  });
  if (hasSecret) requireReveal(options);
  return body ?? '';
}

const isTextFormat = (format: string): format is TextFormat => (TEXT_FORMATS as readonly string[]).includes(format);

/** Throws unless the user has decided what to write in place of secrets. */
function requireReveal({ reveal = false, masked = false }: ExportOptions): void {
  if (!reveal && !masked)
    throw invalidInputError(
      'The configuration contains secrets.',
      'Add --reveal to export them, which the access log of Strata records, or --masked to hide them.',
    );
}
