import { queryOptions } from '@tanstack/react-query';
import { ProjectDetails, type ProjectDetailsQuery } from '../graphql/project-settings.graphql.ts';
import { requestGraphql } from '../graphql/request.ts';
import { projectKeys } from './projects.ts';

export type DetailedProject = NonNullable<ProjectDetailsQuery['project']>;

/** Returns the settings of a project; null if it does not exist. */
export const projectDetailsQuery = (id: string) =>
  queryOptions({
    queryKey: projectKeys.details(id),
    queryFn: async ({ signal }) => (await requestGraphql(ProjectDetails, { id }, signal)).project ?? null,
  });
