import {
  BASE_TYPES,
  type BaseType,
  buildValueType,
  checkText,
  indexById,
  type PatternMatcher,
  type Rule,
  type ValueType,
  valueTextProblem,
} from '@strata/domain';
import { parseListedValues } from './listed-values.ts';
import type { StoredType } from './type-tree.ts';

/** The rules for the values of a parameter, ready to check texts while the user types. */
export interface ValueRules {
  readonly base: BaseType;
  /** The values to offer, if the rules list them; otherwise empty. */
  readonly listed: readonly string[];
  /** Returns what is wrong with a literal text; empty if it is valid. The messages never quote the text. */
  listProblems(text: string): readonly string[];
}

interface RulesOptions {
  readonly types: readonly StoredType[];
  /** The name of the type. */
  readonly type: string;
  /** The parameter with rules of its own. */
  readonly parameter?: { readonly name: string; readonly rules: readonly Rule[] } | undefined;
  readonly matches: PatternMatcher;
}

/** Returns the rules for the values of a type, and of a parameter. Returns null if the type does not exist any more. */
export function findValueRules({ types, type, parameter, matches }: RulesOptions): ValueRules | null {
  const valueType = types.find(({ name }) => name === type);
  return valueType ? checking(buildValueType(indexById(types), valueType.id, parameter), matches) : null;
}

/** Returns the rules of a built-in type, which are known before the types are loaded; undefined for other types. */
export function builtInRules(type: string): ValueRules | undefined {
  const base = BASE_TYPES.find((name) => name === type);
  return base && checking({ name: base, base, rules: [] }, () => true);
}

function checking(type: ValueType, matches: PatternMatcher): ValueRules {
  const listProblems = (text: string) =>
    [valueTextProblem(text) ?? [], checkText(type, text, matches)].flat().map(({ message }) => message);
  const lists = type.rules.flatMap(({ kind, constraint }) =>
    kind === 'regex' ? [parseListedValues(constraint) ?? []] : [],
  );
  const offeredTexts = type.base === 'boolean' ? ['true', 'false'] : (lists.find(({ length }) => length > 0) ?? []);
  return { base: type.base, listed: offeredTexts.filter((text) => listProblems(text).length === 0), listProblems };
}
