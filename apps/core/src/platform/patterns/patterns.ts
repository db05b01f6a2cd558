import { isLongerThan } from '@strata/domain';
import { RE2JS } from 're2js';
import { EventLoopYielder } from '../event-loop-yielder.ts';
import { expandedSize } from './pattern-size.ts';

/** Of name patterns (behaviour.md §4). Longer ones serve nobody and make compiling slow. */
const PATTERN_LENGTH_MAX = 256;
/** Of rules: those describe whole values. */
export const RULE_PATTERN_LENGTH_MAX = 512;
/** Bounds the automaton: matching costs its size times the length of the text. */
const PROGRAM_SIZE_MAX = 2_000;
/** Beyond this a pattern is refused unseen: building the automaton would already cost too much. */
const EXPANDED_SIZE_MAX = 1.5 * PROGRAM_SIZE_MAX;

const TOO_LARGE = 'The pattern is too large. Use smaller repeat counts.';

/** What is wrong with a pattern that a person wrote, or null. Only RE2 syntax, which cannot run away. */
export function patternProblem(pattern: string, lengthMax = PATTERN_LENGTH_MAX): string | null {
  if (isLongerThan(pattern, lengthMax)) return `Use at most ${lengthMax} characters.`;
  if (expandedSize(pattern) > EXPANDED_SIZE_MAX) return TOO_LARGE;
  try {
    return RE2JS.compile(pattern).programSize() <= PROGRAM_SIZE_MAX ? null : TOO_LARGE;
  } catch {
    return 'Not a valid regular expression. RE2 syntax is understood: no look-around and no back-references.';
  }
}

/** Whether a text matches from its start, as `FOO_.*` asks names to begin with FOO_. The empty pattern matches all. */
export function matchesPattern(pattern: string, text: string): boolean {
  return pattern === '' || compiled(pattern).matcher(text).lookingAt();
}

/** How long many names may be held against a pattern; others may be waiting to write. */
const NAMES_MS_MAX = 1_000;

/** What is wrong with some of the names, or null. One name takes some milliseconds at worst, so others run between them. */
export async function namesProblem(pattern: string, names: readonly string[]): Promise<'mismatch' | 'too_slow' | null> {
  const yielder = new EventLoopYielder();
  const began = performance.now();
  for (const name of names) {
    if (!matchesPattern(pattern, name)) return 'mismatch';
    if (performance.now() - began > NAMES_MS_MAX) return 'too_slow';
    if (yielder.isDue) await yielder.yield();
  }
  return null;
}

/** The most steps that matching can take; some 15 ns each. */
export function matchingCost(pattern: string, text: string): number {
  return compiled(pattern).programSize() * (text.length + 1);
}

/** Compiling costs more than most matching does; a bound on memory, since an automaton remembers states. */
const COMPILED_MAX = 100;
const known = new Map<string, RE2JS>();

function compiled(pattern: string): RE2JS {
  const found = known.get(pattern) ?? RE2JS.compile(pattern);
  known.delete(pattern);
  known.set(pattern, found);
  for (const oldest of known.keys()) {
    if (known.size <= COMPILED_MAX) break;
    known.delete(oldest);
  }
  return found;
}
