import { queryOptions } from '@tanstack/react-query';
import { allPages, ask } from '../graphql/ask.ts';
import { asForest } from './project-forest.ts';
import { Projects } from './projects.graphql.ts';

export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: async ({ signal }) =>
    asForest(await allPages(async (after) => (await ask(Projects, { after }, signal)).projects)),
});
