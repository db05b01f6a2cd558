import { queryOptions } from '@tanstack/react-query';
import { allPages, ask } from '../graphql/ask.ts';
import type { MomentArgs } from '../moment/moment.ts';
import { asForest } from './project-forest.ts';
import { Projects } from './projects.graphql.ts';

export const projectsQuery = (moment: MomentArgs = {}) =>
  queryOptions({
    queryKey: ['projects', moment],
    queryFn: async ({ signal }) =>
      asForest(await allPages(async (after) => (await ask(Projects, { after, ...moment }, signal)).projects)),
  });
