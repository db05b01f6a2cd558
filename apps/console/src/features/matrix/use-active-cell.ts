import { useEffect, useState } from 'react';
import { originOf } from '../../data/cell.ts';
import type { MomentArgs } from '../../lib/moment.ts';
import type { ColumnOfGrid, GridPosition } from './grid-types.ts';
import type { MatrixSearch } from './matrix-search.ts';
import type { FocusedCell } from './status-line.tsx';
import type { CellActions } from './use-cell-actions.ts';
import type { MatrixRead } from './use-matrix.ts';

interface ActiveCellProps {
  readonly matrix: MatrixRead;
  readonly columns: readonly ColumnOfGrid[];
  readonly search: MatrixSearch;
  onSearch(next: Partial<MatrixSearch>): void;
}

export interface ActiveCell {
  readonly active: GridPosition;
  /** Whether the explanation of a cell is open. */
  readonly isOpen: boolean;
  /** Whether the active cell is the explained one. They differ if a filter hides the explained cell. */
  readonly isExplained: boolean;
  move(place: GridPosition): void;
  /** Opens or closes the explanation of the active cell. */
  toggle(): void;
  close(): void;
}

/** Manages the cell with the focus. The URL contains the explained cell, which becomes active when a link is opened. */
export function useActiveCell({ matrix, columns, search, onSearch }: ActiveCellProps): ActiveCell {
  const [place, setPlace] = useState<GridPosition>({ row: 0, column: 0 });
  const { question } = matrix;
  const [restored, setSought] = useState({ key: '', question });
  const isOpen = search.cell !== undefined && search.in !== undefined;
  const active = {
    ...matrix.lines.place({ ...place, row: Math.max(0, Math.min(place.row, matrix.lines.total - 1)) }),
    column: Math.max(0, Math.min(place.column, columns.length - 1)),
  };

  // The explained cell becomes active at its new position after a link was opened or the filter has changed.
  const key = JSON.stringify([search.cell, search.in]);
  if (isOpen && !matrix.isPending && (restored.key !== key || restored.question !== question)) {
    const row = rowNamed(matrix, search.cell ?? '');
    const column = columns.findIndex(({ name }) => name === search.in);
    setSought({ key, question });
    if (row !== null && column !== -1) setPlace({ row, column });
  }

  useStableFocus(place, setPlace, matrix, columns);
  const named = ({ row, column, onGroup }: GridPosition) => {
    const [line, environment] = [onGroup ? undefined : matrix.rowAt(row), columns[column]];
    return line && environment ? { cell: line.name, in: environment.name } : null;
  };
  // The explanation of a row that is not loaded yet opens when the row arrives.
  const [isAwaited, setAwaited] = useState(false);
  const awaited = isAwaited ? named(active) : null;
  useEffect(() => {
    if (!awaited) return;
    setAwaited(false);
    onSearch(awaited);
  });
  const close = () => {
    setAwaited(false);
    onSearch({ cell: undefined, in: undefined });
  };
  return {
    active,
    isOpen,
    isExplained: isOpen && key === JSON.stringify(Object.values(named(active) ?? {})),
    move: (next) => {
      setPlace(next);
      setAwaited(false);
      const names = named(next);
      if (isOpen && names) onSearch(names);
    },
    toggle: () => {
      const names = named(active);
      if (isOpen) close();
      else if (names) onSearch(names);
      else if (!active.onGroup) setAwaited(!isAwaited);
    },
    close,
  };
}

/** Keeps the focus on its cell when other rows or columns are added or removed. */
function useStableFocus(
  place: GridPosition,
  setPlace: (place: GridPosition) => void,
  matrix: MatrixRead,
  columns: readonly ColumnOfGrid[],
): void {
  const at = {
    row: place.row,
    column: place.column,
    name: matrix.rowAt(place.row)?.name,
    environmentId: columns[place.column]?.id,
  };
  const [held, setHeld] = useState(at);
  if (at.name !== undefined && JSON.stringify(held) !== JSON.stringify(at)) {
    const hasStayed = held.row === at.row && held.column === at.column;
    const row = hasStayed && held.name !== undefined ? rowNamed(matrix, held.name) : null;
    const column = hasStayed ? columns.findIndex(({ id }) => id === held.environmentId) : -1;
    const moved = { ...place, row: row ?? at.row, column: column === -1 ? at.column : column };
    setPlace(moved);
    setHeld({
      row: moved.row,
      column: moved.column,
      name: matrix.rowAt(moved.row)?.name,
      environmentId: columns[moved.column]?.id,
    });
  }
}

/** Returns the index of a loaded row; null if no loaded row has the name. */
function rowNamed({ lines, rowAt }: MatrixRead, name: string): number | null {
  for (let row = 0; row < lines.total; row += 1) if (rowAt(row)?.name === name) return row;
  return null;
}

interface InspectionContext {
  readonly matrix: MatrixRead;
  readonly columns: readonly ColumnOfGrid[];
  readonly moment: MomentArgs;
  readonly drafting: CellActions;
}

/** Returns the details of the inspected cell; null while its row is being loaded. */
export function inspectedCell(
  { row, column, onGroup }: GridPosition,
  { matrix, columns, moment, drafting }: InspectionContext,
): FocusedCell | null {
  const [line, environment] = [onGroup ? undefined : matrix.rowAt(row), columns[column]];
  const cell = line?.cells[column];
  if (!line || !environment || !cell) return null;
  const { projectId } = matrix.question;
  return {
    place: { projectId, environmentId: environment.id, name: line.name, moment },
    environmentName: environment.name,
    cell,
    origin: originOf(cell),
    marks: drafting.marksOf(line, environment),
  };
}
