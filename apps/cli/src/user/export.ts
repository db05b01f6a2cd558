import type { Template } from '@strata/contract';
import { type AcceptedNames, acceptedNames, describeRejectedNames } from './accepted-names.ts';
import { invalid, unwritable } from './command-error.ts';
import { type Context, contextOf } from './context.ts';
import { print } from './output.ts';
import { writePrivately } from './private-file.ts';
import { projectFile } from './project-file.ts';
import { momentOf, type ReadOptions, readValues } from './read-commands.ts';

/** The formats with one line for each variable. */
const TEXT_FORMATS = ['dotenv', 'docker', 'shell'] as const;
type TextFormat = (typeof TEXT_FORMATS)[number];

interface ExportOptions extends ReadOptions {
  readonly format: TextFormat | 'json' | 'yaml' | 'kubernetes';
  readonly template?: string;
  readonly output?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly allowName?: readonly string[];
}

/** Prints or writes all effective values in a format. */
export async function exportValues(options: ExportOptions): Promise<void> {
  const text = await exported(await contextOf(options), options);
  if (options.output === undefined) return print(text);
  try {
    writePrivately(options.output, text);
  } catch (error) {
    throw unwritable(options.output, error);
  }
}

async function exported(context: Context, options: ExportOptions): Promise<string> {
  if (options.template !== undefined) return rendered(context, options.template, options);
  const format = options.json ? 'json' : options.format;
  const values = await readValues(context, options);
  if (Object.values(values).some(({ secret }) => secret)) requireReveal(options);
  if (isTextFormat(format)) {
    const accepted = acceptedNames(projectFile(process.cwd()), options.allowName);
    return lines(values, format, accepted);
  }
  if (format === 'kubernetes') {
    const { name = context.project, namespace } = options;
    return (await import('./kubernetes.ts')).kubernetesManifests(values, { name, namespace });
  }
  const texts = Object.fromEntries(Object.entries(values).map(([key, { value }]) => [key, value]));
  if (format === 'json') return `${JSON.stringify(texts, undefined, 2)}\n`;
  return (await import('@strata/domain')).yamlDocument(texts);
}

/** Returns one line for each value whose name can be a variable. */
async function lines(
  values: Readonly<Record<string, { readonly value: string | null }>>,
  format: TextFormat,
  accepted: AcceptedNames,
) {
  const { exportBody, exportName } = await import('@strata/domain');
  const found = Object.entries(values)
    .map(([name, { value: text }]) => ({ name: exportName(name), text }))
    .filter((line): line is { name: string; text: string | null } => line.name !== null)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  // Shells and containers make variables of all lines.
  const rejected = describeRejectedNames(
    found.map(({ name }) => name),
    accepted,
  );
  if (rejected !== null) throw invalid(rejected);
  // The second line of a text would be another variable, with any name.
  const broken = format === 'docker' && found.find(({ text }) => /[\r\n]/.test(text ?? ''));
  if (broken)
    throw invalid(
      `${broken.name} contains a line break, which the format "docker" cannot represent.`,
      'Use another format, or `strata run`.',
    );
  return exportBody(found, format);
}

async function rendered(
  { client, project, environment }: Context,
  name: string,
  options: ReadOptions,
): Promise<string> {
  const path = `projects/${await client.projectId(project)}/templates/`;
  const { id } = await client.named<Template>(path, name, 'template');
  const query = { environment, evaluate: true, mask_secrets: !options.reveal, ...momentOf(options) };
  const { body, has_secret: hasSecret } = await client.get<Template>(`${path}${id}/`, query);
  if (hasSecret) requireReveal(options);
  return body ?? '';
}

const isTextFormat = (format: string): format is TextFormat => (TEXT_FORMATS as readonly string[]).includes(format);

/** Masked secrets would make every format useless for a program. */
function requireReveal({ reveal = false }: ReadOptions): void {
  if (!reveal)
    throw invalid(
      'The configuration contains secrets.',
      'Add --reveal to export them. The access log of Strata then records it.',
    );
}
