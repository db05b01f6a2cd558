import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { requestGraphql } from '../graphql/request.ts';
import {
  SearchChangesets,
  type SearchChangesetsQuery,
  SearchParameters,
  type SearchParametersQuery,
  type SearchParametersQueryVariables,
} from '../graphql/search.graphql.ts';
import type { MomentArgs } from '../lib/moment.ts';
import { rankOf } from '../lib/rank.ts';
import { Refused } from '../lib/refused.ts';
import { queryKeys } from './query-keys.ts';

type FoundPage = NonNullable<SearchParametersQuery['search']>;
export type FoundParameter = FoundPage['results'][number];
export type FoundChangeset = SearchChangesetsQuery['changesets']['edges'][number]['node'];

/** The fields to search; all of them if omitted. */
export type SearchableField = 'name' | 'value' | 'description';
export const SEARCHABLE_FIELDS: readonly SearchableField[] = ['name', 'value', 'description'];

/** The longest text that the service accepts, with any characters. */
export const SEARCH_TEXT_LENGTH_MAX = 200;

const escaped = (typed: string): string => typed.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
/** A filter for the literal text that ignores case. */
const patternOf = (typed: string): string => `(?i)${escaped(typed)}`;

async function searched(variables: SearchParametersQueryVariables, signal: AbortSignal): Promise<FoundPage> {
  const { search } = await requestGraphql(SearchParameters, variables, signal);
  if (!search) throw new Refused('not_found', 'There was nothing to search at that time.', null);
  return search;
}

const FIRST = 6;

export const searchKeys = queryKeys('search', {}, (all) => ({
  first: (typed: string, moment: MomentArgs) => [...all, 'first', typed, moment],
  changesets: (typed: string) => [...all, 'changesets', typed],
  whole: (typed: string, place: string | undefined, moment: MomentArgs) => [...all, 'whole', typed, place, moment],
}));

/** Returns the first results for the palette. Exact names come first. */
export const firstFoundQuery = (typed: string, moment: MomentArgs) =>
  queryOptions({
    queryKey: searchKeys.first(typed, moment),
    staleTime: 10_000,
    queryFn: async ({ signal }) => {
      // The list is sorted by name, so an exact match may come late.
      const [begins, contains] = await Promise.all([
        searched({ q: `(?i)^${escaped(typed)}`, first: FIRST, in: ['name'], ...moment }, signal),
        searched({ q: patternOf(typed), first: FIRST, ...moment }, signal),
      ]);
      const all = [...begins.results, ...contains.results];
      const unique = [...new Map(all.map((hit) => [`${hit.projectId} ${hit.parameterId}`, hit])).values()];
      const rank = ({ name }: FoundParameter) => rankOf({ title: name }, typed) ?? Number.POSITIVE_INFINITY;
      return unique.sort((left, right) => Math.sign(rank(left) - rank(right)) || 0).slice(0, FIRST);
    },
  });

/** Returns the newest changesets whose message or reference matches, at any point in time. */
export const firstChangesetsQuery = (typed: string) =>
  queryOptions({
    queryKey: searchKeys.changesets(typed),
    staleTime: 10_000,
    queryFn: async ({ signal }) =>
      (await requestGraphql(SearchChangesets, { q: typed, first: 4 }, signal)).changesets.edges.map(({ node }) => node),
  });

/** Returns all results, page by page. */
export const foundQuery = (typed: string, place: SearchableField | undefined, moment: MomentArgs) =>
  infiniteQueryOptions({
    queryKey: searchKeys.whole(typed, place, moment),
    initialPageParam: null as string | null,
    queryFn: ({ signal, pageParam: after }) =>
      searched({ q: patternOf(typed), first: 50, after, in: place ? [place] : null, ...moment }, signal),
    getNextPageParam: ({ cursor }) => cursor,
  });

/** Returns the environment to open a result in: one whose text matches, or one with a value. */
export const environmentOf = ({ wins }: FoundParameter): string | undefined =>
  (wins.find(({ matched }) => matched) ?? wins[0])?.environments[0]?.environmentName;
