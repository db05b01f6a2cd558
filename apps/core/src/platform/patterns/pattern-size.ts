/**
 * Estimates the number of steps of a pattern when its counted repeats are written out: `a{3}b` has four. It scans the
 * text once, so that no caller can make the core build a huge automaton only to measure it.
 */
export function estimateExpandedSize(pattern: string): number {
  /**
   * For each open group: the steps of its complete parts, and of the last part, which a repeat count would multiply.
   */
  const groups = [{ done: 0, piece: 0 }];
  let at = 0;
  const add = (size: number) => {
    const group = groups.at(-1) as { done: number; piece: number };
    group.done += group.piece;
    group.piece = size;
  };
  while (at < pattern.length) {
    const repeat = REPEAT.exec(pattern.slice(at, at + REPEAT_LENGTH_MAX));
    const char = pattern[at];
    if (repeat) {
      const group = groups.at(-1) as { done: number; piece: number };
      group.piece *= Math.max(1, Number(repeat[2] || repeat[1]));
      at += repeat[0].length;
      continue;
    }
    if (char === '(') {
      groups.push({ done: 0, piece: 0 });
      at += (GROUP_START.exec(pattern.slice(at, at + GROUP_START_LENGTH_MAX)) ?? ['('])[0].length;
      continue;
    }
    if (char === ')' && groups.length > 1) {
      const { done, piece } = groups.pop() as { done: number; piece: number };
      add(done + piece + GROUP_ENDS);
    } else add(1);
    at = char === '[' ? endOfClass(pattern, at) : at + (char === '\\' ? 2 : 1);
  }
  return groups.reduce((sum, { done, piece }) => sum + done + piece, 0);
}

const REPEAT = /^\{(\d{1,9})(?:,(\d{0,9}))?\}/;
const REPEAT_LENGTH_MAX = 24;
/** `(`, `(?:`, `(?i:`, `(?P<name>`. */
const GROUP_START = /^\((?:\?(?:P?<[^>]*>|[a-zA-Z-]*:?))?/;
const GROUP_START_LENGTH_MAX = 64;
/** The start and the end of a capturing group take a step each. */
const GROUP_ENDS = 2;

/** A class counts as one step, whatever it contains. An unterminated class is not a valid pattern. */
function endOfClass(pattern: string, start: number): number {
  let at = start + 1;
  if (pattern[at] === '^') at += 1;
  if (pattern[at] === ']') at += 1;
  while (at < pattern.length && pattern[at] !== ']') {
    if (pattern.startsWith('[:', at)) at = pattern.indexOf(':]', at) < 0 ? at + 1 : pattern.indexOf(':]', at) + 2;
    else at += pattern[at] === '\\' ? 2 : 1;
  }
  return at + 1;
}
