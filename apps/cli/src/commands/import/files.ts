import path from 'node:path';
import { formatCount } from '@strata/domain';
import {
  type EnvLine,
  type ExistingName,
  FILE_FORMATS,
  filterResolvable,
  findProposedSecrets,
  type ImportLine,
  type ImportPart,
  importLines,
  lineReferences,
  listImportedValues,
  loadStructured,
  SEPARATORS,
  type Separator,
  secretReason,
  splitParts,
  type TextReferences,
} from '@strata/import';
import { readAllPages } from '@strata/rest-client';
import { importClient } from '../../api/import-client.ts';
import type { Client } from '../../core/client.ts';
import { type Context, loadContext } from '../../core/context.ts';
import {
  choice,
  choiceOr,
  defineCommand,
  flagOption,
  listOption,
  requiredList,
  textOption,
} from '../../core/define-command.ts';
import { CommandError, EXIT, invalidInputError } from '../../core/errors.ts';
import { namesHint, unknownNameError } from '../../core/not-found.ts';
import { toOneLine } from '../../core/one-line.ts';
import { DRY_RUN, MESSAGE_OPTIONS, PLAN_HASH, SCOPE_OPTIONS, YES } from '../../core/options.ts';
import { print, printJson, printNote } from '../../core/output.ts';
import { describeChangeset } from '../../core/read-changeset.ts';
import { applyPlanned, printApplied, printPlan } from '../../render/plan.ts';
import { tableText } from '../../render/table.ts';
import { readSources } from './files/import-sources.ts';

/** Imports files into the selected project, as one changeset. */
export const command = defineCommand({
  usage: '[options] <files...>',
  description:
    'import files as one changeset, after a confirmation of the plan; those that name no environment require --environment',
  arguments: {
    files: requiredList(
      'dotenv, JSON or YAML, or exports of Vault, Doppler or Infisical; folders with --format vault; - is standard input',
    ),
  },
  options: {
    ...SCOPE_OPTIONS,
    format: choice(
      '--format <format>',
      'format of the files (default: guessed from their names and contents)',
      FILE_FORMATS.map((format) => format.toLowerCase()),
    ),
    separator: choiceOr<Separator>('_', '--separator <text>', 'joins nested names', SEPARATORS),
    secret: listOption('--secret <name>', 'the created parameter is secret; repeatable'),
    plain: listOption('--plain <name>', 'the created parameter is not secret, although it looks like one; repeatable'),
    plainAll: flagOption('--plain-all', 'only parameters of --secret are created as secret'),
    resolveReferences: flagOption(
      '--resolve-references',
      'evaluate references such as {{ HOST }} instead of storing them as text',
    ),
    createProject: flagOption('--create-project', 'create the project if it does not exist'),
    skipInvalid: flagOption('--skip-invalid', 'import the other lines if some are invalid'),
    ...MESSAGE_OPTIONS,
    message: textOption('-m, --message <text>', 'message of the changeset (default: the names of the files)'),
    ...{ dryRun: DRY_RUN, plan: PLAN_HASH, yes: YES },
  },
  examples: ["echo 'LEVEL=debug' | strata import - --environment production --yes"],
  async run({ files }, options) {
    const context = await loadContext(options);
    const { client, project } = context;
    const environments = [...(await importClient(client).environments()).keys()];
    const importSources = await readSources(files, environments, options);
    const structuredReader = await loadStructured();
    const splitResult = splitParts(importSources, {
      separator: options.separator,
      environments,
      structured: structuredReader,
    });
    const parts = inEnvironments(splitResult, environments, context, { files, environmentOption: options.environment });
    requireValid(parts, options);
    const projectId = await findProjectId(client, project, options);
    const targets = projectId === null ? new Map<string, ExistingName>() : await readTargets(client, projectId, parts);
    const { secrets, resolved } = decideSecrets(parts, targets, options);
    const lines = importLines(parts, { targets, secrets, resolved });
    requireSecret(lines, secrets, options);
    requireOneValue(parts, lines);
    const values = listImportedValues(parts, lines);
    if (!options.json) printNote(summary(parts, lines));
    if (values.length === 0) return finishUnchanged(options);
    const target = projectId === null ? { $ref: 'project' } : project;
    const body = {
      ...describeChangeset(options),
      message: options.message ?? `Import of ${files.map(shownName).join(', ')}`.slice(0, MESSAGE_MAX),
      operations: [
        ...(projectId === null ? [{ operation: 'projects_create', as: 'project', body: { name: project } }] : []),
        ...values.map(({ environment, values }) => ({
          set: { project: target, environment, create_missing: true, values },
        })),
      ],
    };
    if (options.dryRun) return printPlan(client, { body }, options);
    printApplied(await applyPlanned(client, { body }, options), options);
  },
});

interface FileOptions {
  readonly secret?: readonly string[];
  readonly plain?: readonly string[];
  readonly plainAll?: boolean;
  readonly resolveReferences?: boolean;
  readonly createProject?: boolean;
  readonly skipInvalid?: boolean;
  readonly json?: boolean;
}

