import type { BaseType } from './base-type.ts';
import { type Matches, type OwnedRule, violation } from './rule.ts';
import { isWholeNumber } from './whole-number.ts';

/** What a parameter's values are measured by: the base of its type, and every rule of its own and of the type's chain. */
export interface ValueType {
  /** As declared; messages name it. */
  readonly name: string;
  readonly base: BaseType;
  readonly rules: readonly OwnedRule[];
}

/** Why a text cannot be a value. */
export interface Violation {
  /** Of the type itself (E40), or of one of the rules (E41–E43). */
  readonly code: 'type_violation' | 'rule_violation';
  /** For people; never repeats the text. */
  readonly message: string;
  /** The rule that refuses it; absent where the text is not of the type itself. */
  readonly rule?: OwnedRule;
}

/** The words of YAML 1.1. Digits are left to integers. */
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

/**
 * Everything that is wrong with a literal or evaluated text; empty when it may be stored (behaviour.md §8.3). An
 * explicit null is exempt, so it is not asked about. A text that is not of the base type (E40) is not shown to the
 * rules: they would have nothing sensible to say.
 */
export function checkText({ name, base, rules }: ValueType, text: string, matches: Matches): readonly Violation[] {
  if (!IS_OF_BASE[base](text)) {
    return [{ code: 'type_violation', message: `The value is not of type ${name}: it must be ${EXPECTED[base]}.` }];
  }
  return rules.flatMap((rule) => {
    const message = violation(rule, text, matches);
    return message === null ? [] : [{ code: 'rule_violation', message, rule } as const];
  });
}
