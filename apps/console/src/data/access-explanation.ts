import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { AccessTo, type AccessToQuery, type AccessToQueryVariables } from '../graphql/access-explanation.graphql.ts';
import { requestGraphql } from '../graphql/request.ts';
import { queryKeys } from './query-keys.ts';

export type ExplainedAccess = AccessToQuery['explainAccess']['edges'][number]['node'];
export type AccessToScope = ExplainedAccess['project'];
export type ShownAccessCandidate = AccessToScope['candidates'][number];

/** The number of users per page. */
const USERS = 50;

export type AccessFilter = Omit<AccessToQueryVariables, 'first'>;

export const accessExplanationKeys = queryKeys('access_explanation', { onAnyChange: true }, (all) => ({
  page: (filter: AccessFilter) => [...all, filter],
}));

/** The query for a page of the users with access to a project in an environment, or for one user. */
export const accessExplanationQuery = (filter: AccessFilter) =>
  queryOptions({
    queryKey: accessExplanationKeys.page(filter),
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => (await requestGraphql(AccessTo, { ...filter, first: USERS }, signal)).explainAccess,
  });
