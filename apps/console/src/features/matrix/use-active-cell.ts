import { useRouter } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { originOf } from '../../data/cell.ts';
import type { MatrixRequest } from '../../data/matrix.ts';
import { lastCell, rememberCell } from '../../kit/drafts/last-grids.ts';
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

/** The names of the explained cell, as in the URL. */
export interface ExplainedNames {
  readonly cell: string;
  readonly in: string;
}

export interface ActiveCell {
  readonly active: GridPosition;
  /** The cell whose explanation is open; null if none is. */
  readonly explained: ExplainedNames | null;
  /** Whether the active cell is the explained one. They differ if a filter hides the explained cell. */
  readonly isExplained: boolean;
  move(place: GridPosition): void;
  /** Opens or closes the explanation of the active cell. */
  toggle(): void;
  close(): void;
}

/** The time for which a cell must be explained before the URL names it, because a new URL renders links on the whole page. */
const URL_MS = 150;

/** The cell whose explanation is open; null if none is. */
interface ExplainedChoice {
  readonly names: ExplainedNames | null;
}

/** Returns the explained cell. It changes at once, and the URL follows. */
function useExplainedNames(search: MatrixSearch, onSearch: ActiveCellProps['onSearch']) {
  // A new object after each change of the URL, also if the URL names the same cell as before, or none again.
  const inUrl = useMemo(
    (): ExplainedChoice => ({
      names: search.cell === undefined || search.in === undefined ? null : { cell: search.cell, in: search.in },
    }),
    [search.cell, search.in],
  );
  const [chosen, setChosen] = useState<(ExplainedChoice & { readonly instead: ExplainedChoice }) | null>(null);
  // A choice applies until the URL changes, because of it or because of a link.
  const isAhead = chosen?.instead === inUrl;
  const router = useRouter();
  useEffect(() => {
    if (!isAhead) return;
    const timer = setTimeout(() => {
      // The user may have opened another page, which is still being loaded.
      const isLeaving = router.latestLocation.pathname !== router.state.resolvedLocation?.pathname;
      if (!isLeaving) onSearch(chosen.names ?? { cell: undefined, in: undefined });
    }, URL_MS);
    return () => clearTimeout(timer);
  }, [isAhead, chosen, onSearch, router]);
  return {
    explained: isAhead ? chosen.names : inUrl.names,
    explain: (names: ExplainedNames | null) => setChosen({ names, instead: inUrl }),
  };
}

/** Returns a key of the filter and the order, on which the positions of rows depend. */
const createRowsKey = ({ q, state, sortedById, descending, grouped }: MatrixRequest): string =>
  JSON.stringify([q, state, sortedById, descending, grouped]);

/** Manages the cell with the focus. The URL contains the explained cell, which becomes active when a link is opened. */
export function useActiveCell({ matrix, columns, search, onSearch }: ActiveCellProps): ActiveCell {
  const [place, setPlace] = useState<GridPosition>({ row: 0, column: 0 });
  const { question } = matrix;
  const [restored, setSought] = useState({ key: '', question });
  const { explained, explain } = useExplainedNames(search, onSearch);
  const [last] = useState(() => lastCell(question.projectId));
  const active = {
    ...matrix.lines.place({ ...place, row: Math.max(0, Math.min(place.row, matrix.lines.total - 1)) }),
    column: Math.max(0, Math.min(place.column, columns.length - 1)),
  };

  // The explained cell becomes active at its new position after a link was opened or the filter has changed, and the last one when the
  // user returns to the project.
  const key = JSON.stringify([explained?.cell, explained?.in]);
  const sought = explained ?? (restored.key === '' ? last : null);
  if (sought && !matrix.isPending && (restored.key !== key || restored.question !== question)) {
    // The row of the last cell may not be loaded yet. Its position is known if the filter and the order are the same.
    const lastRow = sought === last && last.rowsKey === createRowsKey(question) ? last.row : null;
    const row = rowNamed(matrix, sought.cell) ?? lastRow;
    const column = columns.findIndex(({ name }) => name === sought.in);
    setSought({ key, question });
    if (row !== null && column !== -1) setPlace({ row, column });
  }

  useStableFocus(place, setPlace, matrix, columns);
  const named = ({ row, column, onGroup }: GridPosition) => {
    const [line, environment] = [onGroup ? undefined : matrix.rowAt(row), columns[column]];
    return line && environment ? { cell: line.name, in: environment.name } : null;
  };
  const current = matrix.isPending ? null : named(active);
  useEffect(() => {
    if (current) rememberCell(question.projectId, { ...current, row: active.row, rowsKey: createRowsKey(question) });
  });
  // The explanation of a row that is not loaded yet opens when the row arrives.
  const [isAwaited, setAwaited] = useState(false);
  const awaited = isAwaited ? named(active) : null;
  useEffect(() => {
    if (!awaited) return;
    setAwaited(false);
    explain(awaited);
  });
  const close = () => {
    setAwaited(false);
    if (explained) explain(null);
  };
  return {
    active,
    explained,
    isExplained: explained !== null && key === JSON.stringify(Object.values(named(active) ?? {})),
    move: (next) => {
      setPlace(next);
      setAwaited(false);
      const names = named(next);
      if (explained && names) explain(names);
    },
    toggle: () => {
      const names = named(active);
      if (explained) close();
      else if (names) explain(names);
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
