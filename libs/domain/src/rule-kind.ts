/** These are all the kinds of rules; which of them a type takes depends on its base (behaviour.md §8.2). */
export const RULE_KINDS = ['min', 'max', 'min_len', 'max_len', 'regex'] as const;
export type RuleKind = (typeof RULE_KINDS)[number];
