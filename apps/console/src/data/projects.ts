import { queryOptions } from '@tanstack/react-query';
import { allPages, ask } from '../graphql/ask.ts';
import { Projects } from '../graphql/projects.graphql.ts';
import type { MomentArgs } from '../lib/moment.ts';
import { asForest } from '../lib/project-forest.ts';

export const projectsQuery = (moment: MomentArgs = {}) =>
  queryOptions({
    queryKey: ['projects', moment],
    queryFn: async ({ signal }) =>
      asForest(await allPages(async (after) => (await ask(Projects, { after, ...moment }, signal)).projects)),
  });
