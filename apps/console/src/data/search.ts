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

/** The maximum length of a search text that the core accepts. */
export const SEARCH_TEXT_LENGTH_MAX = 200;

const escaped = (typed: string): string => typed.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
/** Returns a case-insensitive pattern that matches the literal text. */
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

/** The query for the first results in the palette. Exact names come first. */
export const firstFoundQuery = (typed: string, moment: MomentArgs) =>
  queryOptions({
    queryKey: searchKeys.first(typed, moment),
    staleTime: 10_000,
    queryFn: async ({ signal }) => {
      // Results are sorted by name, so an exact match may be on a later page.
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

/** The query for the newest changesets whose message or reference matches, regardless of the point in time. */
export const firstChangesetsQuery = (typed: string) =>
  queryOptions({
    queryKey: searchKeys.changesets(typed),
    staleTime: 10_000,
    queryFn: async ({ signal }) =>
      (await requestGraphql(SearchChangesets, { q: typed, first: 4 }, signal)).changesets.edges.map(({ node }) => node),
  });

/** The query for all results, in pages. */
export const foundQuery = (typed: string, place: SearchableField | undefined, moment: MomentArgs) =>
  infiniteQueryOptions({
    queryKey: searchKeys.whole(typed, place, moment),
    initialPageParam: null as string | null,
    queryFn: ({ signal, pageParam: after }) =>
      searched({ q: patternOf(typed), first: 50, after, in: place ? [place] : null, ...moment }, signal),
    getNextPageParam: ({ cursor }) => cursor,
  });

/** Returns the environment in which to open a result: one with a matching text, or else one with a value. */
export const environmentOf = ({ wins }: FoundParameter): string | undefined =>
  (wins.find(({ matched }) => matched) ?? wins[0])?.environments[0]?.environmentName;
