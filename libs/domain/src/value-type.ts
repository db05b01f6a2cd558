export const BASE_TYPES = ['string', 'integer', 'boolean'] as const;
export type BaseType = (typeof BASE_TYPES)[number];

/** A rule, ready to be asked: what it holds against a text, or null. Must not repeat the text, it may be a secret. */
export type RuleCheck = (text: string) => string | null;

/** What a parameter's values are measured by: the base of its type, and every rule of the chain and of its own. */
export interface ValueType {
  /** As declared; messages name it. */
  readonly name: string;
  readonly base: BaseType;
  readonly rules: readonly RuleCheck[];
}

/** The types that every organization has from the start (behaviour.md §8.1). Their names are those of the bases. */
export const BUILT_IN_TYPES: readonly ValueType[] = BASE_TYPES.map((base) => ({ name: base, base, rules: [] }));

/** The contract sets no bound; this one keeps numbers comparable without long arithmetic on hostile input. */
export const INTEGER_DIGITS_MAX = 1000;

const INTEGER = new RegExp(`^[+-]?[0-9]{1,${INTEGER_DIGITS_MAX}}$`);
/** The words of YAML 1.1. Digits are left to integers. */
const BOOLEAN = /^(?:true|false|yes|no|on|off|y|n|t|f)$/i;

const IS_OF_BASE: Readonly<Record<BaseType, (text: string) => boolean>> = {
  string: () => true,
  integer: (text) => INTEGER.test(text),
  boolean: (text) => BOOLEAN.test(text),
};

const EXPECTED: Readonly<Record<BaseType, string>> = {
  string: 'any text',
  integer: `an optional sign and 1 to ${INTEGER_DIGITS_MAX} decimal digits`,
  boolean: 'true or false, or yes or no',
};

/**
 * Everything that is wrong with a literal or evaluated text, in words for people; empty when it may be stored
 * (behaviour.md §8.3). An explicit null is exempt, so it is not asked about. A text that is not of the base type
 * (E40) is not shown to the rules: they would have nothing sensible to say.
 */
export function checkText(type: ValueType, text: string): readonly string[] {
  if (!IS_OF_BASE[type.base](text))
    return [`The value is not of type ${type.name}: it must be ${EXPECTED[type.base]}.`];
  return type.rules.map((check) => check(text)).filter((message) => message !== null);
}
