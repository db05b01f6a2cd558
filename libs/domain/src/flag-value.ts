import type { BaseType } from './base-type.ts';
import { isOfBase } from './value-type.ts';

/** A value of a feature flag, in the type that JSON has for it. */
export type FlagValue = boolean | number | string;

/** Why a text has no typed value: it is not of the type, or JSON numbers cannot represent it exactly. */
type UntypedReason = 'not_of_type' | 'not_exact';

/** The booleans that mean true; all others mean false. */
const TRUE = /^(?:true|yes|on|y|t)$/i;

/**
 * Returns the typed value of a text. Integers beyond those that a JSON number represents exactly have none, because a
 * client would read another number without noticing.
 */
export function parseFlagValue(base: BaseType, text: string): { readonly value: FlagValue } | UntypedReason {
  if (!isOfBase(base, text)) return 'not_of_type';
  if (base === 'boolean') return { value: TRUE.test(text) };
  if (base === 'string') return { value: text };
  const value = Number(text);
  return Number.isSafeInteger(value) ? { value } : 'not_exact';
}
