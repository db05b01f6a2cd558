import { literalTest } from '@strata/domain';
import { infiniteQueryOptions, queryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { requestGraphql } from '../graphql/request.ts';
import {
  SearchChangesets,
  type SearchChangesetsQuery,
  SearchParameters,
  type SearchParametersQuery,
  type SearchParametersQueryVariables,
} from '../graphql/search.graphql.ts';
import type { PointInTimeArgs } from '../lib/point-in-time.ts';
import { rankEntry } from '../lib/rank.ts';
import { RequestError } from '../lib/request-error.ts';
import { queryKeys } from './query-keys.ts';

type FoundPage = NonNullable<SearchParametersQuery['search']>;
export type FoundParameter = FoundPage['results'][number];
export type FoundChangeset = SearchChangesetsQuery['changesets']['edges'][number]['node'];

export type SearchableField = 'name' | 'value' | 'description';
export const SEARCHABLE_FIELDS: readonly SearchableField[] = ['name', 'value', 'description'];
/** Fields that the core finds at once. Values may take longer, so they are searched separately. */
export const NAME_FIELDS: readonly SearchableField[] = ['name', 'description'];

/** The maximum length of a search text that the core accepts. */
export const SEARCH_TEXT_LENGTH_MAX = 200;

async function searched(variables: SearchParametersQueryVariables, signal: AbortSignal): Promise<FoundPage> {
  const { search } = await requestGraphql(SearchParameters, variables, signal);
  if (!search) throw new RequestError('not_found', 'There was nothing to search at that time.', null);
  return search;
}

/** The number of results in the palette. */
export const FIRST_FOUND = 6;
/** The number of results per request. */
export const FOUND_PER_PAGE = 50;
/** The number of values that the list shows for each result. */
const WINS_SHOWN = 4;
/** The time after which a search of values reports its progress. */
const PROGRESS_MS = 500;

export const searchKeys = queryKeys('search', {}, (all) => ({
  first: (searchText: string, pointInTime: PointInTimeArgs) => [...all, 'first', searchText, pointInTime],
  changesets: (searchText: string) => [...all, 'changesets', searchText],
  whole: (searchText: string, fields: readonly string[], pointInTime: PointInTimeArgs) => [
    ...all,
    'whole',
    searchText,
    fields,
    pointInTime,
  ],
}));

/** The query for the first parameters with a matching name or description. Names that start with the text come first. */
export const firstNamedQuery = (searchText: string, pointInTime: PointInTimeArgs) =>
  queryOptions({
    queryKey: searchKeys.first(searchText, pointInTime),
    staleTime: 10_000,
    queryFn: async ({ signal }) => {
      const request = { q: searchText, first: FIRST_FOUND, winsMax: 1, ...pointInTime };
      // Results are sorted by project and name, so an exact match may be on a later page.
      const [begins, containing] = await Promise.all([
        searched({ ...request, match: 'prefix', in: ['name'] }, signal),
        searched({ ...request, in: NAME_FIELDS }, signal),
      ]);
      const all = [...begins.results, ...containing.results];
      const uniqueHits = [...new Map(all.map((hit) => [resultKey(hit), hit])).values()];
      const rank = ({ name }: FoundParameter) => rankEntry({ title: name }, searchText) ?? Number.POSITIVE_INFINITY;
      return uniqueHits.sort((left, right) => Math.sign(rank(left) - rank(right)) || 0).slice(0, FIRST_FOUND);
    },
  });

/** The query for the newest changesets whose message or reference matches, regardless of the point in time. */
export const firstChangesetsQuery = (searchText: string) =>
  queryOptions({
    queryKey: searchKeys.changesets(searchText),
    staleTime: 10_000,
    queryFn: async ({ signal }) =>
      (await requestGraphql(SearchChangesets, { q: searchText, first: 4 }, signal)).changesets.edges.map(
        ({ node }) => node,
      ),
  });

/** The query for all results in some fields, in pages. */
const foundQuery = (searchText: string, fields: readonly SearchableField[], pointInTime: PointInTimeArgs) =>
  infiniteQueryOptions({
    queryKey: searchKeys.whole(searchText, fields, pointInTime),
    initialPageParam: null as string | null,
    queryFn: ({ signal, pageParam: after }) =>
      searched(
        {
          q: searchText,
          first: FOUND_PER_PAGE,
          winsMax: WINS_SHOWN,
          after,
          in: fields,
          withinMs: PROGRESS_MS,
          ...pointInTime,
        },
        signal,
      ),
    getNextPageParam: ({ cursor }) => cursor,
  });

interface FoundRequest {
  readonly typed: string;
  readonly fields: readonly SearchableField[];
  readonly pointInTime: PointInTimeArgs;
  /** Whether to search now. */
  readonly isEnabled: boolean;
  /** Returns whether a result is shown. */
  isShown?(hit: FoundParameter): boolean;
  /** The number of shown results that are needed now. */
  readonly needed: number;
}

/** The results of a search so far. */
export interface SearchProgress {
  readonly hits: readonly FoundParameter[];
  readonly isComplete: boolean;
  /** Whether a request is running or follows by itself. */
  readonly isSearching: boolean;
  readonly skipped: number;
  /** The number of processed parameters, and of all; null if they are unknown. */
  readonly progress: { readonly checked: number; readonly all: number } | null;
  readonly error: Error | null;
  retry(): void;
}

/** Searches page by page until there are enough results or everything has been searched. */
export function useSearchResults({
  typed,
  fields,
  pointInTime,
  isEnabled,
  isShown,
  needed,
}: FoundRequest): SearchProgress {
  const query = useInfiniteQuery({ ...foundQuery(typed, fields, pointInTime), enabled: isEnabled });
  const { data, error, hasNextPage, isFetching, fetchNextPage, refetch } = query;
  const all = data?.pages.flatMap(({ results }) => results) ?? [];
  const hits = isShown ? all.filter((hit) => isShown(hit)) : all;
  const isDue = isEnabled && hasNextPage && error === null && hits.length < needed;
  useEffect(() => {
    if (isDue && !isFetching) void fetchNextPage();
  }, [isDue, isFetching, fetchNextPage]);
  const lastPage = data?.pages.at(-1);
  return {
    hits,
    isComplete: data !== undefined && !hasNextPage,
    isSearching: isFetching || isDue,
    skipped: data?.pages.reduce((sum, page) => sum + page.skipped, 0) ?? 0,
    progress: lastPage?.toCheck == null ? null : { checked: lastPage.checked ?? 0, all: lastPage.toCheck },
    error,
    retry: () => void (data ? fetchNextPage() : refetch()),
  };
}

/** Returns whether the name or description of a result contains the typed text, in any letter case. */
export function createNameTest(searchText: string): (hit: FoundParameter) => boolean {
  const testName = literalTest('contains', searchText, true);
  return ({ name, description }) => testName(name) || testName(description);
}

/** Returns a key of a result that is unique among the results of a search. */
export const resultKey = ({ projectId, parameterId }: FoundParameter): string => `${projectId} ${parameterId}`;

/** Returns the environment in which to open a result: one with a matching text, or else one with a value. */
export const environmentOf = ({ wins }: FoundParameter): string | undefined =>
  (wins.find(({ matched }) => matched) ?? wins[0])?.environments[0]?.environmentName;
