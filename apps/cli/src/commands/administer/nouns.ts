// The commands that list, create, change and delete the objects of each noun of the contract.
import { describeExpiry, proposedExpiry } from '../../api/key-expiry.ts';
import type { Noun, NounMember } from '../../api/noun.ts';
import { invalidJsonError, NounObjects, type NounRow, readMemberAt } from '../../api/noun-objects.ts';
import { NOUNS } from '../../api/nouns.ts';
import { type Context, loadContext, type TargetOptions } from '../../core/context.ts';
import {
  type CommandDefinition,
  choice,
  choices,
  defineCommand,
  flagOption,
  listOption,
  requiredArgument,
  textOption,
  wholeNumber,
} from '../../core/define-command.ts';
import { CommandError, EXIT, invalidInputError } from '../../core/errors.ts';
import { maskTexts } from '../../core/names-only.ts';
import { toOneLine } from '../../core/one-line.ts';
import { PROJECT_OPTIONS, SCOPE_OPTIONS, URL_OPTIONS } from '../../core/options.ts';
import { print, printJson, printNote, shownText } from '../../core/output.ts';
import { confirm, readInput, withoutLineEnd } from '../../core/prompt.ts';
import { applyPlanned, printApplied } from '../../render/plan.ts';
import { printTable } from '../../render/table.ts';

type Texts = Readonly<Record<string, unknown>>;
type Definitions = NonNullable<CommandDefinition['options']>;

const LENGTH_MAX = 50;
const NUMBER_MAX = 9_999_999;
const HINT = 'Add --yes to delete it without a confirmation.';
const HINTS = { recently_read: 'Stop the program that reads it, or add --force.' };

/** Returns the commands of all nouns by name, such as `project list`. */
export const nounCommands = (): Readonly<Record<string, CommandDefinition>> =>
  Object.assign({}, ...NOUNS.map(commandsFor));

/** Returns the descriptions of the words that group these commands. */
export const nounDescriptions = (): Readonly<Record<string, string>> =>
  Object.fromEntries(NOUNS.map(({ word, plural }) => [word, `list, create, change and delete ${plural}`]));

function commandsFor(noun: Noun): Readonly<Record<string, CommandDefinition>> {
  const { word, create, change, canDelete } = noun;
  return {
    [`${word} list`]: listCommand(noun),
    ...(create && { [`${word} create`]: createCommand(noun, create) }),
    ...(change && { [`${word} change`]: changeCommand(noun, change) }),
    ...(canDelete && { [`${word} delete`]: deleteCommand(noun) }),
  };
}

const listCommand = (noun: Noun): CommandDefinition =>
  defineCommand({
    description: `list ${noun.plural}`,
    examples: [`strata ${noun.word} list`],
    options: {
      ...targetOptions(noun),
      limit: wholeNumber('--limit <number>', 'maximum number of rows (default: all)', 100_000),
    },
    async run(_, options) {
      const { rows, isComplete } = await (await loadObjects(noun, options)).list(options.limit);
      if (!isComplete) printNote(`Only the first ${rows.length} are shown. Use --limit for more.`);
      if (options.json) return printJson(rows.map(describeRow));
      if (rows.length === 0) return printNote(`There are no ${noun.plural}.`);
      const columns = [...noun.by, ...noun.columns];
      const headings = columns.map((column) => column.replace(/.*\./, '').replaceAll('_', ' ').toUpperCase());
      printTable(
        headings,
        rows.map((row) => columns.map((column) => cellText(readMemberAt(row, column)))),
      );
    },
  });

const createCommand = (noun: Noun, members: readonly NounMember[]): CommandDefinition =>
  defineCommand({
    description: `create ${noun.withArticle}`,
    arguments: namingArguments(noun),
    options: { ...targetOptions(noun), ...requiredOptions(members.filter((member) => !isNaming(noun, member))) },
    async run(names: Texts, options: TargetOptions & Texts) {
      const objects = await loadObjects(noun, options);
      const values = { ...(await readMemberValues(members, options)), ...proposedValues(noun, options) };
      const row = await objects.create({ ...names, ...values });
      const expiry = describeExpiry(noun.word === KEY_HOLDER ? String(values.expire_at || '') || null : null);
      if (expiry !== null) printNote(expiry);
      printWritten('Created', noun, row, options);
    },
  });

