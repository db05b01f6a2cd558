import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { MatrixRow } from '../../data/cell.ts';
import { type MatrixPartRows, type MatrixRequest, ownCountQuery, partQuery, ROWS_PER_PART } from '../../data/matrix.ts';
import { GridLines } from './matrix-rows.ts';

/** The loaded parts of the matrix. */
export interface MatrixRead {
  /** The view that is shown: the previous one while the new one is being loaded. */
  readonly question: MatrixRequest;
  readonly lines: GridLines;
  /** The error if nothing can be shown. */
  readonly error: Error | null;
  /** The error if some visible rows could not be loaded. */
  readonly partError: Error | null;
  /** Whether no part has been loaded yet. */
  readonly isPending: boolean;
  /** The loaded visible rows. */
  readonly parts: readonly (MatrixPartRows | undefined)[];
  /** Undefined while it is being loaded. */
  rowAt(row: number): MatrixRow | undefined;
  /** Returns the revision of a loaded row. */
  revisionAt(row: number): number;
  /** Loads the failed parts again. */
  retry(): void;
}

/** The number of placeholder rows while nothing is loaded, about one screen. */
const AWAITED = new GridLines(24, 24);

/** Loads the parts with the visible rows, and always the first part, which contains the number of rows. */
export function useMatrix(
  asked: MatrixRequest,
  { first, last }: { readonly first: number; readonly last: number },
  /** Whether the project depends on another one, which may own rows. */
  dependsOnOther: boolean,
): MatrixRead {
  const head = useQuery(partQuery(asked, 0));
  const ownCount = useQuery({ ...ownCountQuery(asked), enabled: dependsOnOther });
  const own = dependsOnOther ? ownCount.data : head.data?.total;
  const error = head.error ?? ownCount.error;
  const hasCome = head.data !== undefined && own !== undefined;

  const [shown, setShown] = useState({ question: asked, lines: AWAITED });
  const isOfOther = shown.question.projectId !== asked.projectId;
  if (hasCome && (shown.question !== asked || shown.lines === AWAITED || !isSame(shown.lines, own, head.data.total))) {
    setShown({ question: asked, lines: new GridLines(Math.min(own, head.data.total), head.data.total) });
  } else if (isOfOther || (error && shown.question !== asked)) {
    setShown({ question: asked, lines: AWAITED });
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
  const { read, partError } = useQueries({ queries: parts.map((part) => partQuery(question, part)), combine });
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
