import { queryOptions } from '@tanstack/react-query';
import { ProjectDetails, type ProjectDetailsQuery } from '../graphql/project-settings.graphql.ts';
import { requestGraphql } from '../graphql/request.ts';
import { projectKeys } from './projects.ts';

export type DetailedProject = NonNullable<ProjectDetailsQuery['project']>;

/** What the settings of a project tell; null where it is gone. */
export const projectDetailsQuery = (id: string) =>
  queryOptions({
    queryKey: projectKeys.details(id),
    queryFn: async ({ signal }) => (await requestGraphql(ProjectDetails, { id }, signal)).project ?? null,
  });
