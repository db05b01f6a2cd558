import { isLongerThan, type Sentence, sentence } from '@strata/domain';
import { RE2JS } from 're2js';
import { EventLoopYielder } from '../event-loop-yielder.ts';
import { estimateExpandedSize } from './pattern-size.ts';

/** The length limit of name patterns (behaviour.md §4). Longer patterns serve no purpose and compile slowly. */
const PATTERN_LENGTH_MAX = 256;
/** The length limit of patterns in rules, which describe whole values. */
export const RULE_PATTERN_LENGTH_MAX = 512;
/** The size limit of the automaton. Matching costs its size times the length of the text. */
const PROGRAM_SIZE_MAX = 2_000;
/** Larger patterns are rejected without compiling, because building the automaton would already cost too much. */
const EXPANDED_SIZE_MAX = 1.5 * PROGRAM_SIZE_MAX;

const TOO_LARGE = sentence`The pattern is too large. Use smaller repeat counts.`;

/** Returns what is wrong with a user's pattern, or null. Patterns use RE2 syntax, which has no exponential cases. */
export function patternProblem(pattern: string, lengthMax = PATTERN_LENGTH_MAX): Sentence<'limit'> | null {
  if (isLongerThan(pattern, lengthMax)) return sentence`Use at most ${{ limit: lengthMax }} characters.`;
  if (estimateExpandedSize(pattern) > EXPANDED_SIZE_MAX) return TOO_LARGE;
  try {
    return RE2JS.compile(pattern).programSize() <= PROGRAM_SIZE_MAX ? null : TOO_LARGE;
  } catch {
    return sentence`Not a valid regular expression. RE2 syntax is understood: no look-around and no back-references.`;
  }
}

/**
 * Returns whether a text matches from its start: `FOO_.*` requires names to begin with FOO_. The empty pattern matches
 * every text.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  return pattern === '' || compiled(pattern).matcher(text).lookingAt();
}

/** The time limit for matching many names. Other callers may be waiting to write. */
const NAMES_MS_MAX = 1_000;

/**
 * Returns what is wrong with some of the names, or null. One name takes some milliseconds at worst, so other requests
 * run between names.
 */
export async function namesProblem(pattern: string, names: readonly string[]): Promise<'mismatch' | 'too_slow' | null> {
  const yielder = new EventLoopYielder();
  const startedAt = performance.now();
  for (const name of names) {
    if (!matchesPattern(pattern, name)) return 'mismatch';
    if (performance.now() - startedAt > NAMES_MS_MAX) return 'too_slow';
    if (yielder.isDue) await yielder.yield();
  }
  return null;
}

/** Returns the largest number of steps that matching can take; a step takes some 15 ns. */
export function matchingCost(pattern: string, text: string): number {
  return compiled(pattern).programSize() * (text.length + 1);
}

/**
 * Most matches cost less than compiling, so compiled patterns are cached. The limit bounds memory, since an automaton
 * caches its states.
 */
const COMPILED_MAX = 100;
const compiledPatterns = new Map<string, RE2JS>();

function compiled(pattern: string): RE2JS {
  const expression = compiledPatterns.get(pattern) ?? RE2JS.compile(pattern);
  compiledPatterns.delete(pattern);
  compiledPatterns.set(pattern, expression);
  for (const oldest of compiledPatterns.keys()) {
    if (compiledPatterns.size <= COMPILED_MAX) break;
    compiledPatterns.delete(oldest);
  }
  return expression;
}
