import type { BaseType } from './base-type.ts';
import { Failure } from './failure.ts';
import { isLongerThan } from './names.ts';
import type { RuleKind } from './rule-kind.ts';
import { asSentence, type Sentence, sentence } from './sentence.ts';
import { compareWholeNumbers, isWholeNumber } from './whole-number.ts';

/** A constraint on texts: a number, a length or a pattern, as written. */
export interface Rule {
  readonly kind: RuleKind;
  readonly constraint: string;
}

/**
 * Returns whether a pattern matches a text from its start; null if the time limit was exceeded. The caller provides an
 * engine that limits the time of a match.
 */
export type PatternMatcher = (pattern: string, text: string) => boolean | null;

const LEGAL: Readonly<Record<BaseType, readonly RuleKind[]>> = {
  boolean: [],
  integer: ['min', 'max'],
  string: ['min_len', 'max_len', 'regex'],
};

/** Returns whether rules of this kind apply to values of this base (E50). */
export function isLegal(kind: RuleKind, base: BaseType): boolean {
  return LEGAL[base].includes(kind);
}

/** Returns a message for people. `typeName` is the declared type, which may be a custom one. */
export function illegalKindMessage(
  kind: RuleKind,
  base: BaseType,
  typeName: string,
): Sentence<'rule' | 'type' | 'base' | 'rules'> {
  const legal = LEGAL[base];
  const advice: Sentence<'rules'> =
    legal.length === 0
      ? asSentence('Types with this base cannot have rules.')
      : sentence`Use one of: ${{ rules: legal }}.`;
  return sentence`A rule ${{ rule: kind }} makes no sense for type ${{ type: typeName }}, whose values are of base ${{ base }}. ${advice}`;
}

/**
 * Returns what is wrong with a constraint as written, or null. `patternProblem` validates patterns, because the engine
 * decides which patterns are valid.
 */
export function constraintProblem(
  { kind, constraint }: Rule,
  patternProblem: (pattern: string) => Sentence<'limit'> | null,
): Sentence<'limit'> | null {
  if (kind === 'regex') return patternProblem(constraint);
  if (!isWholeNumber(constraint)) return sentence`Enter a whole number: an optional sign and decimal digits.`;
  if (isBound(kind) || compareWholeNumbers(constraint, '0') >= 0) return null;
  return sentence`A length cannot be negative. Enter 0 or more.`;
}

/** Returns the error for a second rule of the same kind (E51b). `owner` is a text for people, as in `OwnedRule`. */
export function duplicateRuleError(kind: RuleKind, owner: string): Failure {
  return Failure.field(
    'duplicate_rule',
    'type',
    sentence`There is a rule ${{ rule: kind }} of ${{ owner }} already. Change that one instead.`,
    kind,
  );
}

type BoundParam = 'rule' | 'limit' | 'other_rule' | 'other_limit';

const isBound = (kind: RuleKind) => kind === 'min' || kind === 'max';

const COUNTERPART: Readonly<Partial<Record<RuleKind, RuleKind>>> = {
  min: 'max',
  max: 'min',
  min_len: 'max_len',
  max_len: 'min_len',
};
const isLower = (kind: RuleKind) => kind === 'min' || kind === 'min_len';

/** Returns why a rule contradicts another rule of the same object (E52), or null. Equal bounds are valid. */
export function findContradiction(rule: Rule, siblings: readonly Rule[]): Sentence<BoundParam> | null {
  const counterpart = siblings.find(({ kind }) => kind === COUNTERPART[rule.kind]);
  if (!counterpart) return null;
  const [lower, upper] = isLower(rule.kind) ? [rule, counterpart] : [counterpart, rule];
  if (compareWholeNumbers(lower.constraint, upper.constraint) <= 0) return null;
  return sentence`No value could satisfy both ${{ rule: lower.kind }} ${{ limit: lower.constraint }} and ${{ other_rule: upper.kind }} ${{ other_limit: upper.constraint }}. Change one of them.`;
}

/** A rule and the name of its owner. */
export interface OwnedRule extends Rule {
  /** The owner in messages, such as `type port` or `parameter timeout`. */
  readonly owner: string;
}

/**
 * Returns why a rule of a type is looser than a rule of an ancestor (E53), or null. Rules of a parent may become
 * tighter than a child's, because all of them apply together.
 */
export function loosenedRule(
  rule: Rule,
  ofAncestors: readonly OwnedRule[],
): Sentence<BoundParam | 'owner' | 'direction'> | null {
  if (rule.kind === 'regex') return null;
  const sign = isLower(rule.kind) ? -1 : 1;
  const tighter = ofAncestors.find(
    ({ kind, constraint }) => kind === rule.kind && sign * compareWholeNumbers(rule.constraint, constraint) > 0,
  );
  if (!tighter) return null;
  const direction = sign > 0 ? 'above' : 'below';
  return sentence`${{ rule: rule.kind }} ${{ limit: rule.constraint }} would be looser than its parent allows: it is ${{ direction }} the ${{ other_rule: tighter.kind }} ${{ other_limit: tighter.constraint }} of ${{ owner: tighter.owner }}. Choose ${{ other_limit: tighter.constraint }}, or a stricter limit.`;
}

/**
 * Returns why a text of the right base violates the rule (E41–E43), or null. The message never quotes the text, because
 * it may be a secret.
 */
export function findViolation(
  rule: OwnedRule,
  text: string,
  matches: PatternMatcher,
): Sentence<'rule' | 'limit' | 'owner'> | null {
  const { kind, constraint, owner } = rule;
  const satisfied = isSatisfied(rule, text, matches);
  if (satisfied === true) return null;
  if (satisfied === null)
    return sentence`The pattern ${{ limit: constraint }} takes too long to match (rule ${{ rule: kind }} of ${{ owner }}). Simplify it.`;
  return sentence`The value ${WORDS[kind](constraint)} (rule ${{ rule: kind }} of ${{ owner }}).`;
}

function isSatisfied({ kind, constraint }: Rule, text: string, matches: PatternMatcher): boolean | null {
  switch (kind) {
    case 'min':
      return compareWholeNumbers(text, constraint) >= 0;
    case 'max':
      return compareWholeNumbers(text, constraint) <= 0;
    case 'min_len':
      return isLongerThan(text, comparableLength(constraint) - 1);
    case 'max_len':
      return !isLongerThan(text, comparableLength(constraint));
    case 'regex':
      return matches(constraint, text);
  }
}

/** The largest length that is compared as a number. No text is longer, so a larger constraint has the same effect. */
const LENGTH_CEILING = '1000000000';
const comparableLength = (constraint: string) =>
  Number(compareWholeNumbers(constraint, LENGTH_CEILING) > 0 ? LENGTH_CEILING : constraint);

const WORDS: Readonly<Record<RuleKind, (limit: string) => Sentence<'limit'>>> = {
  min: (limit) => sentence`must be at least ${{ limit }}`,
  max: (limit) => sentence`must be at most ${{ limit }}`,
  min_len: (limit) => sentence`must have at least ${{ limit }} characters`,
  max_len: (limit) => sentence`must have at most ${{ limit }} characters`,
  regex: (limit) => sentence`must match the pattern ${{ limit }} from its start`,
};
