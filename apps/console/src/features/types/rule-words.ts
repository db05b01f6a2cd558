import type { Rule, RuleKind } from '@strata/domain';

/** What a rule limits, as a heading. */
export const RULE_TITLES: Readonly<Record<RuleKind, string>> = {
  min: 'Smallest number',
  max: 'Largest number',
  min_len: 'Fewest characters',
  max_len: 'Most characters',
  regex: 'Pattern',
};

/** A rule in one short phrase. */
export function ruleWords({ kind, constraint }: Rule): string {
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
