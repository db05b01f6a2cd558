import { type QueryClient, queryOptions } from '@tanstack/react-query';
import {
  MatrixCounts,
  type MatrixCountsQuery,
  MatrixPart,
  type MatrixPartQueryVariables,
} from '../graphql/matrix.graphql.ts';
import { requestGraphql } from '../graphql/request.ts';
import type { PointInTimeArgs } from '../lib/point-in-time.ts';
import { RequestError } from '../lib/request-error.ts';
import type { MatrixRow } from './cell.ts';
import { queryKeys } from './query-keys.ts';

/** The number of rows per request. The visible rows belong to at most two requests. */
export const ROWS_PER_PART = 100;

export type MatrixFilterState =
  NonNullable<MatrixPartQueryVariables['state']> extends infer Given
    ? Exclude<Given extends readonly (infer One)[] ? One : Given, readonly unknown[]>
    : never;

/** The maximum number of rows per request by id. */
export const ROWS_MAX = 200;

/** The filter and the point in time of a matrix. Equal ones have the same rows in the same order at one revision. */
export interface MatrixRequest {
  readonly projectId: string;
  readonly environmentIds: readonly string[];
  readonly q: string;
  readonly state: MatrixFilterState | null;
  /** The environment by whose values the rows are sorted; null for the order by name. */
  readonly sortedById: string | null;
  readonly descending: boolean;
  /** Whether the rows are grouped by the prefixes of their names. */
  readonly grouped: boolean;
  readonly pointInTime: PointInTimeArgs;
}

export interface MatrixPartRows {
  readonly total: number;
  readonly revision: number;
  readonly lines: readonly MatrixRow[];
}

/** The number of rows that the project itself owns, which come before inherited rows, and the groups of all rows. */
export interface MatrixRowCounts {
  readonly ownCount: number;
  /** Null if the rows are not grouped. */
  readonly groups: readonly RowGroup[] | null;
}

/** Consecutive rows with the same prefix; null if they belong to no group. */
export type RowGroup = NonNullable<NonNullable<MatrixCountsQuery['project']>['grouped']>['groups'][number];

const requestVariables = ({ projectId, environmentIds, q, state, pointInTime }: MatrixRequest) => ({
  projectId,
  environments: environmentIds,
  q: q || null,
  state: state && [state],
  ...pointInTime,
});

export const matrixKeys = queryKeys('matrix', { isSeparate: true }, (all) => ({
  part: (question: MatrixRequest, part: number | 'counts') => [...all, question.projectId, question, part] as const,
}));

/** The query for a part of the rows, which starts at row `part * PART`, with all cells. */
export const partQuery = (question: MatrixRequest, part: number) =>
  queryOptions({
    queryKey: matrixKeys.part(question, part),
    queryFn: ({ signal }) => readPart(question, { first: ROWS_PER_PART, skip: part * ROWS_PER_PART }, signal),
  });

/** A row, and the revision at which it was loaded. */
export interface LoadedRow {
  readonly line: MatrixRow;
  readonly revision: number;
}

/** The number of requests that are sent at a time for rows that are not visible. */
const REQUESTS = 4;

/** Returns the rows with these indexes, and loads those that are not cached. Throws if some of them do not exist any more. */
export async function readRowsAt(
  client: QueryClient,
  question: MatrixRequest,
  rows: readonly number[],
): Promise<readonly LoadedRow[]> {
  const parts = [...new Set(rows.map((row) => Math.floor(row / ROWS_PER_PART)))];
  const loadedRows = new Map<number, MatrixPartRows>();
  for (let at = 0; at < parts.length; at += REQUESTS) {
    const batch = parts.slice(at, at + REQUESTS);
    // Events mark the parts that have changed, so that only these are loaded again.
    const read = await Promise.all(
      batch.map((part) => client.fetchQuery({ ...partQuery(question, part), staleTime: Number.POSITIVE_INFINITY })),
    );
    for (const [index, part] of batch.entries()) if (read[index]) loadedRows.set(part, read[index]);
  }
  return rows.map((row) => {
    const part = loadedRows.get(Math.floor(row / ROWS_PER_PART));
    const line = part?.lines[row % ROWS_PER_PART];
    if (!part || !line) throw rowsChangedError();
    return { line, revision: part.revision };
  });
}

/** The error of an action on rows that are not those that were selected. */
export const rowsChangedError = () =>
  new RequestError('rows_changed', 'The parameters have changed meanwhile. Select them again.', null);

