import { type UseQueryResult, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { MatrixRow } from '../../data/cell.ts';
import {
  countsQuery,
  type MatrixPartRows,
  type MatrixRequest,
  partQuery,
  ROWS_PER_PART,
  type RowGroup,
  readCachedCounts,
  readCachedPart,
} from '../../data/matrix.ts';
import { GridLines } from './matrix-rows.ts';

/** A matrix whose parts are loaded as they become visible. */
export interface MatrixRead {
  /** The request whose rows are shown. It is the previous one while the rows of a new one are being loaded. */
  readonly question: MatrixRequest;
  readonly lines: GridLines;
  /** The error that prevents the matrix from being shown. */
  readonly error: Error | null;
  /** The error that prevents some visible rows from being shown. */
  readonly partError: Error | null;
  /** Whether no part has been loaded yet. */
  readonly isPending: boolean;
  /** Whether the rows are those of an earlier request, because those of the current one are being loaded. */
  readonly isOld: boolean;
  /** The parts with visible rows; undefined while they are being loaded. */
  readonly parts: readonly (MatrixPartRows | undefined)[];
  /** Returns a row; undefined while it is being loaded. */
  rowAt(row: number): MatrixRow | undefined;
  /** Returns the index of a loaded row; null if no loaded row has the name. */
  findRow(name: string): number | null;
  /** Returns the revision of a loaded row. */
  revisionAt(row: number): number;
  /** Reloads the parts that failed. */
  retry(): void;
}

interface ShownCounts {
  readonly ownCount: number;
  readonly total: number;
  readonly groups: readonly RowGroup[] | null;
}

/** The request whose rows are shown, and their number. */
interface ShownRequest {
  readonly question: MatrixRequest;
  readonly counts: ShownCounts;
}

/** The placeholder rows before the number of rows is loaded, about one screen. */
const AWAITED: ShownCounts = { ownCount: 24, total: 24, groups: null };

/** The lines that the grid shows. */
export interface VisibleLines {
  readonly first: number;
  readonly last: number;
  /** The keys of the collapsed groups. */
  readonly collapsed: ReadonlySet<string>;
}

/** Loads the parts with visible rows. The first part is always loaded, because it contains the number of rows. */
export function useMatrix(
  requested: MatrixRequest,
  { first, last, collapsed }: VisibleLines,
  /** Whether the project depends on another one and may therefore have inherited rows. */
  dependsOnOther: boolean,
): MatrixRead {
  const client = useQueryClient();
  const head = useQuery({ ...partQuery(requested, 0), placeholderData: () => readCachedPart(client, requested, 0) });
  const hasCounts = dependsOnOther || requested.grouped;
  const counts = useQuery({
    ...countsQuery(requested),
    enabled: hasCounts,
    placeholderData: () => readCachedCounts(client, requested),
  });
  const { ownCount, groups } = hasCounts ? (counts.data ?? {}) : { ownCount: head.data?.total, groups: null };
  const error = head.error ?? counts.error;
  const total = head.data?.total;
  const loaded =
    total !== undefined && ownCount !== undefined
      ? { ownCount: Math.min(ownCount, total), total, groups: groups ?? null }
      : null;
  const shownRequest = useShownRequest(requested, loaded, error !== null);

  const { question } = shownRequest;
  const lines = useMemo(() => new GridLines(shownRequest.counts, collapsed), [shownRequest.counts, collapsed]);
  const parts = useMemo(() => listParts(lines, first, last), [lines, first, last]);
  const combine = useCallback(
    (results: readonly UseQueryResult<MatrixPartRows>[]) => ({
      read: results.map(({ data }) => data),
      partError: results.find((result) => result.error)?.error ?? null,
    }),
    [],
  );
  const queries = parts.map((part) => ({
    ...partQuery(question, part),
    placeholderData: () => readCachedPart(client, question, part),
  }));
  const { read, partError } = useQueries({ queries, combine });
  const [refetchHead, refetchCounts] = [head.refetch, counts.refetch];
  const shownError = loaded ? null : error;
  const isOld = question !== requested;
  const isPending = shownRequest.counts === AWAITED && (loaded !== null || !error);
  // The same object until something changes, so that moving through cells renders only what depends on the cell.
  return useMemo((): MatrixRead => {
    const byPart = new Map(parts.map((part, at) => [part, read[at]]));
    const partWith = (row: number) => byPart.get(Math.floor(row / ROWS_PER_PART));
    return {
      question,
      lines,
      error: shownError,
      partError,
      parts: read,
      isPending,
      isOld,
      rowAt: (row) => partWith(row)?.lines[row % ROWS_PER_PART],
      findRow: (name) => {
        for (const [part, rows] of byPart) {
          const at = rows?.lines.findIndex((line) => line.name === name) ?? -1;
          if (at !== -1) return part * ROWS_PER_PART + at;
        }
        return null;
      },
      revisionAt: (row) => partWith(row)?.revision ?? 0,
      retry: () => void Promise.all([refetchHead(), hasCounts && refetchCounts()]),
    };
  }, [question, lines, shownError, partError, read, isPending, isOld, parts, hasCounts, refetchHead, refetchCounts]);
}

/** Returns the request whose rows are shown: the previous one until the rows of the new one are loaded. */
function useShownRequest(requested: MatrixRequest, loaded: ShownCounts | null, hasFailed: boolean): ShownRequest {
  const [previous, setPrevious] = useState<ShownRequest>({ question: requested, counts: AWAITED });
  const isRequested = previous.question === requested;
  const isOver = previous.question.projectId !== requested.projectId || (hasFailed && !isRequested);
  const isCurrent = loaded ? isRequested && isSame(previous.counts, loaded) : !isOver;
  const shownRequest = isCurrent ? previous : { question: requested, counts: loaded ?? AWAITED };
  useEffect(() => setPrevious(shownRequest));
  return shownRequest;
}

const isSame = (left: ShownCounts, right: ShownCounts) =>
  left !== AWAITED && left.ownCount === right.ownCount && left.total === right.total && left.groups === right.groups;

/** Returns the parts that contain the rows of some lines. Collapsed groups need no rows. */
function listParts(lines: GridLines, first: number, last: number): readonly number[] {
  const end = Math.max(0, Math.min(last, lines.count - 1));
  const start = Math.max(0, Math.min(first, end));
  const shownLines = Array.from({ length: end - start + 1 }, (_, at) => lines.at(start + at));
  const parts = shownLines.flatMap((line) => (line.kind === 'row' ? Math.floor(line.row / ROWS_PER_PART) : []));
  return [...new Set(parts.length > 0 ? parts : [0])];
}
