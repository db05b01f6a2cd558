import { formatCount } from '../../lib/format-count.ts';
import type { GridPosition } from './grid-types.ts';

/** Consecutive rows. The first and the last one belong to it. */
export interface RowSpan {
  readonly top: number;
  readonly bottom: number;
}

/** The first and the last selected column of a row. */
export interface ColumnSpan {
  readonly left: number;
  readonly right: number;
}

/** Some rows, in ascending order and not adjacent, and the same consecutive columns of each. */
export interface CellRange extends ColumnSpan {
  readonly spans: readonly RowSpan[];
}

/** Returns the smallest rectangle that contains two cells. */
export function rangeBetween(start: GridPosition, end: GridPosition): CellRange {
  return {
    spans: [{ top: Math.min(start.row, end.row), bottom: Math.max(start.row, end.row) }],
    left: Math.min(start.column, end.column),
    right: Math.max(start.column, end.column),
  };
}

/** Adds rows to the selected ones, or removes them. */
export function withRows(spans: readonly RowSpan[], { top, bottom }: RowSpan, isSelected: boolean): readonly RowSpan[] {
  const others = spans.flatMap((span) => [
    { ...span, bottom: Math.min(span.bottom, top - 1) },
    { ...span, top: Math.max(span.top, bottom + 1) },
  ]);
  const added = isSelected ? [...others, { top, bottom }] : others;
  const merged: RowSpan[] = [];
  for (const span of added.filter((rows) => rows.top <= rows.bottom).sort((left, right) => left.top - right.top)) {
    const last = merged.at(-1);
    if (last && last.bottom + 1 === span.top) merged[merged.length - 1] = { ...last, bottom: span.bottom };
    else merged.push(span);
  }
  return merged;
}

export const hasRow = ({ spans }: Pick<CellRange, 'spans'>, row: number): boolean =>
  spans.some(({ top, bottom }) => row >= top && row <= bottom);

export const hasCell = (range: CellRange, { row, column }: GridPosition): boolean =>
  hasRow(range, row) && column >= range.left && column <= range.right;

/** Returns the selected columns of a row; null if there are none. */
export function columnsInRow({ spans, left, right }: CellRange, row: number): ColumnSpan | null {
  return hasRow({ spans }, row) ? { left, right } : null;
}

/** Returns how many of some rows are selected. */
export const rowsWithin = ({ spans }: Pick<CellRange, 'spans'>, { top, bottom }: RowSpan): number =>
  spans.reduce((sum, span) => sum + Math.max(0, Math.min(bottom, span.bottom) - Math.max(top, span.top) + 1), 0);

/** Returns the selected rows among the first `total` ones, in ascending order. */
export const rowNumbers = ({ spans }: Pick<CellRange, 'spans'>, total: number): readonly number[] =>
  spans.flatMap(({ top, bottom }) =>
    Array.from({ length: Math.max(0, Math.min(bottom, total - 1) - top + 1) }, (_, at) => top + at),
  );

export const countRows = ({ spans }: Pick<CellRange, 'spans'>): number =>
  spans.reduce((sum, { top, bottom }) => sum + bottom - top + 1, 0);
export const countColumns = ({ left, right }: ColumnSpan): number => right - left + 1;
export const cellCount = (range: CellRange): number => countRows(range) * countColumns(range);

/** Describes the size of a range, as in `6 cells selected: 3 parameters × 2 environments`. `hidden` is the number of hidden rows. */
export function describeRange(range: CellRange, hidden = 0): string {
  const [cells, rows, columns] = [cellCount(range), countRows(range), countColumns(range)];
  return `${formatCount(cells, 'cell')} selected: ${formatCount(rows, 'parameter')} × ${formatCount(columns, 'environment')}${describeHidden(hidden)}`;
}

/** Describes selected rows, as in `12 rows selected`. `total` is the number of rows, and `hidden` that of hidden ones. */
export function describeRows(range: CellRange, total: number, hidden: number): string {
  const count = countRows(range);
  return `${count === total ? 'All ' : ''}${formatCount(count, 'row')} selected${describeHidden(hidden)}`;
}

const describeHidden = (hidden: number): string =>
  hidden === 0 ? '' : `, ${hidden.toLocaleString()} in collapsed groups`;
