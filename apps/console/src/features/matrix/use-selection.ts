import { useState } from 'react';
import {
  type CellRange,
  cellCount,
  hasCell,
  hasRow,
  type RowSpan,
  rangeBetween,
  rowsWithin,
  withRows,
} from './cell-range.ts';
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
  /** The selected cells; the active cell alone if the user has selected none. */
  readonly range: CellRange;
  /** Whether several cells or whole rows are selected. */
  readonly isSeveral: boolean;
  /** Whether whole rows are selected, which stay selected when another cell becomes active. */
  readonly hasRows: boolean;
  /** Whether the selection of rows has ended because the rows have changed, until it is cleared. */
  readonly hasEnded: boolean;
  /** The ids of the parameters in some of the selected rows, with which moved rows are detected. */
  readonly ids: ReadonlyMap<number, string>;
  /** The cells that an action in a cell applies to: the selected ones if it is one of them, or else the cell alone. */
  at(place: GridPosition): CellRange;
  /** Selects the cells from an anchor to another cell, which becomes active. Without an anchor, the present one stays. */
  extend(to: GridPosition, anchor?: GridPosition): void;
  /** Selects a rectangle without a move. It must contain the active cell. */
  select(corner: GridPosition, other: GridPosition): void;
  /** Selects whole rows or deselects them, in addition to other rows. */
  setRows(rows: RowSpan, isSelected: boolean): void;
  /** Selects some rows in addition to other ones, or deselects them if all of them are selected. */
  toggleRows(rows: RowSpan): void;
  /** Selects or deselects a row; with `isRange`, the rows from the previous one to this one. */
  toggleRow(row: number, isRange: boolean): void;
  clear(): void;
}

interface Selected {
  readonly kind: 'cells' | 'rows' | 'ended';
  readonly spans: readonly RowSpan[];
  /** The first and the last selected cell. For rows, `end` is the row that was selected last. */
  readonly anchor: GridPosition;
  readonly end: GridPosition;
  /** The rows that the positions refer to and, for cells, the columns and the active cell. */
  readonly of: string;
  /** As in `CellSelection`: the parameters at the ends of the spans, as far as they were loaded. */
  readonly ids: ReadonlyMap<number, string>;
}

const NO_IDS: ReadonlyMap<number, string> = new Map();

/**
 * Manages the selected cells. Whole rows stay selected until the user deselects them; other cells, until another cell becomes active. A
 * selection ends when rows are added, removed, sorted, grouped or filtered, and during time travel, because the same positions would then contain other cells.
 */
export function useSelection({ active, matrix, columns, move }: SelectionProps): CellSelection {
  const [selected, setSelected] = useState<Selected | null>(null);
  const { own, total } = matrix.lines;
  // The visible environments do not decide which rows are shown.
  const order = JSON.stringify([own, total, { ...matrix.question, environmentIds: [] }]);
  const contextOf = (kind: 'cells' | 'rows', { row, column }: GridPosition) =>
    kind === 'rows' ? order : `${row} ${column} ${columns.map(({ id }) => id)} ${order}`;
  const hasMoved = ({ ids }: Selected) => [...ids].some(([row, id]) => (matrix.rowAt(row)?.parameterId ?? id) !== id);

  if (selected?.kind === 'rows' && (selected.of !== order || hasMoved(selected))) {
    setSelected({ ...selected, kind: 'ended' });
  }
  const isValid =
    selected && selected.kind !== 'ended' && selected.of === contextOf(selected.kind, active) && !hasMoved(selected);
  const valid = isValid ? selected : null;
  const hasRows = valid?.kind === 'rows' && valid.spans.length > 0;
  const cellsOnly = valid?.kind === 'cells' ? valid : null;
  const single = rangeBetween(active, active);
  const range = hasRows
    ? { spans: valid.spans, left: 0, right: columns.length - 1 }
    : rangeBetween(cellsOnly?.anchor ?? active, cellsOnly?.end ?? active);

  const put = (
    kind: 'cells' | 'rows',
    spans: readonly RowSpan[],
    anchor: GridPosition,
    end: GridPosition,
    at = active,
  ) => {
    const ends = new Set(spans.flatMap(({ top, bottom }) => [top, bottom]));
    const ids = [...ends].flatMap((row): readonly [number, string][] => {
      const id = matrix.rowAt(row)?.parameterId ?? valid?.ids.get(row);
      return id === undefined ? [] : [[row, id]];
    });
    setSelected({ kind, spans, anchor, end, of: contextOf(kind, at), ids: new Map(ids) });
  };
  const select = (anchor: GridPosition, end: GridPosition, at?: GridPosition) =>
    put('cells', rangeBetween(anchor, end).spans, anchor, end, at);
  const setRows = (rows: RowSpan, isSelected: boolean, end = rows.bottom) => {
    const place = { row: end, column: 0 };
    put('rows', withRows(hasRows ? valid.spans : [], rows, isSelected), place, place);
  };
  return {
    range,
    isSeveral: hasRows || cellCount(range) > 1,
    hasRows,
    ids: valid?.ids ?? NO_IDS,
    hasEnded: selected?.kind === 'ended',
    at: (place) => (hasCell(range, place) ? range : place === active ? single : rangeBetween(place, place)),
    extend: (end, anchor = cellsOnly?.anchor ?? active) => {
      select(anchor, end, end);
      move(end);
    },
    select: (corner, other) => select(corner, other),
    setRows,
    toggleRows: (rows) => setRows(rows, !hasRows || rowsWithin(range, rows) <= rows.bottom - rows.top),
    toggleRow: (row, isRange) => {
      const from = isRange && hasRows ? valid.end.row : row;
      setRows({ top: Math.min(from, row), bottom: Math.max(from, row) }, !hasRow(range, row) || !hasRows, row);
    },
    clear: () => setSelected(null),
  };
}
