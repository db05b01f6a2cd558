import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { requestGraphql } from '../graphql/request.ts';
import { RolloutOf, type RolloutOfQuery } from '../graphql/rollouts.graphql.ts';
import { queryKeys } from './query-keys.ts';

/** The number of instances per page. */
export const INSTANCES_PER_PAGE = 100;
/** Reports of instances are no events, so they are read again while the page is visible. */
const REFRESH_MS = 2_000;

export const rolloutKeys = queryKeys('rollout', { onAnyChange: true }, (all) => ({
  of: (scope: ShownRolloutScope, page: number, first: number) => [...all, scope, page, first],
}));

export interface ShownRolloutScope {
  /** Names or ids. */
  readonly project: string;
  readonly environment: string;
  /** The latest revision if absent. */
  readonly revision?: number;
}

export type ReadRollout = NonNullable<RolloutOfQuery['rollout']>;

/** The query for the instances of a project in an environment; null if the member cannot access one of them. */
export const rolloutQuery = (scope: ShownRolloutScope, page = 1, first = INSTANCES_PER_PAGE) =>
  queryOptions({
    queryKey: rolloutKeys.of(scope, page, first),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
    queryFn: async ({ signal }) => (await requestGraphql(RolloutOf, { ...scope, first, page }, signal)).rollout ?? null,
  });

/** The query for the counts of a revision. Reads them again only while an instance does not run it yet. */
export const rolloutUntilCurrentQuery = (scope: ShownRolloutScope) =>
  queryOptions({
    ...rolloutQuery(scope, 1, 1),
    refetchInterval: ({ state: { data } }) => (data && data.current < data.total ? REFRESH_MS : false),
  });
