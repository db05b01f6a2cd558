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

/** All environments with what their pages tell, parents before their children. */
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

/** How much there is in each environment that is open to the caller, by its id. */
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

/** A page of the tags of an environment, the latest first; null where it is gone. */
export const tagsQuery = (environmentId: string, after: string | undefined) =>
  queryOptions({
    queryKey: tagKeys.of(environmentId, after),
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await requestGraphql(EnvironmentTags, { environmentId, after: after ?? null }, signal)).environment?.tags ??
      null,
  });

/** When a revision was made; null where there is none. */
export async function instantOfRevision(revision: number): Promise<string | null> {
  return (await requestGraphql(InstantOfRevision, { revision: String(revision) })).changeset?.at ?? null;
}
