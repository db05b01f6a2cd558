import { type UseQueryResult, useQueries, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { type CurrentCells, type CurrentCellsState, currentCellsQuery } from '../../data/current-cells.ts';
import { type Drafts, draftKey } from '../../lib/draft.ts';
import { conflictsAndMoves, type DraftConflict } from '../../lib/draft-status.ts';
import type { DraftsHandle } from './drafts.ts';

/** Returns the drafts with conflicts by key. Drafts without a conflict move to the current version of their cell. */
export function useConflicts({ drafts, move }: DraftsHandle): ReadonlyMap<string, DraftConflict> {
  const client = useQueryClient();
  const latest = useRef<Drafts>(drafts);
  useEffect(() => {
    latest.current = drafts;
  }, [drafts]);
  const projectIds = useMemo(
    () => [...new Set([...drafts.values()].map(({ projectId }) => projectId))].sort(),
    [drafts],
  );
  const combine = useCallback(
    (results: readonly UseQueryResult<CurrentCellsState>[]): CurrentCells =>
      new Map(results.flatMap(({ data }) => [...(data?.cells ?? [])])),
    [],
  );
  const currentCells = useQueries({
    queries: projectIds.map((id) =>
      currentCellsQuery(client, id, () => [...latest.current.values()].filter(({ projectId }) => projectId === id)),
    ),
    combine,
  });
  const { conflicts, moves } = useMemo(
    () => conflictsAndMoves(drafts, (draft) => currentCells.get(draftKey(draft))),
    [drafts, currentCells],
  );
  useEffect(() => {
    if (moves.size > 0) move(moves);
  }, [moves, move]);
  return conflicts;
}
