import type { BaseType } from './base-type.ts';

/** Whole numbers as programs write them: without a plus, leading zeros and separators. */
const CANONICAL_INTEGER = /^(?:0|-?[1-9][0-9]*)$/;

/**
 * Returns the type of a new parameter whose only known text is this one. A number or a boolean is inferred only if every
 * program that reads it as such writes the same text again: `007`, `+1`, `1_000`, `yes` and numbers that a double cannot
 * hold stay strings.
 */
export function inferType(text: string): BaseType {
  if (text === 'true' || text === 'false') return 'boolean';
  return CANONICAL_INTEGER.test(text) && Number.isSafeInteger(Number(text)) ? 'integer' : 'string';
}
