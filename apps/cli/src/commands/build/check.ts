import type { MatrixCell } from '@strata/contract';
import { checkText, nearestNames, formatCount } from '@strata/domain';
import { type ReadTarget, readValues } from '../../api/effective.ts';
import { type ParameterWithCells, readParameters, type TypedParameters } from '../../api/parameters.ts';
import { loadContext } from '../../core/context.ts';
import { defineCommand, flagOption, listOption, optionalList } from '../../core/define-command.ts';
import { CommandError, EXIT } from '../../core/errors.ts';
import { PROJECT_OPTIONS } from '../../core/options.ts';
import { toOneLine } from '../../core/one-line.ts';
import { printNote, printJson } from '../../core/output.ts';
import { printTable } from '../../render/table.ts';
import type { NeededNames } from './check/needed-names.ts';

/** The reason why the code cannot use a name in an environment. It never contains a value. */
interface NameProblem {
  readonly environment: string;
  readonly name: string;
  readonly reason: 'missing' | 'null' | 'not_evaluated' | 'invalid' | 'other_type';
  readonly detail: string;
}

type Reason = Pick<NameProblem, 'reason' | 'detail'>;

/** A name with its parameter, if there is one, and its value in an environment. */
interface CheckedName {
  readonly name: string;
  readonly isRequired: boolean;
  readonly parameter: ParameterWithCells | undefined;
  readonly cell: MatrixCell | undefined;
  /** Undefined if there is no value, or if it is a masked secret. */
  readonly text: string | undefined;
}

const NAMES_PER_REQUEST = 500;
const REQUESTS_AT_ONCE = 8;

/** Prints the names that are missing or invalid in the selected environments. */
export const command = defineCommand({
  description: 'list the names that the code needs and that are missing or invalid; exits with 7 if there are any',
  arguments: { names: optionalList('names that must have a value') },
  options: {
    ...PROJECT_OPTIONS,
    file: listOption('-f, --file <file>', 'a dotenv file, or a JSON Schema of `strata generate types`; repeatable', {
      earlier: ['--from <file>'],
    }),
    environment: listOption(
      '-e, --environment <name>',
      'only this environment; repeatable (default: STRATA_ENVIRONMENT, strata.json)',
    ),
    all: flagOption('--all', 'all environments that you may read', {
      ...{ conflicts: ['environment'], earlier: ['--all-environments'] },
    }),
    reveal: flagOption('--reveal', 'validate the texts of secrets too; the access log of Strata records it'),
  },
  examples: ['strata check PORT --all'],
  async run({ names }, options) {
    // The help of all commands loads this file, and these libraries are large.
    const [{ neededNames }, { RE2JS }] = await Promise.all([import('./check/needed-names.ts'), import('re2js')]);
    const matches: PatternTest = (pattern, text) => RE2JS.compile(pattern).matcher(text).lookingAt();
    const needed = await neededNames(names, options.file ?? []);
    const context = await loadContext({ ...options, environment: options.environment?.[0] });
    const selected = options.all ? undefined : (options.environment ?? [context.environment]);
    const { client, project } = context;
    const read = await readParameters(client, project, selected);
    const environments = readable(read.environments);
    const check = async ({ name: environment, at }: (typeof environments)[number]): Promise<readonly NameProblem[]> => {
      const checked = checkedNames(needed, read, at);
      const completed = options.reveal ? await withSecrets({ client, project, environment }, checked) : checked;
      return listProblems(completed, needed, read, matches).map((problem) => ({ environment, ...problem }));
    };
    const problems: NameProblem[] = [];
    for (let at = 0; at < environments.length; at += REQUESTS_AT_ONCE)
      problems.push(...(await Promise.all(environments.slice(at, at + REQUESTS_AT_ONCE).map(check))).flat());
    report(
      problems,
      environments.map(({ name }) => name),
      needed,
      options,
    );
  },
});

function report(
  problems: readonly NameProblem[],
  environments: readonly string[],
  { names }: NeededNames,
  { json }: { readonly json?: boolean },
): void {
  const scope = `${formatCount(names.length, 'name')} in ${formatCount(environments.length, 'environment')}`;
  if (json) printJson({ environments, names, problems });
  else if (problems.length > 0) {
    const rows = problems.map(({ environment, name, detail }) => [environment, toOneLine(name), toOneLine(detail)]);
    printTable(['ENVIRONMENT', 'NAME', 'PROBLEM'], rows);
  } else printNote(`Checked ${scope}: there are no problems.`);
  if (problems.length === 0) return;
  throw new CommandError(EXIT.checkFailed, `Checked ${scope}: ${formatCount(problems.length, 'problem')}.`, {
    hint: '`strata explain <name> --environment <environment>` shows where a value is set.',
  });
}

