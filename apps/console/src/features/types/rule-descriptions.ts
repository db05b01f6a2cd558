import type { Rule, RuleKind } from '@strata/domain';

/** The headings of the kinds of rules. */
export const RULE_TITLES: Readonly<Record<RuleKind, string>> = {
  min: 'Smallest number',
  max: 'Largest number',
  min_len: 'Fewest characters',
  max_len: 'Most characters',
  regex: 'Pattern',
};

/** Describes a rule in a short phrase. */
export function describeRule({ kind, constraint }: Rule): string {
  switch (kind) {
    case 'min':
      return `at least ${constraint}`;
    case 'max':
      return `at most ${constraint}`;
    case 'min_len':
      return `at least ${constraint} characters`;
    case 'max_len':
      return `at most ${constraint} characters`;
    case 'regex':
      return `matches ${constraint}`;
  }
}