/** Returns the name of a file without its folders, which others need not know. */
const shownName = (file: string): string => (file === '-' ? 'standard input' : path.basename(file));

/** The maximum length of the message of a changeset. */
const MESSAGE_MAX = 1_000;

/** Matches a single file whose path cannot mean an environment. */
const OF_SELECTED = /^(-|\.?env)$/;

/**
 * Returns the parts with the environments that the files name or the user has selected. The path of a file can mean an
 * environment that does not exist, so such a file is not imported into the one of STRATA_ENVIRONMENT or strata.json.
 */
function inEnvironments(
  parts: readonly ImportPart[],
  environments: readonly string[],
  context: Context,
  { files, environmentOption }: { readonly files: readonly string[]; readonly environmentOption: string | undefined },
): readonly ImportPart[] {
  const usesSelected = files.length === 1 && OF_SELECTED.test(path.normalize(files[0] ?? ''));
  return parts.map((part) => {
    const names = part.isOwn || part.environment !== '';
    if (part.isOwn && environmentOption !== undefined)
      throw invalidInputError(`${part.source.title} names its environments.`, 'Remove --environment.');
    if (!names && !(usesSelected && part.source.path === undefined)) {
      const title = part.source.title;
      if (part.otherKeys.length > 0)
        throw invalidInputError(
          `${title} names environments, but also other keys: ${part.otherKeys.slice(0, KEYS_MAX).map(toOneLine).join(', ')}.`,
          'Remove them, create environments with these names, or add --environment to import all keys into one environment.',
        );
      throw invalidInputError(
        `${title} names no environment.`,
        `Add --environment. ${namesHint('environment', title, environments)}`,
      );
    }
    const environment = names ? part.environment : context.environment;
    if (environments.includes(environment)) return { ...part, environment };
    throw unknownNameError('environment', environment, environments);
  });
}

/** How many keys an error lists. */
const KEYS_MAX = 10;

const PROBLEMS_MAX = 20;

/** Returns the first problems as lines, and how many there are more. */
function listFirst(problems: readonly string[]): string {
  const moreProblems = problems.length - PROBLEMS_MAX;
  return [...problems.slice(0, PROBLEMS_MAX), ...(moreProblems > 0 ? [`… and ${moreProblems} more`] : [])].join('\n');
}

/** Throws if a line cannot be imported. Lists the lines that contain nothing to import. */
function requireValid(parts: readonly ImportPart[], { skipInvalid = false }: FileOptions): void {
  const skippedLines = parts.flatMap(({ source, preview }) =>
    preview.skipped.map(({ line, message }) => toOneLine(`${source.title}:${line}: ${message}`)),
  );
  if (skippedLines.length > 0) printNote(`Skipped:\n${listFirst(skippedLines)}`);
  const problems = parts.flatMap(({ source, preview }) =>
    preview.problems.map(({ line, message }) => toOneLine(`${source.title}:${line}: ${message}`)),
  );
  if (problems.length === 0) return;
  const listedProblems = listFirst(problems);
  if (!skipInvalid)
    throw invalidInputError(
      `Some lines cannot be imported:\n${listedProblems}`,
      'Correct them, or add --skip-invalid.',
    );
  printNote(`Lines that are not imported:\n${listedProblems}`);
}

/** Returns the id of the project; null if the import creates it. */
async function findProjectId(client: Client, name: string, { createProject = false }: FileOptions) {
  if (!createProject) return client.projectId(name);
  return client.findId('projects_list', name);
}

/** Returns the parameters of a project with their values in the environments of the parts. */
async function readTargets(
  client: Client,
  projectId: string,
  parts: readonly ImportPart[],
): Promise<ReadonlyMap<string, ExistingName>> {
  const targets = new Map<string, ExistingName>();
  const environment = { repeated: [...new Set(parts.map((part) => part.environment))] };
  if (environment.repeated.length === 0) return targets;
  const request = { path: { project_pk: projectId }, query: { environment } };
  const pages = await readAllPages(client, 'projects_matrix_list', request);
  for (const { environments, results } of pages)
    for (const { name, secret, project_id, cells } of results) {
      const stateRows = cells.map(
        ({ states, text, raw, ledger_id: ledgerId }, at) =>
          [environments[at]?.name ?? '', { states, text, raw, ledgerId }] as const,
      );
      targets.set(name, { secret, isOwn: project_id === projectId, cells: new Map(stateRows) });
    }
  return targets;
}

/**
 * Returns the names that are secret if they are created, which are those that look like secrets as far as no option says otherwise, and the
 * lines whose references are resolved. Reports lines whose references stay text.
 */
function decideSecrets(
  parts: readonly ImportPart[],
  targets: ReadonlyMap<string, ExistingName>,
  { secret = [], plain = [], plainAll = false, resolveReferences = false }: FileOptions,
) {
  const names = new Set(parts.flatMap(({ preview }) => preview.importable.map(({ name }) => name)));
  for (const name of [...secret, ...plain])
    if (!names.has(name))
      throw invalidInputError(`No file contains the name "${name}".`, 'Correct --secret or --plain.');
  for (const name of plain)
    if (secret.includes(name)) throw invalidInputError(`"${name}" cannot be both --secret and --plain.`);
  const notSecret = plainAll ? names : plain;
  const secretChoices = new Map([...notSecret].map((name) => [name, false]));
  for (const name of secret) secretChoices.set(name, true);
  const references = lineReferences(parts, { targets, secretChoices });
  const resolvedReferences = resolveReferences ? filterResolvable(references) : new Map();
  reportReferences(parts, references, resolveReferences);
  return { secrets: findProposedSecrets(parts, resolvedReferences, secretChoices), resolved: resolvedReferences };
}

