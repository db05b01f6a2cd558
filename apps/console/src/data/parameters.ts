import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import {
  OwnNames,
  type OwnNamesQuery,
  OwnParameters,
  type OwnParametersQuery,
  ParameterSettings,
  type ParameterSettingsQuery,
  ParameterUse,
  TypeNames,
} from '../graphql/parameters.graphql.ts';
import { readAllPages, requestGraphql } from '../graphql/request.ts';
import { queryKeys } from './query-keys.ts';

export type OwnParameter = NonNullable<OwnParametersQuery['project']>['parameters']['edges'][number]['node'];
export type ParameterToSet = NonNullable<ParameterSettingsQuery['project']>['parameters']['edges'][number]['node'];

export const parameterKeys = queryKeys('parameter', { on: ['parameter'] }, (all) => ({
  of: (projectId: string, after: string | undefined) => [...all, 'of', projectId, after ?? null],
  names: (projectId: string) => [...all, 'names', projectId],
  settings: (projectId: string, filter: object) => [...all, 'settings', projectId, filter],
}));

/** The interval after which reads by programs, which are no events, are read again. */
const READS_MS = 60_000;

export const parameterUseKeys = queryKeys('parameter_use', { onAnyChange: true }, (all) => ({
  of: (projectId: string, name: string) => [...all, projectId, name],
}));

export const typeNameKeys = queryKeys('type_names', { on: ['type'] }, () => ({}));

/** The query for a page of the parameters of a project; null if the project does not exist. */
export const ownParametersQuery = (projectId: string, after: string | undefined) =>
  queryOptions({
    queryKey: parameterKeys.of(projectId, after),
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await requestGraphql(OwnParameters, { projectId, after: after ?? null }, signal)).project?.parameters ?? null,
  });

/** The maximum number of names that are matched while the user edits a pattern. */
const NAMES_MAX = 2_000;

interface OwnNamesRead {
  readonly names: readonly string[];
  /** Whether the list contains all names. */
  readonly isAll: boolean;
}

/** Returns the names of the parameters of a project, up to the maximum. */
export const ownNamesQuery = (projectId: string) =>
  queryOptions({
    queryKey: parameterKeys.names(projectId),
    queryFn: async ({ signal }): Promise<OwnNamesRead> => {
      const names: string[] = [];
      for (let after: string | null = null; names.length < NAMES_MAX; ) {
        const read: OwnNamesQuery = await requestGraphql(OwnNames, { projectId, after }, signal);
        if (!read.project) break;
        const { edges, pageInfo } = read.project.parameters;
        names.push(...edges.map(({ node }) => node.name));
        if (!pageInfo.hasNextPage) return { names, isAll: true };
        after = pageInfo.endCursor;
      }
      return { names, isAll: false };
    },
  });

/** Returns the editable fields of a parameter by its name or id; null if it does not exist. */
export const parameterSettingsQuery = (
  projectId: string,
  filter: { readonly name: string } | { readonly id: string },
) =>
  queryOptions({
    queryKey: parameterKeys.settings(projectId, filter),
    queryFn: async ({ signal }) => {
      const variables = 'name' in filter ? { name: filter.name, ids: null } : { name: null, ids: [filter.id] };
      const { project } = await requestGraphql(ParameterSettings, { projectId, ...variables }, signal);
      return project?.parameters.edges[0]?.node ?? null;
    },
  });

/** The query for where a parameter is set, when it was last changed, and when a program last read its project. */
export const parameterUseQuery = (projectId: string, name: string) =>
  queryOptions({
    queryKey: parameterUseKeys.of(projectId, name),
    refetchInterval: READS_MS,
    queryFn: async ({ signal }) => {
      const { project, projectOverview } = await requestGraphql(
        ParameterUse,
        { projectId, project: projectId, name },
        signal,
      );
      const parameter = project?.parameters.edges[0]?.node;
      const change = parameter?.timeline?.results[0];
      const read = projectOverview?.results[0];
      return {
        environments:
          parameter?.values.map(({ environmentId: id, environmentName }) => ({ id, name: environmentName })) ?? [],
        lastChange: change
          ? { at: change.modifiedAt, actorName: change.modifiedBy, revision: change.historyVersions?.revision ?? null }
          : null,
        lastRead: read?.lastReadAt ? { at: read.lastReadAt, actorName: read.lastReadBy?.name ?? null } : null,
      };
    },
  });

/** Returns the names of types, built-in types first. */
export const typeNamesQuery = queryOptions({
  queryKey: typeNameKeys.all,
  queryFn: async ({ signal }) =>
    (await readAllPages(async (after) => (await requestGraphql(TypeNames, { after }, signal)).types)).map(
      ({ name }) => name,
    ),
});