/** The noun whose objects get a key when they are created. */
const KEY_HOLDER = 'service-account';

/** Returns what is proposed for options that are not set: keys expire, unless `--expire-at` is empty. */
const proposedValues = ({ word }: Noun, { expireAt }: Texts): Texts =>
  word === KEY_HOLDER && expireAt === undefined ? { expire_at: proposedExpiry() } : {};

const changeCommand = (noun: Noun, members: readonly NounMember[]): CommandDefinition =>
  defineCommand({
    description: `change ${noun.withArticle}`,
    arguments: namingArguments(noun),
    options: { ...targetOptions(noun), ...memberOptions(members) },
    async run(names: Texts, options: TargetOptions & Texts) {
      const values = await readMemberValues(members, options);
      if (Object.keys(values).length === 0)
        throw invalidInputError(
          'There is nothing to change.',
          `\`strata help ${noun.word}\` lists the commands and their options.`,
        );
      const objects = await loadObjects(noun, options);
      printWritten('Changed', noun, await objects.change(await objects.find(listTexts(names)), values), options);
    },
  });

const deleteCommand = (noun: Noun): CommandDefinition =>
  defineCommand({
    description: `delete ${noun.withArticle}, after a confirmation${noun.isPlanned ? ' of the plan' : ''}`,
    arguments: namingArguments(noun),
    options: {
      ...targetOptions(noun),
      ...(noun.isReadProtected && {
        force: flagOption('--force', 'delete it although a program has read it recently'),
      }),
      yes: flagOption('-y, --yes', 'delete without a confirmation'),
    },
    async run(names: Texts, options: TargetOptions & { readonly yes?: boolean; readonly force?: boolean }) {
      const context = await loadContext(options);
      const objects = await objectsWithin(context, noun);
      const row = await objects.find(listTexts(names));
      const { yes = false, json } = options;
      if (noun.isPlanned) {
        const body = { operations: [objects.deletion(row)], force: options.force ?? false };
        return printApplied(await applyPlanned(context.client, { body }, { yes, hint: HINT, hints: HINTS }), options);
      }
      const title = objectTitle(noun, row);
      if (!yes && !(await confirm(`Delete ${title}?`, HINT)))
        throw new CommandError(EXIT.failed, 'Nothing was changed.');
      await objects.delete(row);
      if (json) printJson({ deleted: describeRow(row) });
      else print(`Deleted ${title}.`);
    },
  });

const TARGETS: Readonly<Record<string, typeof URL_OPTIONS>> = {
  project_pk: PROJECT_OPTIONS,
  environment_pk: { ...URL_OPTIONS, ...{ environment: SCOPE_OPTIONS.environment } },
};

/** Returns the options that select an installation, and the parent of the objects. */
const targetOptions = ({ parents: [parent = ''] }: Noun): typeof URL_OPTIONS => TARGETS[parent] ?? URL_OPTIONS;

const loadObjects = async (noun: Noun, options: TargetOptions): Promise<NounObjects> =>
  objectsWithin(await loadContext(options), noun);

async function objectsWithin(context: Context, noun: Noun): Promise<NounObjects> {
  const ids: Record<string, string> = {};
  if (noun.parents.includes('project_pk')) ids.project_pk = await context.client.projectId(context.project);
  if (noun.parents.includes('environment_pk'))
    ids.environment_pk = await context.client.environmentId(context.environment);
  return new NounObjects(context.client, noun, ids);
}

/** Returns the last part of a path such as `user.name`, which is the name of the member in bodies. */
const memberName = (path: string): string => path.split('.').at(-1) ?? '';

const isNaming = ({ by }: Noun, { name }: NounMember): boolean => by.some((path) => memberName(path) === name);

/** Returns the arguments that identify an object. */
const namingArguments = ({ by, create = [], links, withArticle }: Noun): NonNullable<CommandDefinition['arguments']> =>
  Object.fromEntries(
    by.map(memberName).map((name) => {
      const description = create.find((member) => member.name === name)?.description ?? name;
      return [name, requiredArgument(name in links ? description : `${name} of ${withArticle}`)];
    }),
  );