/** Reports the lines whose references stay text. */
function reportReferences(
  parts: readonly ImportPart[],
  references: ReadonlyMap<EnvLine, TextReferences>,
  resolveReferences: boolean,
): void {
  const literal = parts.flatMap(({ source, preview }) =>
    preview.importable.flatMap((line) => {
      const reference = references.get(line);
      if (!reference || (resolveReferences && reference.problem === null)) return [];
      const reason = reference.problem ?? `It refers to ${reference.names.join(', ')}.`;
      return toOneLine(`${source.title}:${line.line}: ${line.name}. ${reason}`);
    }),
  );
  if (literal.length === 0) return;
  const hint =
    filterResolvable(references).size > 0 && !resolveReferences ? '\nAdd --resolve-references to evaluate them.' : '';
  printNote(`References that are stored as text:\n${listFirst(literal)}${hint}`);
}

/** Throws if a secret would become the value of a parameter that exists and is not secret. */
function requireSecret(
  lines: readonly (readonly ImportLine[])[],
  secrets: ReadonlySet<string>,
  { secret = [] }: FileOptions,
): void {
  const exposed = lines.flat().filter(({ line, isNew, isSecret }) => {
    const isKnown = secret.includes(line.name) || line.looks === 'secret_store';
    return !isNew && !isSecret && secrets.has(line.name) && isKnown;
  });
  if (exposed.length === 0) return;
  const names = [...new Set(exposed.map(({ line }) => toOneLine(line.name)))].join(', ');
  throw new CommandError(
    EXIT.checkFailed,
    `These parameters exist and are not secret: ${names}. Nothing was changed.`,
    {
      hint: 'Add --plain for those that need not be secret. Delete the others in Strata, or rename them in the file.',
    },
  );
}

/** Throws if several files contain different secrets of one name. The last one would replace the others. */
function requireOneValue(parts: readonly ImportPart[], lines: readonly (readonly ImportLine[])[]): void {
  const replacedParts = parts.flatMap(({ source }, at) =>
    (lines[at] ?? [])
      .filter(({ effect, line }) => effect === 'replaced' && line.looks === 'secret_store')
      .map(({ line }) => toOneLine(`${source.title}:${line.line}: ${line.name}`)),
  );
  if (replacedParts.length === 0) return;
  throw invalidInputError(
    `Several files contain these names:\n${listFirst(replacedParts)}`,
    'Import one of the files into another project or environment, or rename the secrets.',
  );
}

const ROWS_MAX = 200;

/** Returns what the import does with each line, by names. */
function summary(parts: readonly ImportPart[], lines: readonly (readonly ImportLine[])[]): string {
  const rows = parts.flatMap(({ environment }, at) =>
    (lines[at] ?? []).map((line) => [
      toOneLine(line.line.name),
      toOneLine(environment),
      describeEffect(line),
      describeSecrecy(line),
    ]),
  );
  const moreRows = rows.length - ROWS_MAX;
  return [
    tableText(['NAME', 'ENVIRONMENT', 'EFFECT', 'SECRET'], rows.slice(0, ROWS_MAX)),
    ...(moreRows > 0 ? [`… and ${formatCount(moreRows, 'line')} more`] : []),
    totals(lines.flat()),
    '',
  ].join('\n');
}

/** Returns the number of new parameters, because a long list is shortened. */
function totals(lines: readonly ImportLine[]): string {
  const createdNames = new Map(lines.filter(({ isNew }) => isNew).map(({ line, isSecret }) => [line.name, isSecret]));
  const secret = [...createdNames.values()].filter(Boolean).length;
  return `To create: ${formatCount(createdNames.size, 'parameter')}, of which ${secret} secret`;
}

function describeEffect({ effect, isNew, current, dynamicText }: ImportLine): string {
  if (effect === 'replaced') return 'replaced by a later line or file';
  const suffix = dynamicText === null ? '' : ' with references';
  if (effect === 'same') return 'unchanged';
  if (isNew) return `new parameter${suffix}`;
  if (effect === 'changed') return `changed${suffix}`;
  return `${current?.states.includes('own') ? 'set again' : 'set'}${suffix}`;
}

function describeSecrecy({ line, isNew, isSecret }: ImportLine): string {
  if (!isSecret) return line.looks === null || isNew ? 'no' : 'no, although it looks like one';
  return isNew && line.looks !== null ? `yes: ${secretReason(line.looks)}` : 'yes';
}

function finishUnchanged({ json }: FileOptions): void {
  if (json) printJson({ revision: null, changed: false, changes: [] });
  else print('Nothing to import: all values exist.');
}
