import { queryOptions } from '@tanstack/react-query';
import { ProjectDetails, type ProjectDetailsQuery } from '../graphql/project-settings.graphql.ts';
import { Projects } from '../graphql/projects.graphql.ts';
import { allPages, requestGraphql } from '../graphql/request.ts';
import type { MomentArgs } from '../lib/moment.ts';
import { asForest } from '../lib/project-forest.ts';
import { queryKeys } from './query-keys.ts';

export const projectKeys = queryKeys('projects', { on: ['project'], isFirst: true }, (all) => ({
  list: (moment: MomentArgs) => [...all, moment],
  details: (id: string) => [...all, 'details', id],
  fresh: [...all, 'fresh'],
}));

export const projectsQuery = (moment: MomentArgs = {}) =>
  queryOptions({
    queryKey: projectKeys.list(moment),
    queryFn: async ({ signal }) =>
      asForest(
        await allPages(async (after) => (await requestGraphql(Projects, { after, ...moment }, signal)).projects),
      ),
  });

export type DetailedProject = NonNullable<ProjectDetailsQuery['project']>;

/** The query for the settings of a project; null if it does not exist. */
export const projectDetailsQuery = (id: string) =>
  queryOptions({
    queryKey: projectKeys.details(id),
    queryFn: async ({ signal }) => (await requestGraphql(ProjectDetails, { id }, signal)).project ?? null,
  });
