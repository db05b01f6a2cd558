import { byId, checkText, valueTypeOf } from '@strata/domain';
import type { StoredType } from '../../lib/type-tree.ts';
import type { EditRules } from './range-edits.ts';

/**
 * Returns a function that checks texts against the types of parameters. It checks neither patterns, which only the engine of the core
 * evaluates, nor the rules of single parameters; the review reports these.
 */
export function valueChecker(types: readonly StoredType[]): EditRules['problemOf'] {
  const known = byId(types);
  const byName = new Map(types.map(({ id, name }) => [name, valueTypeOf(known, id)]));
  return ({ type }, text) => {
    const valueType = byName.get(type);
    const violations = valueType ? checkText(valueType, text, () => true) : [];
    return violations.map(({ message }) => message).join(' ') || null;
  };
}
