import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { readAllPages, requestGraphql } from '../graphql/request.ts';
import {
  PreviewOf,
  ReferableParameters,
  ReferableTemplates,
  TemplateNamed,
  TemplatesOf,
  type TemplatesOfQuery,
  TemplateTimelineOf,
} from '../graphql/templates.graphql.ts';
import type { ReferableNames } from '../lib/mentions.ts';
import type { PointInTimeArgs } from '../lib/point-in-time.ts';
import { queryKeys } from './query-keys.ts';

/** The number of templates per page. */
const TEMPLATES = 50;

export const templateKeys = queryKeys('template', { on: ['template'] }, (all) => ({
  list: (projectId: string, after: string | null, pointInTime: PointInTimeArgs) => [
    ...all,
    'list',
    projectId,
    after,
    pointInTime,
  ],
  named: (projectId: string, name: string, pointInTime: PointInTimeArgs) => [
    ...all,
    'named',
    projectId,
    name,
    pointInTime,
  ],
  timeline: (projectId: string, id: string, before: string | null) => [...all, 'timeline', projectId, id, before],
}));

/** The query keys of results that depend on values. Every change makes them stale. */
export const evaluationKeys = queryKeys('evaluation', { onAnyChange: true }, (all) => ({
  referable: (projectId: string, projectNames: readonly string[]) => [...all, 'referable', projectId, projectNames],
  preview: (request: PreviewRequest, body: string) => [...all, 'preview', request, body],
}));

export type ListedTemplate = NonNullable<TemplatesOfQuery['project']>['templates']['edges'][number]['node'];

export const templatesQuery = (projectId: string, after: string | null, pointInTime: PointInTimeArgs) =>
  queryOptions({
    queryKey: templateKeys.list(projectId, after, pointInTime),
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await requestGraphql(TemplatesOf, { projectId, first: TEMPLATES, after, ...pointInTime }, signal)).project
        ?.templates ?? null,
  });

/** The query for a stored template; null if it does not exist. */
export const templateQuery = (projectId: string, name: string, pointInTime: PointInTimeArgs) =>
  queryOptions({
    queryKey: templateKeys.named(projectId, name, pointInTime),
    queryFn: async ({ signal }) => {
      const { project } = await requestGraphql(TemplateNamed, { projectId, name, ...pointInTime }, signal);
      return project?.templates.edges[0]?.node ?? null;
    },
  });

const NONE = { pageInfo: { hasNextPage: false, endCursor: null }, edges: [] };

/** The query for the names that a template of a project can reference. */
export const referableNamesQuery = (projectId: string, projectNames: readonly string[]) =>
  queryOptions({
    queryKey: evaluationKeys.referable(projectId, projectNames),
    staleTime: 60_000,
    queryFn: async ({ signal }): Promise<ReferableNames> => {
      const parameters = await readAllPages(
        async (after) =>
          (await requestGraphql(ReferableParameters, { projectId, after }, signal)).project?.parameters ?? NONE,
      );
      const templates = await readAllPages(
        async (after) =>
          (await requestGraphql(ReferableTemplates, { projectId, after }, signal)).project?.templates ?? NONE,
      );
      return {
        parameters: new Map(parameters.map(({ name, ...parameter }) => [name, parameter])),
        templates: new Set(templates.map(({ name }) => name)),
        projects: new Set(projectNames),
      };
    },
  });

export interface PreviewRequest {
  readonly projectId: string;
  /** The edited template, which must not reference itself. */
  readonly template: string;
  readonly environment: string;
  readonly pointInTime: PointInTimeArgs;
}

/** The query for a text rendered in an environment, with masked secrets. */
export const previewQuery = (request: PreviewRequest, body: string) =>
  queryOptions({
    queryKey: evaluationKeys.preview(request, body),
    gcTime: 0,
    retry: false,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => preview(request, body, false, signal),
  });

export async function preview(
  { pointInTime, ...previewed }: PreviewRequest,
  body: string,
  reveal: boolean,
  signal?: AbortSignal,
): Promise<{ readonly body: string; readonly hasSecret: boolean } | null> {
  return (
    (await requestGraphql(PreviewOf, { ...previewed, ...pointInTime, body, reveal }, signal)).templatePreview ?? null
  );
}

/** The query for the versions of a template, newest first, each with its changeset if the audit log contains it. */
export const templateTimelineQuery = (projectId: string, id: string, before: string | null) =>
  queryOptions({
    queryKey: templateKeys.timeline(projectId, id, before),
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const { template, audit } = await requestGraphql(TemplateTimelineOf, { projectId, id, before }, signal);
      if (!template?.timeline) return null;
      const revisions = new Map(audit.edges.map(({ node: { timestamp, changeset } }) => [timestamp, changeset]));
      const { results, nextAsOf } = template.timeline;
      const versions = results.map((entry) => ({ ...entry, revision: revisions.get(entry.modifiedAt) ?? null }));
      return { versions, nextAsOf };
    },
  });
