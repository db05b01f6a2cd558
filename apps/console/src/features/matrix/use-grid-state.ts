import { useRouter } from '@tanstack/react-router';
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef } from 'react';
import { lastCell, rememberCell } from '../../kit/drafts/last-grids.ts';
import { follow, initialState, reduce } from './grid-reducer.ts';
import { createRowsKey, type GridCommand, type GridDispatch, type GridState, namesAt } from './grid-state.ts';
import { type CellNames, type ColumnOfGrid, isSameCell } from './grid-types.ts';
import type { MatrixSearch } from './matrix-search.ts';
import type { MatrixRead } from './use-matrix.ts';

interface GridStateProps {
  readonly matrix: MatrixRead;
  readonly columns: readonly ColumnOfGrid[];
  readonly search: MatrixSearch;
  onSearch(next: Partial<MatrixSearch>): void;
}

/** The time for which the status line shows the result of an action. */
const NOTICE_MS = 6_000;

/** Binds the state of the grid to the rows and to the URL, which contains the explained cell. */
export function useGridState({ matrix, columns, search, onSearch }: GridStateProps) {
  const { projectId } = matrix.question;
  const rows = useMemo(() => ({ ...matrix, columns }), [matrix, columns]);
  const [stored, dispatch] = useReducer(
    (previous: GridState, command: GridCommand) => reduce(previous, command, rows),
    null,
    () => initialState(rows, namesIn(search), lastCell(projectId)),
  );
  // The positions always refer to the rows that the page shows.
  const state = useMemo(() => follow(stored, rows), [stored, rows]);
  useEffect(() => {
    if (state !== stored) dispatch({ kind: 'follow' });
  }, [state, stored]);

  useExplainedInUrl(state.explained, { search, onSearch }, dispatch);
  const { active, message, selection } = state;
  useEffect(() => {
    const names = rows.isPending ? null : namesAt(rows, active);
    if (names) rememberCell(projectId, { ...names, row: active.row, rowsKey: createRowsKey(rows) });
  }, [rows, active, projectId]);
  const isPassing = message?.kind === 'notice' || selection?.kind === 'ended';
  // biome-ignore lint/correctness/useExhaustiveDependencies: each message has its own time
  useEffect(() => {
    if (!isPassing) return;
    const timer = setTimeout(() => dispatch({ kind: 'endNotice' }), NOTICE_MS);
    return () => clearTimeout(timer);
  }, [isPassing, message]);
  return { state, dispatch };
}

const namesIn = ({ cell, in: environmentName }: MatrixSearch): CellNames | null =>
  cell === undefined || environmentName === undefined ? null : { cell, in: environmentName };

/** The time for which a cell must be explained before the URL names it, because a new URL renders links on the whole page. */
const URL_MS = 150;

/** Keeps the explained cell and the URL equal. The explained cell changes at once, and the URL follows. */
function useExplainedInUrl(
  explained: CellNames | null,
  { search, onSearch }: Pick<GridStateProps, 'search' | 'onSearch'>,
  dispatch: GridDispatch,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the other parameters do not name a cell
  const link = useMemo(() => namesIn(search), [search.cell, search.in]);
  const router = useRouter();
  /** The names that the URL has, or will have because of the last request. */
  const requested = useRef(link);
  useLayoutEffect(() => {
    if (!isSameCell(link, requested.current)) dispatch({ kind: 'openLink', names: link });
    requested.current = link;
  }, [link, dispatch]);
  useEffect(() => {
    if (isSameCell(explained, link)) return;
    const timer = setTimeout(() => {
      // The user may have opened another page, which is still being loaded.
      if (router.latestLocation.pathname !== router.state.resolvedLocation?.pathname) return;
      requested.current = explained;
      onSearch(explained ?? { cell: undefined, in: undefined });
    }, URL_MS);
    return () => clearTimeout(timer);
  }, [explained, link, onSearch, router]);
}
