import type { RowGroup } from '../../data/matrix.ts';
import { type CellRange, type RowSpan, rowsWithin } from './cell-range.ts';
import type { LinePlace } from './grid-types.ts';

/** A group of rows whose names have the same prefix. */
export interface GroupLine extends RowSpan {
  readonly kind: 'group';
  /** Identifies the group while other rows are added and removed. */
  readonly key: string;
  readonly prefix: string;
  readonly isCollapsed: boolean;
}

/** A line of the grid: a row by its index, the line of a group, or the heading of inherited rows. */
export type GridLine = { readonly kind: 'row'; readonly row: number } | GroupLine | { readonly kind: 'others' };

/** Consecutive lines of one kind. `row` is the first row of rows, and the row that follows another line. */
interface Section {
  readonly line: number;
  readonly row: number;
  readonly content: 'rows' | 'others' | GroupLine;
}

interface RowCounts {
  /** The number of rows that the project itself owns, out of `total`. */
  readonly ownCount: number;
  readonly total: number;
  /** The groups of all rows; null if they are not grouped. */
  readonly groups?: readonly RowGroup[] | null;
}

/**
 * The mapping between rows and lines of a grid: first the project's own rows, then a heading, then the inherited rows. Each group has a line
 * above its rows, which are hidden if it is collapsed.
 */
export class GridLines {
  readonly ownCount: number;
  readonly total: number;
  readonly count: number;
  readonly isGrouped: boolean;
  private readonly sections: Section[] = [];
  /** The line of the heading of inherited rows. */
  private readonly heading: number;

  constructor(
    { ownCount, total, groups = null }: RowCounts,
    /** The keys of the collapsed groups. */
    collapsed: ReadonlySet<string> = new Set(),
  ) {
    this.ownCount = ownCount;
    this.total = total;
    this.isGrouped = groups !== null;
    let line = 0;
    const add = (row: number, content: Section['content'], length: number) => {
      if (length > 0) this.sections.push({ line, row, content });
      line += length;
    };
    for (const { prefix, top, bottom } of listSpans({ ownCount, total, groups })) {
      if (top === ownCount && ownCount < total) add(top, 'others', 1);
      const key = `${top < ownCount ? 'own' : 'others'} ${prefix}`;
      const isCollapsed = prefix !== null && collapsed.has(key);
      if (prefix !== null) add(top, { kind: 'group', key, prefix, top, bottom, isCollapsed }, 1);
      if (!isCollapsed) add(top, 'rows', bottom - top + 1);
    }
    this.count = line;
    this.heading = this.sections.find(({ content }) => content === 'others')?.line ?? line;
  }

  get groups(): readonly GroupLine[] {
    return this.sections.flatMap(({ content }) => (typeof content === 'object' ? content : []));
  }

  at(line: number): GridLine {
    const section = this.sections[lastBefore(this.sections, (earlier) => earlier.line <= line)];
    if (!section || section.content === 'others') return { kind: 'others' };
    if (typeof section.content === 'object') return section.content;
    return { kind: 'row', row: section.row + line - section.line };
  }

  /** Returns the line of a row, or that of its group if the group is collapsed or `onGroup` is set. */
  of({ row, onGroup = false }: LinePlace): number {
    const at = lastBefore(this.sections, (section) => section.row <= row);
    const before = this.sections[at - 1];
    if (onGroup && typeof before?.content === 'object' && before.row === row) return before.line;
    const { line, row: first, content } = this.sections[at] ?? { line: 0, row, content: 'rows' };
    return content === 'rows' ? line + row - first : line;
  }

  /** Returns the place of the focus for a row that may be hidden, and for a group that may not exist any more. */
  place(place: LinePlace): LinePlace {
    return this.placeOn(this.of(place)) ?? { row: place.row };
  }

  /** Returns the place that is some lines away. `isRow` skips the lines of groups. */
  move(from: LinePlace, by: number, isRow = false): LinePlace {
    const last = this.count - 1;
    const to = Math.max(0, Math.min(last, this.of(from) + by));
    const fits = (line: number) => {
      const place = this.placeOn(line);
      return place && !(isRow && place.onGroup) ? place : null;
    };
    const step = Math.sign(by) || 1;
    for (const direction of [step, -step]) {
      for (let line = to; line >= 0 && line <= last; line += direction) {
        const place = fits(line);
        if (place) return place;
      }
    }
    return from;
  }

  /** Returns the position of a line among the rows that screen readers count, from 1. The heading of inherited rows is not one. */
  position(line: number): number {
    return line + (line > this.heading ? 0 : 1);
  }

  /** Returns how many of the selected rows are hidden in collapsed groups. */
  hiddenIn(range: Pick<CellRange, 'spans'>): number {
    const hidden = this.groups.filter(({ isCollapsed }) => isCollapsed);
    return hidden.reduce((sum, group) => sum + rowsWithin(range, group), 0);
  }

  /** Returns the level of a row in the tree of groups; undefined without groups. */
  findLevel(row: number): number | undefined {
    if (!this.isGrouped) return undefined;
    const at = lastBefore(this.sections, (section) => section.row <= row);
    return typeof this.sections[at - 1]?.content === 'object' && this.sections[at]?.row === this.sections[at - 1]?.row
      ? 2
      : 1;
  }

  private placeOn(line: number): LinePlace | null {
    const gridLine = this.at(line);
    if (gridLine.kind === 'others') return null;
    return gridLine.kind === 'group' ? { row: gridLine.top, onGroup: true } : { row: gridLine.row };
  }
}

interface PrefixSpan extends RowSpan {
  readonly prefix: string | null;
}

/**
 * Returns the spans of the groups. Groups and counts may be of different revisions for a moment, so the last group ends with the last row,
 * and no group contains own and inherited rows.
 */
function listSpans({ ownCount, total, groups }: RowCounts): readonly PrefixSpan[] {
  const spans: PrefixSpan[] = [];
  const add = (prefix: string | null, top: number, end: number) => {
    if (top < end) spans.push({ prefix, top, bottom: end - 1 });
  };
  let top = 0;
  for (const { prefix, count } of [...(groups ?? []), { prefix: null, count: total }]) {
    const end = Math.min(total, top + count);
    add(prefix, top, top < ownCount ? Math.min(ownCount, end) : end);
    if (top < ownCount) add(prefix, ownCount, end);
    top = end;
  }
  return spans;
}

/** Returns the index of the last section that precedes a place; -1 if none does. */
function lastBefore(sections: readonly Section[], precedes: (section: Section) => boolean): number {
  let [low, high] = [0, sections.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const section = sections[middle];
    if (section && precedes(section)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Returns the first and the last visible line or column, extended by `spare` on each side. */
export function visibleRange(
  from: number,
  length: number,
  size: number,
  count: number,
  overscan: number,
): { readonly first: number; readonly last: number } {
  const first = Math.max(0, Math.floor(from / size) - overscan);
  return { first, last: Math.min(count - 1, Math.ceil((from + length) / size) - 1 + overscan) };
}

/**
 * Returns the first and the last visible column, extended by `spare` on each side. `lefts` are the beginnings of the columns in ascending
 * order, and the end of the last one.
 */
export function visibleSpan(
  lefts: readonly number[],
  from: number,
  to: number,
  overscan: number,
): { readonly first: number; readonly last: number } {
  const count = lefts.length - 1;
  const first = lefts.findLastIndex((left, at) => at < count && left <= from);
  const last = lefts.findLastIndex((left, at) => at < count && left < to);
  return { first: Math.max(0, first - overscan), last: Math.min(count - 1, last + overscan) };
}
