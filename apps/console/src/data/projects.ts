import { queryOptions } from '@tanstack/react-query';
import { ProjectDetails, type ProjectDetailsQuery } from '../graphql/project-settings.graphql.ts';
import { Projects } from '../graphql/projects.graphql.ts';
import { readAllPages, requestGraphql } from '../graphql/request.ts';
import { operationMember } from '../lib/operation-error.ts';
import type { PointInTimeArgs } from '../lib/point-in-time.ts';
import { asForest } from '../lib/project-forest.ts';
import { WriteError } from '../lib/request-error.ts';
import { applyChangeset } from './changesets.ts';
import { queryKeys } from './query-keys.ts';

export const projectKeys = queryKeys('projects', { on: ['project'], isFirst: true }, (all) => ({
  list: (pointInTime: PointInTimeArgs) => [...all, pointInTime],
  details: (id: string) => [...all, 'details', id],
  fresh: [...all, 'fresh'],
}));

export const projectsQuery = (pointInTime: PointInTimeArgs = {}) =>
  queryOptions({
    queryKey: projectKeys.list(pointInTime),
    queryFn: async ({ signal }) =>
      asForest(
        await readAllPages(
          async (after) => (await requestGraphql(Projects, { after, ...pointInTime }, signal)).projects,
        ),
      ),
  });

export type DetailedProject = NonNullable<ProjectDetailsQuery['project']>;

/** The query for the settings of a project; null if it does not exist. */
export const projectDetailsQuery = (id: string) =>
  queryOptions({
    queryKey: projectKeys.details(id),
    queryFn: async ({ signal }) => (await requestGraphql(ProjectDetails, { id }, signal)).project ?? null,
  });

interface NewProject {
  readonly name: string;
  readonly description: string;
  readonly depends_on: string | null;
}

/** Creates a project without parameters. Returns the new revision. The errors of a `WriteError` name the fields of the project. */
export async function createProject(body: NewProject): Promise<number> {
  try {
    return await applyChangeset({ operations: [{ operation: 'projects_create', body }] });
  } catch (error) {
    if (!(error instanceof WriteError)) throw error;
    const fieldErrors = error.fieldErrors.map((entry) => ({
      ...entry,
      field: operationMember(entry)?.member || entry.field,
    }));
    throw new WriteError(error.code, error.message, fieldErrors, error.isOutdated, error.pointer);
  }
}
