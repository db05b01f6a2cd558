import { queryOptions } from '@tanstack/react-query';
import { FreshProjects } from '../graphql/fresh.graphql.ts';
import { requestGraphql } from '../graphql/request.ts';
import { projectKeys } from './projects.ts';

/** Whether nothing has been configured yet: no project, or only the one that an organization begins with, and that is empty. */
export const freshQuery = queryOptions({
  queryKey: projectKeys.fresh,
  queryFn: async ({ signal }) => {
    const { projects } = await requestGraphql(FreshProjects, {}, signal);
    if (projects.totalCount > 1) return false;
    return projects.edges.every(({ node }) => node.parameters.totalCount === 0);
  },
});