const listTexts = (names: Texts): readonly string[] => Object.values(names).map(String);

const camel = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The name of the option of a member. Options that can be repeated are in the singular. */
const optionName = ({ name, kind, isCredential }: NounMember): string => {
  const singular = kind === 'list' ? name.replace(/s$/, '') : name;
  return isCredential ? `${singular}_file` : singular;
};

const memberOptions = (members: readonly NounMember[]): Definitions =>
  Object.fromEntries(members.map((member) => [camel(optionName(member)), memberOption(member)]));

/** Returns the options of a creation, of which some are required. */
const requiredOptions = (members: readonly NounMember[]): Definitions =>
  Object.fromEntries(
    members.map((member) => {
      const { isRequired = false } = member;
      return [camel(optionName(member)), { ...memberOption(member), isRequired }];
    }),
  );

function memberOption(member: NounMember): Definitions[string] {
  const { description, kind, choices: allowedChoices, isNullable = false } = member;
  const longOption = `--${optionName(member).replaceAll('_', '-')}`;
  const isRemovable = isNullable && kind !== 'json' && !description.includes('an empty text');
  const helpText = isRemovable ? `${description}; an empty text removes it` : description;
  if (member.isCredential)
    return textOption(`${longOption} <file>`, `${description} (a file, or - for standard input)`);
  if (kind === 'flag') return flagOption(longOption, description, { negated: `the opposite of ${longOption}` });
  if (kind === 'number') return wholeNumber(`${longOption} <number>`, helpText, NUMBER_MAX, { canBeEmpty: isNullable });
  if (kind === 'list' && allowedChoices)
    return choices(`${longOption} <name>`, `${helpText}; repeatable`, allowedChoices);
  if (kind === 'list') return listOption(`${longOption} <name>`, `${helpText}; repeatable`);
  if (allowedChoices) return choice(`${longOption} <name>`, helpText, allowedChoices);
  return textOption(`${longOption} <${kind === 'json' ? 'json' : 'text'}>`, helpText);
}

/** Returns the values of the options by the names of the members. */
async function readMemberValues(members: readonly NounMember[], options: Texts): Promise<Texts> {
  const values: Record<string, unknown> = {};
  for (const member of members) {
    const value = options[camel(optionName(member))];
    if (value !== undefined) values[member.name] = await memberValue(member, value);
  }
  return values;
}

async function memberValue(member: NounMember, value: unknown): Promise<unknown> {
  const flagName = `--${optionName(member).replaceAll('_', '-')}`;
  if (member.isCredential) return withoutLineEnd(await readInput(String(value), `The file of ${flagName}`));
  if (member.kind !== 'json') return value;
  try {
    return JSON.parse(String(value)) as unknown;
  } catch {
    throw invalidJsonError(flagName);
  }
}

/** Prints an object that was created or changed. A key that is shown once is the only text on standard output. */
/** Returns a title such as `the organization acme`. The row may have been found by its id. */
const objectTitle = (noun: Noun, row: NounRow): string =>
  `the ${noun.singular} ${toOneLine(noun.by.map((path) => String(readMemberAt(row, path))).join(' '))}`;

function printWritten(verb: string, noun: Noun, row: NounRow, { json }: TargetOptions): void {
  const sentence = `${verb} ${objectTitle(noun, row)}.`;
  const [secret] = noun.shownOnce.map((member) => row[member]).filter((value) => typeof value === 'string');
  if (json) printJson(describeRow(row));
  else if (secret === undefined) print(sentence);
  else {
    printNote(`${sentence} Strata shows this only once:`);
    print(secret);
  }
}

/** Returns an object as JSON output shows it. Its id is the only one, for settings such as STRATA_SERVICE_ACCOUNT. */
const describeRow = ({ id, ...row }: NounRow): object => ({ id, ...(maskTexts(row) as object) });

function cellText(value: unknown): string {
  if (Array.isArray(value)) return toOneLine(value.map(String).join(', '));
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value == null ? '' : shownText(String(value), LENGTH_MAX);
}
