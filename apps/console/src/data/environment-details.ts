import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import {
  EnvironmentCounts,
  type EnvironmentCountsQuery,
  EnvironmentDetails,
  type EnvironmentDetailsQuery,
  EnvironmentTags,
  type EnvironmentTagsQuery,
  InstantOfRevision,
} from '../graphql/environment-page.graphql.ts';
import { allPages, requestGraphql } from '../graphql/request.ts';
import { asTree, type PlacedInTree } from '../lib/environment-tree.ts';
import type { MomentArgs } from '../lib/moment.ts';
import { environmentKeys } from './environments.ts';
import { queryKeys } from './query-keys.ts';

type ReadEnvironment = EnvironmentDetailsQuery['environments']['edges'][number]['node'];
export type DetailedEnvironment = ReadEnvironment & PlacedInTree;

/** Returns all environments with the details of their pages, parents before their children. */
export const environmentDetailsQuery = (moment: MomentArgs = {}) =>
  queryOptions({
    queryKey: environmentKeys.details(moment),
    queryFn: async ({ signal }): Promise<readonly DetailedEnvironment[]> => {
      const rows = await allPages(
        async (after) => (await requestGraphql(EnvironmentDetails, { after, ...moment }, signal)).environments,
      );
      return asTree(rows);
    },
  });

export const environmentCountKeys = queryKeys('environment_counts', { onAnyChange: true }, () => ({}));

export type EnvironmentCount = NonNullable<EnvironmentCountsQuery['environmentSummary']>['environments'][number];

/** Returns the number of objects in each readable environment, by its id. */
export const environmentCountsQuery = queryOptions({
  queryKey: environmentCountKeys.all,
  queryFn: async ({ signal }): Promise<ReadonlyMap<string, EnvironmentCount>> => {
    const { environmentSummary } = await requestGraphql(EnvironmentCounts, {}, signal);
    return new Map(environmentSummary?.environments.map((each) => [each.environmentId, each]));
  },
});

export const tagKeys = queryKeys('tag', { on: ['tag'] }, (all) => ({
  of: (environmentId: string, after: string | undefined) => [...all, environmentId, after ?? null],
}));

type ReadTags = NonNullable<EnvironmentTagsQuery['environment']>['tags'];
export type ListedTag = ReadTags['edges'][number]['node'];

/** Returns a page of the tags of an environment, newest first; null if the environment does not exist. */
export const tagsQuery = (environmentId: string, after: string | undefined) =>
  queryOptions({
    queryKey: tagKeys.of(environmentId, after),
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await requestGraphql(EnvironmentTags, { environmentId, after: after ?? null }, signal)).environment?.tags ??
      null,
  });

/** Returns the time of a revision; null if it does not exist. */
export async function instantOfRevision(revision: number): Promise<string | null> {
  return (await requestGraphql(InstantOfRevision, { revision: String(revision) })).changeset?.at ?? null;
}
