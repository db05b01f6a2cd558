import { formatJson, isJsonDocument, isSameJson } from './json-text.ts';

/** A line of a difference: in both texts, only in the old one, or only in the new one. */
export interface DifferentLine {
  readonly kind: 'same' | 'gone' | 'new';
  readonly text: string;
}

/**
 * The maximum number of lines between the first and the last difference for which a minimal difference is computed. Longer ranges are shown
 * as removed and added as a whole.
 */
const LINES_MAX = 400;

/** The length from which JSON documents on one line are compared by lines. */
const LONG_JSON = 80;

/** Returns whether a change is shown as a difference by lines. */
export function isByLines(before: string, after: string): boolean {
  if (before.includes('\n') || after.includes('\n')) return true;
  if (!isJsonDocument(before) || !isJsonDocument(after)) return false;
  return Math.max(before.length, after.length) >= LONG_JSON || isSameJson(before, after);
}

/** The texts whose lines are compared, and a note about them; null if there is nothing to say. */
export interface ComparedTexts {
  readonly before: string;
  readonly after: string;
  readonly note: string | null;
}

/** Formats JSON documents if one of them is on a single line, whose changes would otherwise be hard to find. */
export function compareTexts(before: string, after: string): ComparedTexts {
  if (before === after || !isJsonDocument(before) || !isJsonDocument(after)) return { before, after, note: null };
  if (isSameJson(before, after)) return { before, after, note: 'Only the formatting of the JSON differs.' };
  if (before.includes('\n') && after.includes('\n')) return { before, after, note: null };
  return { before: formatJson(before), after: formatJson(after), note: 'Both are compared as formatted JSON.' };
}

/** Returns the minimal difference of two texts by lines. */
export function textDifference(before: string, after: string): readonly DifferentLine[] {
  const [oldLines, newLines] = [before.split('\n'), after.split('\n')];
  const shorterLength = Math.min(oldLines.length, newLines.length);
  let head = 0;
  while (head < shorterLength && oldLines[head] === newLines[head]) head += 1;
  let tail = 0;
  while (tail < shorterLength - head && oldLines.at(-1 - tail) === newLines.at(-1 - tail)) tail += 1;
  const asSameLine = asLine('same');
  return [
    ...oldLines.slice(0, head).map(asSameLine),
    ...between(oldLines.slice(head, oldLines.length - tail), newLines.slice(head, newLines.length - tail)),
    ...oldLines.slice(oldLines.length - tail).map(asSameLine),
  ];
}

function between(oldLines: readonly string[], newLines: readonly string[]): readonly DifferentLine[] {
  if (oldLines.length > LINES_MAX || newLines.length > LINES_MAX) {
    return [...oldLines.map(asLine('gone')), ...newLines.map(asLine('new'))];
  }
  const commonLengthTable = commonLengths(oldLines, newLines);
  const lines: DifferentLine[] = [];
  let [at, to] = [0, 0];
  while (at < oldLines.length || to < newLines.length) {
    const [oldLine, newLine] = [oldLines[at], newLines[to]];
    if (oldLine !== undefined && oldLine === newLine) {
      lines.push({ kind: 'same', text: oldLine });
      at += 1;
      to += 1;
    } else if (
      newLine === undefined ||
      (oldLine !== undefined && lengthAt(commonLengthTable, at + 1, to) >= lengthAt(commonLengthTable, at, to + 1))
    ) {
      lines.push({ kind: 'gone', text: oldLine ?? '' });
      at += 1;
    } else {
      lines.push({ kind: 'new', text: newLine });
      to += 1;
    }
  }
  return lines;
}

const asLine = (kind: DifferentLine['kind']) => (text: string) => ({ kind, text });

/** Returns a table of the number of common lines that follow each pair of positions. */
function commonLengths(oldLines: readonly string[], newLines: readonly string[]): readonly (readonly number[])[] {
  const lengths = Array.from({ length: oldLines.length + 1 }, () => new Array<number>(newLines.length + 1).fill(0));
  for (let at = oldLines.length - 1; at >= 0; at -= 1) {
    for (let to = newLines.length - 1; to >= 0; to -= 1) {
      const row = lengths[at];
      if (!row) continue;
      row[to] =
        oldLines[at] === newLines[to]
          ? lengthAt(lengths, at + 1, to + 1) + 1
          : Math.max(lengthAt(lengths, at + 1, to), lengthAt(lengths, at, to + 1));
    }
  }
  return lengths;
}

const lengthAt = (lengths: readonly (readonly number[])[], at: number, to: number): number => lengths[at]?.[to] ?? 0;
