import { queryOptions } from '@tanstack/react-query';
import { ask } from '../graphql/ask.ts';
import { TagsToGoTo } from '../graphql/moment.graphql.ts';

/** The latest tags of each environment, as points in time to choose. */
export const tagsQuery = queryOptions({
  queryKey: ['tag', 'choice'],
  queryFn: async ({ signal }) =>
    (await ask(TagsToGoTo, {}, signal)).environments.edges.flatMap(({ node }) =>
      node.tags.edges.map((tag) => ({ environment: node.name, ...tag.node })),
    ),
});
