import { type UseQueryResult, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { MatrixRow } from '../../data/cell.ts';
import {
  knownOwnCount,
  knownPart,
  type MatrixPartRows,
  type MatrixRequest,
  ownCountQuery,
  partQuery,
  ROWS_PER_PART,
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
  /** The parts with visible rows; undefined while they are being loaded. */
  readonly parts: readonly (MatrixPartRows | undefined)[];
  /** Returns a row; undefined while it is being loaded. */
  rowAt(row: number): MatrixRow | undefined;
  /** Returns the revision of a loaded row. */
  revisionAt(row: number): number;
  /** Reloads the parts that failed. */
  retry(): void;
}

/** The placeholder rows before the number of rows is loaded, about one screen. */
const AWAITED = new GridLines(24, 24);

/** Loads the parts with visible rows. The first part is always loaded, because it contains the number of rows. */
export function useMatrix(
  requested: MatrixRequest,
  { first, last }: { readonly first: number; readonly last: number },
  /** Whether the project depends on another one and may therefore have inherited rows. */
  dependsOnOther: boolean,
): MatrixRead {
  const client = useQueryClient();
  const head = useQuery({ ...partQuery(requested, 0), placeholderData: () => knownPart(client, requested, 0) });
  const ownCount = useQuery({
    ...ownCountQuery(requested),
    enabled: dependsOnOther,
    placeholderData: () => knownOwnCount(client, requested),
  });
  const own = dependsOnOther ? ownCount.data : head.data?.total;
  const error = head.error ?? ownCount.error;
  const hasCome = head.data !== undefined && own !== undefined;

  const [shown, setShown] = useState({ question: requested, lines: AWAITED });
  const isOfOther = shown.question.projectId !== requested.projectId;
  if (
    hasCome &&
    (shown.question !== requested || shown.lines === AWAITED || !isSame(shown.lines, own, head.data.total))
  ) {
    setShown({ question: requested, lines: new GridLines(Math.min(own, head.data.total), head.data.total) });
  } else if (isOfOther || (error && shown.question !== requested)) {
    setShown({ question: requested, lines: AWAITED });
  }

  const { question, lines } = shown;
  const partOf = (row: number) => Math.floor(Math.max(0, Math.min(row, lines.total - 1)) / ROWS_PER_PART);
  const parts = numbersBetween(partOf(first), partOf(last));
  const combine = useCallback(
    (results: readonly UseQueryResult<MatrixPartRows>[]) => ({
      read: results.map(({ data }) => data),
      partError: results.find((result) => result.error)?.error ?? null,
    }),
    [],
  );
  const queries = parts.map((part) => ({
    ...partQuery(question, part),
    placeholderData: () => knownPart(client, question, part),
  }));
  const { read, partError } = useQueries({ queries, combine });
  const byPart = new Map(parts.map((part, at) => [part, read[at]]));
  return {
    question,
    lines,
    error: hasCome ? null : error,
    partError,
    parts: read,
    isPending: lines === AWAITED && (hasCome || !error),
    rowAt: (row) => byPart.get(Math.floor(row / ROWS_PER_PART))?.lines[row % ROWS_PER_PART],
    revisionAt: (row) => byPart.get(Math.floor(row / ROWS_PER_PART))?.revision ?? 0,
    retry: () => void Promise.all([head.refetch(), dependsOnOther && ownCount.refetch()]),
  };
}

const isSame = (lines: GridLines, own: number, total: number) =>
  lines.total === total && lines.own === Math.min(own, total);

const numbersBetween = (first: number, last: number): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at);
