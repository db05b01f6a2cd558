import type { GridPosition } from './grid-types.ts';

/** A rectangle of cells. The first and the last row and column belong to it. */
export interface CellRange {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** The first and the last selected column of a row. */
export interface ColumnSpan {
  readonly left: number;
  readonly right: number;
}

/** Returns the smallest range that contains two cells. */
export function rangeBetween(one: GridPosition, other: GridPosition): CellRange {
  return {
    top: Math.min(one.row, other.row),
    bottom: Math.max(one.row, other.row),
    left: Math.min(one.column, other.column),
    right: Math.max(one.column, other.column),
  };
}

/** Returns the selected columns of a row; null if there are none. */
export function columnsInRow({ top, bottom, left, right }: CellRange, row: number): ColumnSpan | null {
  return row < top || row > bottom ? null : { left, right };
}

export const rowsOf = ({ top, bottom }: CellRange): number => bottom - top + 1;
export const columnsOfRange = ({ left, right }: CellRange): number => right - left + 1;
export const cellCount = (range: CellRange): number => rowsOf(range) * columnsOfRange(range);

/** Describes the size of a range, as in `6 cells selected: 3 parameters × 2 environments`. */
export function describeRange(range: CellRange): string {
  const [cells, rows, columns] = [cellCount(range), rowsOf(range), columnsOfRange(range)];
  const count = (number: number, noun: string) => `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
  return `${count(cells, 'cell')} selected: ${count(rows, 'parameter')} × ${count(columns, 'environment')}`;
}