/** Returns the rows of at most `ROWS_MAX` parameters. */
export const readRows = (question: MatrixRequest, ids: readonly string[]): Promise<MatrixPartRows> =>
  readPart(question, { ids, first: ids.length, skip: 0 });

/** The project's own parameters come first in every order. */
function requestOrder({ sortedById, descending, grouped }: MatrixRequest) {
  const keys = sortedById !== null ? ['value'] : grouped ? ['prefix', 'name'] : ['name'];
  const ordering = ['project', ...keys.map((key) => `${descending ? '-' : ''}${key}`)].join();
  return { ordering, orderEnvironment: sortedById };
}

type PartVariables = Pick<MatrixPartQueryVariables, 'first' | 'skip' | 'ids'>;

async function readPart(
  question: MatrixRequest,
  partVariables: PartVariables,
  signal?: AbortSignal,
): Promise<MatrixPartRows> {
  const { project } = await requestGraphql(
    MatrixPart,
    { ...requestVariables(question), ...requestOrder(question), ...partVariables },
    signal,
  );
  const { problem, totalCount, revision, edges } = project?.matrix ?? NOTHING;
  if (problem) throw new RequestError('unreadable', problem.message, null);
  return { total: totalCount, revision: revision ?? 0, lines: edges.map(({ node }) => node) };
}

/** The query for the numbers of rows. */
export const countsQuery = (question: MatrixRequest) =>
  queryOptions({
    queryKey: matrixKeys.part(question, 'counts'),
    queryFn: async ({ signal }): Promise<MatrixRowCounts> => {
      const { ordering } = requestOrder(question);
      const variables = { ...requestVariables(question), ordering, grouped: question.grouped };
      const { own, grouped } = (await requestGraphql(MatrixCounts, variables, signal)).project ?? {};
      if (grouped?.problem) throw new RequestError('unreadable', grouped.problem.message, null);
      return { ownCount: own?.totalCount ?? 0, groups: grouped?.groups ?? null };
    },
  });

/**
 * Returns a part with the cells that a request for more environments has loaded, so that columns can be hidden and shown again without
 * waiting. Returns undefined without such a request, and with a filter, because its rows depend on the environments.
 */
export function readCachedPart(client: QueryClient, question: MatrixRequest, part: number): MatrixPartRows | undefined {
  for (const { rows, at } of knownRequests(client, question, part)) {
    if ('lines' in rows) return { ...rows, lines: rows.lines.map((line) => withCells(line, at)) };
  }
  return undefined;
}

/** Returns the numbers of rows, if a request for more environments has loaded them. */
export function readCachedCounts(client: QueryClient, question: MatrixRequest): MatrixRowCounts | undefined {
  for (const { rows } of knownRequests(client, question, 'counts')) if ('ownCount' in rows) return rows;
  return undefined;
}

interface KnownRows {
  readonly rows: MatrixPartRows | MatrixRowCounts;
  /** The positions of the requested environments. */
  readonly at: readonly number[];
}

function knownRequests(client: QueryClient, question: MatrixRequest, part: number | 'counts'): readonly KnownRows[] {
  const { projectId, environmentIds, q, state: filter } = question;
  if (q !== '' || filter !== null) return [];
  const queries = client.getQueryCache().findAll({ queryKey: [...matrixKeys.all, projectId] });
  return queries
    .toSorted((left, right) => right.state.dataUpdatedAt - left.state.dataUpdatedAt)
    .flatMap(({ queryKey, state: { data, isInvalidated } }) => {
      const [, , cachedQuestion, partVariables] = queryKey as ReturnType<typeof matrixKeys.part>;
      const isSame = partVariables === part && haveSameRows(cachedQuestion, question);
      if (!isSame || data === undefined || isInvalidated) return [];
      const at = environmentIds.map((id) => cachedQuestion.environmentIds.indexOf(id));
      return at.includes(-1) ? [] : [{ rows: data as MatrixPartRows | MatrixRowCounts, at }];
    });
}

/** Returns whether two requests have the same rows in the same order at one revision, if they have the same project. */
const haveSameRows = (left: MatrixRequest, right: MatrixRequest) =>
  left.q === right.q &&
  left.state === right.state &&
  left.sortedById === right.sortedById &&
  left.descending === right.descending &&
  left.grouped === right.grouped &&
  left.pointInTime.asOf === right.pointInTime.asOf &&
  left.pointInTime.revision === right.pointInTime.revision;

const withCells = (line: MatrixRow, at: readonly number[]): MatrixRow => ({
  ...line,
  cells: at.flatMap((index) => line.cells[index] ?? []),
});

const NOTHING = { problem: null, totalCount: 0, revision: null, edges: [] };
