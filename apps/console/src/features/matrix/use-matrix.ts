import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { MatrixLine } from '../../data/cell.ts';
import { type MatrixPartRows, type MatrixRequest, ownCountQuery, PART, partQuery } from '../../data/matrix.ts';
import { GridLines } from './matrix-rows.ts';

/** The matrix as far as it was read. */
export interface MatrixRead {
  /** What it answers: the question before, while the one that was asked is on its way. */
  readonly question: MatrixRequest;
  readonly lines: GridLines;
  /** Why there is nothing to show. */
  readonly error: Error | null;
  /** Why some of the rows in sight are not there. */
  readonly partError: Error | null;
  /** Nothing of it has come yet. */
  readonly isPending: boolean;
  /** What was read of it, as far as that is in sight. */
  readonly parts: readonly (MatrixPartRows | undefined)[];
  /** Undefined while it is on its way. */
  rowAt(row: number): MatrixLine | undefined;
  /** The revision at which a row was read. */
  revisionAt(row: number): number;
  /** Asks again for what could not be read. */
  retry(): void;
}

/** What is shown until something has come: places of rows, about a screen of them. */
const AWAITED = new GridLines(24, 24);

/** Reads the parts of the matrix that hold the rows between these two; the first part always, since it says how many there are. */
export function useMatrix(
  asked: MatrixRequest,
  { first, last }: { readonly first: number; readonly last: number },
  /** Whether the project depends on another, so that rows may be from there. */
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
  const partOf = (row: number) => Math.floor(Math.max(0, Math.min(row, lines.total - 1)) / PART);
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
    rowAt: (row) => byPart.get(Math.floor(row / PART))?.lines[row % PART],
    revisionAt: (row) => byPart.get(Math.floor(row / PART))?.revision ?? 0,
    retry: () => void Promise.all([head.refetch(), dependsOnOther && ownCount.refetch()]),
  };
}

const isSame = (lines: GridLines, own: number, total: number) =>
  lines.total === total && lines.own === Math.min(own, total);

const numbersBetween = (first: number, last: number): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at);
