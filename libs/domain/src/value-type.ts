import type { BaseType } from './base-type.ts';
import { findViolation, type OwnedRule, type PatternMatcher } from './rule.ts';
import { type Sentence, sentence } from './sentence.ts';
import { isWholeNumber } from './whole-number.ts';

/**
 * The constraints on a parameter's values: the base of its type, and every rule of the parameter and of the type chain.
 */
export interface ValueType {
  /** The declared name, which messages use. */
  readonly name: string;
  readonly base: BaseType;
  readonly rules: readonly OwnedRule[];
}

/** The reason why a text is not a valid value. The sentence never quotes the text. */
export interface Violation extends Sentence<'type' | 'expected' | 'rule' | 'limit' | 'owner'> {
  /** `type_violation` if the text does not match the base type (E40), `rule_violation` for a rule (E41–E43). */
  readonly code: 'type_violation' | 'rule_violation';
  /** The violated rule; absent if the text does not match the base type. */
  readonly rule?: OwnedRule;
}

/** The booleans of YAML 1.1. Digits are integers. */
const BOOLEAN = /^(?:true|false|yes|no|on|off|y|n|t|f)$/i;

const IS_OF_BASE: Readonly<Record<BaseType, (text: string) => boolean>> = {
  string: () => true,
  integer: isWholeNumber,
  boolean: (text) => BOOLEAN.test(text),
};

const EXPECTED: Readonly<Record<BaseType, string>> = {
  string: 'any text',
  integer: 'an optional sign and decimal digits',
  boolean: 'true or false, or yes or no',
};

/** Returns whether a text is a value of a built-in type. */
export function isOfBase(base: BaseType, text: string): boolean {
  return IS_OF_BASE[base](text);
}

/**
 * Returns everything that is wrong with a literal or evaluated text; empty if it is valid (behaviour.md §8.3). Explicit
 * nulls are exempt, so callers do not check them. The rules are skipped for a text of the wrong base type (E40),
 * because their messages would make no sense.
 */
export function checkText(
  { name, base, rules }: ValueType,
  text: string,
  matches: PatternMatcher,
): readonly Violation[] {
  if (!isOfBase(base, text)) {
    return [
      {
        code: 'type_violation',
        ...sentence`The value is not of type ${{ type: name }}: it must be ${{ expected: EXPECTED[base] }}.`,
      },
    ];
  }
  return rules.flatMap((rule) => {
    const ruleViolation = findViolation(rule, text, matches);
    return ruleViolation === null ? [] : [{ code: 'rule_violation', ...ruleViolation, rule } as const];
  });
}
