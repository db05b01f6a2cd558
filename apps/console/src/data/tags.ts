import { queryOptions } from '@tanstack/react-query';
import { TagsToGoTo } from '../graphql/moment.graphql.ts';
import { requestGraphql } from '../graphql/request.ts';
import { queryKeys } from './query-keys.ts';

export const taggedMomentKeys = queryKeys('tagged_moment', { on: ['tag'] }, () => ({}));

/** Returns the newest tags of each environment, as points in time to choose. */
export const tagsQuery = queryOptions({
  queryKey: taggedMomentKeys.all,
  queryFn: async ({ signal }) =>
    (await requestGraphql(TagsToGoTo, {}, signal)).environments.edges.flatMap(({ node }) =>
      node.tags.edges.map((tag) => ({ environment: node.name, ...tag.node })),
    ),
});
