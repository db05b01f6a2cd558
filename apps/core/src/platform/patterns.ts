import { RE2JS } from 're2js';

/** Longer patterns serve nobody and make compiling slow. */
const PATTERN_LENGTH_MAX = 256;
/** Bounds the automaton: matching costs its size times the length of the text. */
const PROGRAM_SIZE_MAX = 2_000;

/** What is wrong with a pattern that a person wrote, or null. Only RE2 syntax, which cannot run away. */
export function patternProblem(pattern: string): string | null {
  if (pattern.length > PATTERN_LENGTH_MAX) return `Use at most ${PATTERN_LENGTH_MAX} characters.`;
  try {
    if (RE2JS.compile(pattern).programSize() <= PROGRAM_SIZE_MAX) return null;
    return 'The pattern is too large. Use smaller repeat counts.';
  } catch {
    return 'Not a valid regular expression. RE2 syntax is understood: no look-around and no back-references.';
  }
}

/** Whether a text matches from its start, as `FOO_.*` asks names to begin with FOO_. The empty pattern matches all. */
export function matchesPattern(pattern: string, text: string): boolean {
  return pattern === '' || RE2JS.compile(pattern).matcher(text).lookingAt();
}
