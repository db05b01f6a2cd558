/** All kinds of rules. The base of a type determines which of them apply (behaviour.md §8.2). */
export const RULE_KINDS = ['min', 'max', 'min_len', 'max_len', 'regex'] as const;
export type RuleKind = (typeof RULE_KINDS)[number];
