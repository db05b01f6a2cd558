import { useState } from 'react';
import { type CellRange, cellCount, rangeBetween } from './cell-range.ts';
import type { ColumnOfGrid, GridPosition } from './grid-types.ts';
import type { MatrixRead } from './use-matrix.ts';

interface SelectionProps {
  readonly active: GridPosition;
  readonly matrix: MatrixRead;
  readonly columns: readonly ColumnOfGrid[];
  /** Makes another cell the active one. */
  move(place: GridPosition): void;
}

export interface CellSelection {
  /** The selected cells; the active cell alone if the user has selected no range. */
  readonly range: CellRange;
  /** Whether several cells are selected. */
  readonly isSeveral: boolean;
  /** Selects the cells from an anchor to another cell, which becomes active. Without an anchor, the present one stays. */
  extend(to: GridPosition, anchor?: GridPosition): void;
  /** Selects a range without a move. It must contain the active cell. */
  select(range: CellRange): void;
  clear(): void;
}

interface Selected {
  readonly anchor: GridPosition;
  readonly end: GridPosition;
  /** The cell that was active, and the rows and columns that were shown, when the range was selected. */
  readonly of: string;
}

/**
 * Manages the selected range. It ends when another cell becomes active, and when rows or columns are added, removed or sorted, because
 * the same positions would then contain other cells.
 */
export function useSelection({ active, matrix: { question, lines }, columns, move }: SelectionProps): CellSelection {
  const [selected, setSelected] = useState<Selected | null>(null);
  const { q, state, sortedById, descending } = question;
  const order = [q, state, sortedById, descending];
  const shown = JSON.stringify([lines.own, lines.total, ...order, columns.map(({ id }) => id)]);
  const contextOf = ({ row, column }: GridPosition) => `${row} ${column} ${shown}`;
  const valid = selected?.of === contextOf(active) ? selected : null;
  const range = rangeBetween(valid?.anchor ?? active, valid?.end ?? active);
  return {
    range,
    isSeveral: cellCount(range) > 1,
    extend: (end, anchor = valid?.anchor ?? active) => {
      setSelected({ anchor, end, of: contextOf(end) });
      move(end);
    },
    select: ({ top, bottom, left, right }) =>
      setSelected({ anchor: { row: top, column: left }, end: { row: bottom, column: right }, of: contextOf(active) }),
    clear: () => setSelected(null),
  };
}
