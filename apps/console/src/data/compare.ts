import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { Compared, ComparedCount, type ComparedQuery } from '../graphql/compare.graphql.ts';
import { requestGraphql } from '../graphql/request.ts';
import type { ComparedArgs } from '../lib/compare-sides.ts';
import { RequestError } from '../lib/request-error.ts';
import { queryKeys } from './query-keys.ts';

/** The number of rows per page: the largest for which the gateway accepts this query. */
const PAGE = 50;

export type ComparisonPage = NonNullable<ComparedQuery['project']>['differences'];
export type DifferenceRow = ComparisonPage['edges'][number]['node'];
export type ComparisonCell = DifferenceRow['cells'][number];

export interface ComparisonRequest extends ComparedArgs {
  readonly projectId: string;
  readonly q: string | null;
}

export const comparisonKeys = queryKeys('comparison', { onAnyChange: true }, (all) => ({
  rows: (question: ComparisonRequest, after: string | null) => [...all, question, after],
  count: (projectId: string, args: ComparedArgs) => [...all, 'count', projectId, args],
}));

export const comparisonQuery = (question: ComparisonRequest, after: string | null) =>
  queryOptions({
    queryKey: comparisonKeys.rows(question, after),
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => read(question, after, signal),
  });

export const comparisonCountQuery = (projectId: string, args: ComparedArgs) =>
  queryOptions({
    queryKey: comparisonKeys.count(projectId, args),
    queryFn: async ({ signal }) => {
      const { project } = await requestGraphql(ComparedCount, { projectId, ...args }, signal);
      return project && !project.differences.problem ? project.differences.totalCount : null;
    },
  });

/** Returns all current differences, with the sides and columns of the first page. */
export async function readAll(question: ComparisonRequest): Promise<ComparisonPage> {
  const first = await read(question, null);
  const edges = [...first.edges];
  for (let { hasNextPage, endCursor } = first.pageInfo; hasNextPage && endCursor !== null; ) {
    const next = await read(question, endCursor);
    edges.push(...next.edges);
    ({ hasNextPage, endCursor } = next.pageInfo);
  }
  return { ...first, edges };
}

async function read(question: ComparisonRequest, after: string | null, signal?: AbortSignal) {
  const { project } = await requestGraphql(Compared, { ...question, first: PAGE, after }, signal);
  if (!project) throw new RequestError('not_found', 'This project was deleted, or you don’t have access to it.', null);
  if (project.differences.problem) throw new RequestError('unreadable', project.differences.problem.message, null);
  return project.differences;
}

/** Returns whether an error means that a compared object did not exist at the time of its side. */
export const isMissingObjectError = (error: unknown): boolean =>
  error instanceof RequestError && ['not_found', 'NOT_FOUND', 'unknown_revision'].includes(error.code);
