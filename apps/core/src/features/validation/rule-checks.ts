import {
  type BaseType,
  constraintProblem,
  duplicateRuleError,
  Failure,
  findContradiction,
  illegalKindMessage,
  isLegal,
  loosenedRule,
  type OwnedRule,
  type Rule,
} from '@strata/domain';
import { patternProblem, RULE_PATTERN_LENGTH_MAX } from '../../platform/patterns/patterns.ts';

/** The type or parameter that a rule belongs to. */
export interface RuleOwner {
  /** The title for messages: `type port`, `parameter timeout`. */
  readonly title: string;
  /** The name of the type itself, or of the parameter's type. */
  readonly typeName: string;
  readonly base: BaseType;
  /** The other rules of the same owner. */
  readonly siblings: readonly Rule[];
  /** The rules of ancestor types, which the rules of a type must not loosen. Empty for a parameter. */
  readonly ofAncestors: readonly OwnedRule[];
}

/**
 * Rejects rules of a kind that the type does not allow (E50). The error is a list, because existing clients expect one
 * for rules.
 */
export function assertLegal(rules: readonly Rule[], { base, typeName }: Pick<RuleOwner, 'base' | 'typeName'>): void {
  const illegal = rules.filter(({ kind }) => !isLegal(kind, base));
  if (illegal.length === 0) return;
  throw Failure.list(
    'rule_kind_illegal',
    illegal.map(({ kind }) => illegalKindMessage(kind, base, typeName)),
    illegal[0]?.kind,
  );
}

/** Validates everything about a rule that does not depend on values, in the order of behaviour.md §8.2. */
export function assertValidRule(rule: Rule, owner: RuleOwner): void {
  assertLegal([rule], owner);
  const constraintError = constraintProblem(rule, (pattern) => patternProblem(pattern, RULE_PATTERN_LENGTH_MAX));
  if (constraintError !== null) throw Failure.field('invalid_constraint', 'constraint', constraintError, rule.kind);
  if (owner.siblings.some(({ kind }) => kind === rule.kind)) throw duplicateRuleError(rule.kind, owner.title);
  const contradiction = findContradiction(rule, owner.siblings);
  if (contradiction !== null) throw Failure.list('rules_cross', [contradiction], rule.kind);
  const looserRule = loosenedRule(rule, owner.ofAncestors);
  if (looserRule !== null) throw Failure.list('looser_than_parent', [looserRule], rule.kind);
}