/** Returns the environments that can be checked, with their position. */
function readable(environments: TypedParameters['environments']) {
  const closed = environments.filter((environment) => environment.closed).map(({ name }) => name);
  if (closed.length === environments.length)
    throw new CommandError(EXIT.forbidden, `You have no access to ${closed.join(', ')}.`);
  if (closed.length > 0) printNote(`Not checked, because you have no access: ${closed.join(', ')}.`);
  return environments
    .map(({ name, closed }, at) => ({ name, closed, at }))
    .filter((environment) => !environment.closed);
}

function checkedNames({ names, required }: NeededNames, { parameters }: TypedParameters, at: number): CheckedName[] {
  const byName = new Map(parameters.map((parameter) => [parameter.name, parameter]));
  return names.map((name) => {
    const parameter = byName.get(name);
    const cell = parameter?.cells[at];
    const text = cell?.states.includes('secret') ? undefined : (cell?.text ?? undefined);
    return { name, isRequired: required.has(name), parameter, cell, text };
  });
}

/** Adds the texts of secrets. */
async function withSecrets(target: ReadTarget, names: readonly CheckedName[]) {
  const secrets = names.filter(({ cell }) => cell?.states.includes('secret') && !cell.problem).map(({ name }) => name);
  const texts = new Map<string, string>();
  for (let at = 0; at < secrets.length; at += NAMES_PER_REQUEST) {
    const values = await readValues(target, { reveal: true }, secrets.slice(at, at + NAMES_PER_REQUEST));
    for (const [name, { value }] of Object.entries(values)) if (value !== null) texts.set(name, value);
  }
  return names.map((checkedName) => ({ ...checkedName, text: checkedName.text ?? texts.get(checkedName.name) }));
}

function listProblems(
  names: readonly CheckedName[],
  { schemas }: NeededNames,
  { parameters }: TypedParameters,
  matches: PatternTest,
) {
  const texts = new Map(names.flatMap(({ name, text }) => (text === undefined ? [] : [[name, text] as const])));
  const rejected = schemas.map((schema) => schema.problems(texts));
  const all = parameters.map(({ name }) => name);
  return names.flatMap((checkedName): readonly Omit<NameProblem, 'environment'>[] => {
    const fundamental = absence(checkedName, all);
    const reasons = fundamental ?? [
      ...violations(checkedName, matches),
      ...schemas.flatMap((schema) => typeProblem(checkedName, schema.findBase(checkedName.name))),
      ...rejected.flatMap((problems) => problems.get(checkedName.name) ?? []).map(invalidBecause),
    ];
    return reasons.map((reason) => ({ name: checkedName.name, ...reason }));
  });
}

/** Returns why there is no text; null if there is one. */
function absence({ name, isRequired, parameter, cell }: CheckedName, all: readonly string[]): readonly Reason[] | null {
  if (cell?.problem !== undefined) return [{ reason: 'not_evaluated', detail: cell.problem }];
  const isMissing = !cell || cell.states.includes('missing');
  if (!isMissing && !cell.states.includes('null')) return null;
  if (!isRequired) return [];
  if (!isMissing) return [{ reason: 'null', detail: 'The value is an explicit null.' }];
  if (parameter) return [{ reason: 'missing', detail: 'There is no value.' }];
  const similar = nearestNames(name, all, 3);
  const hint = similar.length > 0 ? ` Similar: ${similar.join(', ')}.` : '';
  return [{ reason: 'missing', detail: `The project has no such parameter.${hint}` }];
}

function violations({ parameter, text }: CheckedName, matches: PatternTest): readonly Reason[] {
  if (!parameter || text === undefined) return [];
  return checkText(parameter.valueType, text, matches).map(({ message }) => invalidBecause(message));
}

function typeProblem({ parameter }: CheckedName, expected: string | null): readonly Reason[] {
  const base = parameter?.valueType.base;
  if (expected === null || base === expected) return [];
  return [{ reason: 'other_type', detail: `The type is ${base}, and the schema expects ${expected}.` }];
}

const invalidBecause = (detail: string): Reason => ({ reason: 'invalid', detail });

type PatternTest = Parameters<typeof checkText>[2];
