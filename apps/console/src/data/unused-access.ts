import { queryOptions } from '@tanstack/react-query';
import { readAllPages, requestGraphql } from '../graphql/request.ts';
import { UnusedRights, type UnusedRightsQuery } from '../graphql/unused-access.graphql.ts';
import { queryKeys } from './query-keys.ts';

export type UnusedRight = UnusedRightsQuery['unusedAccess']['edges'][number]['node'];

export const unusedAccessKeys = queryKeys('unused_access', { on: ['grant', 'group', 'membership'] }, (all) => ({
  list: [...all, 'list'],
}));

export const unusedAccessQuery = queryOptions({
  queryKey: unusedAccessKeys.list,
  queryFn: async ({ signal }) =>
    readAllPages(async (after) => (await requestGraphql(UnusedRights, { after }, signal)).unusedAccess),
});
