import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { EnvironmentTags, type EnvironmentTagsQuery } from '../graphql/environment-page.graphql.ts';
import { TagsToGoTo } from '../graphql/moment.graphql.ts';
import { requestGraphql } from '../graphql/request.ts';
import { queryKeys } from './query-keys.ts';

export const newestTagKeys = queryKeys('newest_tags', { on: ['tag'] }, () => ({}));

/** The query for the newest tags of each environment, which are offered as points in time. */
export const newestTagsQuery = queryOptions({
  queryKey: newestTagKeys.all,
  queryFn: async ({ signal }) =>
    (await requestGraphql(TagsToGoTo, {}, signal)).environments.edges.flatMap(({ node }) =>
      node.tags.edges.map((tag) => ({ environment: node.name, ...tag.node })),
    ),
});

export const tagKeys = queryKeys('tag', { on: ['tag'] }, (all) => ({
  of: (environmentId: string, after: string | undefined) => [...all, environmentId, after ?? null],
}));

type ReadTags = NonNullable<EnvironmentTagsQuery['environment']>['tags'];
export type ListedTag = ReadTags['edges'][number]['node'];

/** The query for a page of the tags of an environment, newest first; null if the environment does not exist. */
export const tagsQuery = (environmentId: string, after: string | undefined) =>
  queryOptions({
    queryKey: tagKeys.of(environmentId, after),
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await requestGraphql(EnvironmentTags, { environmentId, after: after ?? null }, signal)).environment?.tags ??
      null,
  });
