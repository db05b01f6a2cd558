import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { ask, Refused } from '../graphql/ask.ts';
import type { MomentArgs } from '../moment/moment.ts';
import {
  SearchChangesets,
  type SearchChangesetsQuery,
  SearchParameters,
  type SearchParametersQuery,
  type SearchParametersQueryVariables,
} from './search.graphql.ts';

type FoundPage = NonNullable<SearchParametersQuery['search']>;
export type FoundParameter = FoundPage['results'][number];
export type FoundChangeset = SearchChangesetsQuery['changesets']['edges'][number]['node'];

/** What of a parameter is searched; everything when left out. */
export type SearchedPlace = 'name' | 'value' | 'description';
export const SEARCHED_PLACES: readonly SearchedPlace[] = ['name', 'value', 'description'];

/** The longest text that fits into what the service takes, whatever signs it has. */
export const TYPED_MAX = 200;

/** The text itself, whatever signs it has and in whatever letter case. */
const patternOf = (typed: string): string => `(?i)${typed.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}`;

async function searched(variables: SearchParametersQueryVariables, signal: AbortSignal): Promise<FoundPage> {
  const { search } = await ask(SearchParameters, variables, signal);
  if (!search) throw new Refused('not_found', 'There was nothing to search at that time.', null);
  return search;
}

/** The first that are found, as the palette shows them. */
export const firstFoundQuery = (typed: string, moment: MomentArgs) =>
  queryOptions({
    queryKey: ['search', 'first', typed, moment],
    staleTime: 10_000,
    queryFn: ({ signal }) => searched({ q: patternOf(typed), first: 6, ...moment }, signal),
  });

/** The latest changesets whose reason or reference says it, whatever point in time is shown. */
export const firstChangesetsQuery = (typed: string) =>
  queryOptions({
    queryKey: ['changesets', 'search', typed],
    staleTime: 10_000,
    queryFn: async ({ signal }) =>
      (await ask(SearchChangesets, { q: typed, first: 4 }, signal)).changesets.edges.map(({ node }) => node),
  });

/** All that is found, page by page. */
export const foundQuery = (typed: string, place: SearchedPlace | undefined, moment: MomentArgs) =>
  infiniteQueryOptions({
    queryKey: ['search', 'all', typed, place, moment],
    initialPageParam: null as string | null,
    queryFn: ({ signal, pageParam: after }) =>
      searched({ q: patternOf(typed), first: 50, after, in: place ? [place] : null, ...moment }, signal),
    getNextPageParam: ({ cursor }) => cursor,
  });

/** The environment that a hit is looked at in: one whose text was found, or else where the parameter has any. */
export const environmentOf = ({ wins }: FoundParameter): string | undefined =>
  (wins.find(({ matched }) => matched) ?? wins[0])?.environments[0]?.environmentName;
