import type { Rule, RuleKind, ValueType } from '@strata/domain';

const WORDS: Readonly<Record<RuleKind, (constraint: string) => string>> = {
  min: (constraint) => `At least ${constraint}.`,
  max: (constraint) => `At most ${constraint}.`,
  min_len: (constraint) => `At least ${constraint} characters.`,
  max_len: (constraint) => `At most ${constraint} characters.`,
  regex: (constraint) => `Matches ${constraint} from its start.`,
};

/** Returns sentences that describe which values a parameter accepts. */
export function describeType({ name, base, rules }: ValueType, secret: boolean): string {
  const type = name === base ? [] : [`Type ${name}.`];
  return [...new Set([...type, ...rules.map(describeRule), ...(secret ? ['Secret.'] : [])])].join(' ');
}

const describeRule = ({ kind, constraint }: Rule): string => WORDS[kind](constraint);

/** Returns the texts that a pattern lists, such as those of `(debug|info)$`; null for other patterns. */
export function listChoiceTexts({ kind, constraint }: Rule): readonly string[] | null {
  if (kind !== 'regex') return null;
  const [, list] = /^\^?\((?:\?:)?([\w-]+(?:\|[\w-]+)*)\)\$$/.exec(constraint) ?? [];
  return list?.split('|') ?? null;
}
