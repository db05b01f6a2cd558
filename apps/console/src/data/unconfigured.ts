import { queryOptions } from '@tanstack/react-query';
import { FreshProjects } from '../graphql/fresh.graphql.ts';
import { requestGraphql } from '../graphql/request.ts';
import { projectKeys } from './projects.ts';

/** Returns whether the organization is not configured yet: it has no project, or only the initial empty one. */
export const isUnconfiguredQuery = queryOptions({
  queryKey: projectKeys.fresh,
  queryFn: async ({ signal }) => {
    const { projects } = await requestGraphql(FreshProjects, {}, signal);
    if (projects.totalCount > 1) return false;
    return projects.edges.every(({ node }) => node.parameters.totalCount === 0);
  },
});
