import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { InstantOfRevision } from '../graphql/environment-page.graphql.ts';
import {
  Actors,
  ChangesetOf,
  type ChangesetOfQuery,
  Changesets,
  type ChangesetsQueryVariables,
  EffectiveChangesOf,
  type EffectiveChangesOfQuery,
  TimelineOf,
} from '../graphql/history.graphql.ts';
import { readAllPages, requestGraphql } from '../graphql/request.ts';
import { queryKeys } from './query-keys.ts';

/** The number of changesets per page. */
const CHANGESETS = 25;
const EFFECTIVE = 50;

export type ChangesetFilter = Omit<ChangesetsQueryVariables, 'first'>;

export const changesetKeys = queryKeys('changesets', {}, (all) => ({
  list: (filter: ChangesetFilter) => [...all, 'list', filter],
  details: (revision: string) => [...all, 'one', revision],
  effective: (revision: string, after: string | null) => [...all, 'effective', revision, after],
  timeline: (projectId: string, parameter: string, before: string | null) => [
    ...all,
    'timeline',
    projectId,
    parameter,
    before,
  ],
}));

export const actorKeys = queryKeys('actors', {}, () => ({}));

export const changesetsQuery = (filter: ChangesetFilter) =>
  queryOptions({
    queryKey: changesetKeys.list(filter),
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await requestGraphql(Changesets, { first: CHANGESETS, ...filter }, signal)).changesets,
  });

export type ShownChangeset = NonNullable<ChangesetOfQuery['changeset']>;

export const changesetQuery = (revision: string) =>
  queryOptions({
    queryKey: changesetKeys.details(revision),
    // Changesets never change, but the user's permission to see them may.
    staleTime: 60_000,
    queryFn: async ({ signal }) => (await requestGraphql(ChangesetOf, { revision }, signal)).changeset ?? null,
  });

export type ListedEffectiveChange = EffectiveChangesOfQuery['effectiveChanges']['edges'][number]['node'];

export const effectiveChangesQuery = (revision: string, after: string | null) =>
  queryOptions({
    queryKey: changesetKeys.effective(revision, after),
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await requestGraphql(EffectiveChangesOf, { revision, first: EFFECTIVE, after }, signal)).effectiveChanges,
  });

/** Returns all possible authors of changesets: users and service accounts. */
export const actorsQuery = queryOptions({
  queryKey: actorKeys.all,
  staleTime: 60_000,
  queryFn: async ({ signal }) => readAllPages(async (after) => (await requestGraphql(Actors, { after }, signal)).users),
});

export const timelineQuery = (projectId: string, parameter: string, before: string | null) =>
  queryOptions({
    queryKey: changesetKeys.timeline(projectId, parameter, before),
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const { project } = await requestGraphql(TimelineOf, { projectId, parameter, before }, signal);
      return project?.parameters.edges[0]?.node ?? null;
    },
  });

/** Returns the time of a revision; null if it does not exist. */
export async function instantOfRevision(revision: number): Promise<string | null> {
  return (await requestGraphql(InstantOfRevision, { revision: String(revision) })).changeset?.at ?? null;
}
