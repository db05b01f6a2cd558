// A command is data: its description, arguments, options and examples, and the function that runs it. The types of the
// parameters of that function follow from the data.
import { type Command, InvalidArgumentError, Option } from 'commander';

interface ArgumentDefinition<Value = unknown> {
  readonly syntax: (name: string) => string;
  readonly description: string;
  /** Carries the type, and has no value. */
  readonly type?: Value;
}

interface OptionSettings {
  readonly choices?: readonly string[];
  readonly default?: unknown;
  /** The keys of options that exclude this one. */
  readonly conflicts?: readonly string[];
  readonly isRequired?: boolean;
  readonly parse?: (text: string, previous: never) => unknown;
  /** The description of the same option with `--no-`. */
  readonly negated?: string;
  /** Earlier spellings, which keep working. The help does not show them. */
  readonly earlier?: readonly string[];
}

interface OptionDefinition<Value = unknown> extends OptionSettings {
  readonly flags: string;
  readonly description: string;
  /** Carries the type, and has no value. */
  readonly type?: Value;
}

type Arguments = Readonly<Record<string, ArgumentDefinition>>;
type Options = Readonly<Record<string, OptionDefinition>>;

type ValueOf<Definition> = Definition extends { readonly type?: infer Value } ? Value : never;
type OptionalKey<Definitions> = {
  [Key in keyof Definitions]: undefined extends ValueOf<Definitions[Key]> ? Key : never;
}[keyof Definitions];

/** The values that a command line gives to arguments or options. */
export type OptionValues<Definitions> = {
  readonly [Key in OptionalKey<Definitions>]?: Exclude<ValueOf<Definitions[Key]>, undefined>;
} & {
  readonly [Key in Exclude<keyof Definitions, OptionalKey<Definitions>>]: ValueOf<Definitions[Key]>;
};

export interface CommandDefinition<A = Arguments, O = Options> {
  readonly description: string;
  /** In the order of the command line. Their keys are the names that the help shows. */
  readonly arguments?: A;
  /** Their keys are the long flags in camel case. */
  readonly options?: O;
  /** Complete command lines, which the help shows and the tests run. */
  readonly examples?: readonly string[];
  /** The synopsis, if it differs from the usual one. */
  readonly usage?: string;
  /** Whether everything after the first argument belongs to another program. */
  readonly passesOptionsThrough?: boolean;
  run(values: OptionValues<A>, options: OptionValues<O>): void | Promise<void>;
}

/** Infers the types of the parameters of `run`. */
export const defineCommand = <A extends Arguments = Record<never, never>, O extends Options = Record<never, never>>(
  definition: CommandDefinition<A, O>,
): CommandDefinition => definition as unknown as CommandDefinition;

const argument =
  <Value>(syntax: (name: string) => string) =>
  (description: string): ArgumentDefinition<Value> => ({ syntax, description });

export const requiredArgument = argument<string>((name) => `<${name}>`);
export const optionalArgument = argument<string | undefined>((name) => `[${name}]`);
export const requiredList = argument<readonly string[]>((name) => `<${name}...>`);
export const optionalList = argument<readonly string[]>((name) => `[${name}...]`);

/** An option without a text. */
export const flagOption = (
  flags: string,
  description: string,
  settings: Pick<OptionSettings, 'conflicts' | 'negated' | 'earlier'> = {},
): OptionDefinition<boolean | undefined> => ({ flags, description, ...settings });

/** An option with a text. */
export const textOption = (
  flags: string,
  description: string,
  settings: Pick<OptionSettings, 'conflicts'> = {},
): OptionDefinition<string | undefined> => ({ flags, description, ...settings });

export const requiredText = (flags: string, description: string): OptionDefinition<string> => ({
  ...{ flags, description, isRequired: true },
});

/** An option that can be repeated. */
export const listOption = (
  flags: string,
  description: string,
  settings: Pick<OptionSettings, 'earlier'> = {},
): OptionDefinition<readonly string[] | undefined> => ({
  ...{ flags, description, ...settings },
  parse: (name: string, names: readonly string[] = []): readonly string[] => [...names, name],
});

/** An option with names, which can be repeated. Commas can separate the names too. */
export const names = (flags: string, description: string): OptionDefinition<readonly string[] | undefined> => ({
  ...{ flags, description },
  parse: (value: string, previous: readonly string[] = []): readonly string[] => [
    ...previous,
    ...value.split(',').map((name) => name.trim()),
  ],
});

