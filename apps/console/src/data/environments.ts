import { queryOptions } from '@tanstack/react-query';
import {
  EnvironmentCounts,
  type EnvironmentCountsQuery,
  EnvironmentDetails,
  type EnvironmentDetailsQuery,
  LastEnvironmentChange,
} from '../graphql/environment-page.graphql.ts';
import { Environments } from '../graphql/environments.graphql.ts';
import { readAllPages, requestGraphql } from '../graphql/request.ts';
import { asTree, type TreePosition } from '../lib/environment-tree.ts';
import type { PointInTimeArgs } from '../lib/point-in-time.ts';
import { queryKeys } from './query-keys.ts';

export const environmentKeys = queryKeys('environments', { on: ['environment'], isFirst: true }, (all) => ({
  list: (pointInTime: PointInTimeArgs) => [...all, pointInTime],
  allDetails: [...all, 'details'],
  details: (pointInTime: PointInTimeArgs) => [...all, 'details', pointInTime],
}));

export const environmentsQuery = (pointInTime: PointInTimeArgs = {}) =>
  queryOptions({
    queryKey: environmentKeys.list(pointInTime),
    queryFn: async ({ signal }) =>
      asTree(
        await readAllPages(
          async (after) => (await requestGraphql(Environments, { after, ...pointInTime }, signal)).environments,
        ),
      ),
  });

type ReadEnvironment = EnvironmentDetailsQuery['environments']['edges'][number]['node'];
export type DetailedEnvironment = ReadEnvironment & TreePosition;

/** The query for all environments with the details of their pages, parents before their children. */
export const environmentDetailsQuery = (pointInTime: PointInTimeArgs = {}) =>
  queryOptions({
    queryKey: environmentKeys.details(pointInTime),
    queryFn: async ({ signal }): Promise<readonly DetailedEnvironment[]> => {
      const rows = await readAllPages(
        async (after) => (await requestGraphql(EnvironmentDetails, { after, ...pointInTime }, signal)).environments,
      );
      return asTree(rows);
    },
  });

export const environmentCountKeys = queryKeys('environment_counts', { onAnyChange: true }, (all) => ({
  lastChange: (id: string) => [...all, 'last_change', id],
}));

export type EnvironmentCount = NonNullable<EnvironmentCountsQuery['environmentSummary']>['environments'][number];

/** The query for the number of objects in each readable environment, by its id. */
export const environmentCountsQuery = queryOptions({
  queryKey: environmentCountKeys.all,
  queryFn: async ({ signal }): Promise<ReadonlyMap<string, EnvironmentCount>> => {
    const { environmentSummary } = await requestGraphql(EnvironmentCounts, {}, signal);
    return new Map(environmentSummary?.environments.map((count) => [count.environmentId, count]));
  },
});

/** The query for the last change of an environment and of the values in it; null if the user can see none. */
export const lastEnvironmentChangeQuery = (id: string) =>
  queryOptions({
    queryKey: environmentCountKeys.lastChange(id),
    queryFn: async ({ signal }) =>
      (await requestGraphql(LastEnvironmentChange, { environment: id }, signal)).changesets.edges[0]?.node ?? null,
  });