/** An option with one of several texts. */
export const choice = <Choice extends string>(
  flags: string,
  description: string,
  choices: readonly Choice[],
): OptionDefinition<Choice | undefined> => ({ flags, description, choices });

/** An option with some of several texts, which can be repeated. Commas can separate the texts too. */
export const choices = <Choice extends string>(
  flags: string,
  description: string,
  allowedChoices: readonly Choice[],
): OptionDefinition<readonly Choice[] | undefined> => ({
  ...{ flags, description: `${description} (choices: ${allowedChoices.join(', ')})` },
  parse: (value: string, previous: readonly Choice[] = []): readonly Choice[] => {
    const texts = value.split(',').map((part) => part.trim());
    const isAllowed = (part: string): part is Choice => (allowedChoices as readonly string[]).includes(part);
    if (!texts.every(isAllowed)) throw new InvalidArgumentError(`Allowed choices are ${allowedChoices.join(', ')}.`);
    return [...previous, ...texts];
  },
});

/** An option with one of several texts, and a default. */
export const choiceOr = <Choice extends string>(
  defaultChoice: Choice,
  ...[flags, description, choices, settings]: [
    ...Parameters<typeof choice<Choice>>,
    settings?: Pick<OptionSettings, 'conflicts' | 'earlier'>,
  ]
): OptionDefinition<Choice> => ({ flags, description, choices, default: defaultChoice, ...settings });

/** An option with a whole number from 1 to a maximum. If it can be empty, `''` remains an empty text. */
export const wholeNumber = (
  flags: string,
  description: string,
  max: number,
  { canBeEmpty = false } = {},
): OptionDefinition<number | undefined> => ({
  ...{ flags, description },
  parse: (value: string): number | '' => {
    if (canBeEmpty && value === '') return '';
    const number = /^[1-9]\d{0,6}$/.test(value) ? Number(value) : Number.POSITIVE_INFINITY;
    if (number > max) throw new InvalidArgumentError(`It must be a whole number from 1 to ${max}.`);
    return number;
  },
});

/** An option with a whole number, and a default. */
export const wholeNumberOr = (
  defaultNumber: number,
  ...parameters: Parameters<typeof wholeNumber>
): OptionDefinition<number> => ({ ...wholeNumber(...parameters), default: defaultNumber }) as OptionDefinition<number>;

/** Adds a command to the parser of the command line. */
export function addCommand(parent: Command, name: string, definition: CommandDefinition): Command {
  const { description, usage, examples = [], arguments: positional = {}, options = {} } = definition;
  const command = parent.command(name).description(description);
  if (usage !== undefined) command.usage(usage);
  for (const [key, { syntax, description: about }] of Object.entries(positional)) command.argument(syntax(key), about);
  for (const [key, option] of Object.entries(options)) addOption(command, key, option);
  if (definition.passesOptionsThrough) command.passThroughOptions();
  if (examples.length > 0) command.addHelpText('after', ['', 'Examples:', ...examples.map(indented)].join('\n'));
  return command.action(async (...parameters: readonly unknown[]) => {
    const values = Object.fromEntries(Object.keys(positional).map((key, at) => [key, parameters[at]]));
    await definition.run(values, command.opts());
  });
}

const indented = (line: string): string => `  ${line}`;

function addOption(command: Command, key: string, definition: OptionDefinition): void {
  const { flags, earlier = [], negated, isRequired = false } = definition;
  const option = describeOption(flags, definition).makeOptionMandatory(isRequired);
  if (option.attributeName() !== key) throw new Error(`The option ${flags} has the key ${key}.`);
  if (definition.default !== undefined) option.default(definition.default);
  command.addOption(option);
  for (const spelling of earlier) {
    const hiddenOption = describeOption(spelling, definition).hideHelp();
    hiddenOption.attributeName = () => key;
    command.addOption(hiddenOption);
  }
  if (negated !== undefined) command.option(`--no-${option.long?.slice(2)}`, negated);
}

function describeOption(flags: string, { description, choices, conflicts, parse }: OptionDefinition): Option {
  const option = new Option(flags, description);
  if (choices) option.choices(choices);
  if (conflicts) option.conflicts([...conflicts]);
  if (parse) option.argParser(parse as (value: string, previous: unknown) => unknown);
  return option;
}
