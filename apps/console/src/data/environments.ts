import { queryOptions } from '@tanstack/react-query';
import { Environments } from '../graphql/environments.graphql.ts';
import { allPages, requestGraphql } from '../graphql/request.ts';
import { asTree } from '../lib/environment-tree.ts';
import type { MomentArgs } from '../lib/moment.ts';
import { queryKeys } from './query-keys.ts';

export const environmentKeys = queryKeys('environments', { on: ['environment'], isFirst: true }, (all) => ({
  list: (moment: MomentArgs) => [...all, moment],
  allDetails: [...all, 'details'],
  details: (moment: MomentArgs) => [...all, 'details', moment],
}));

export const environmentsQuery = (moment: MomentArgs = {}) =>
  queryOptions({
    queryKey: environmentKeys.list(moment),
    queryFn: async ({ signal }) =>
      asTree(
        await allPages(
          async (after) => (await requestGraphql(Environments, { after, ...moment }, signal)).environments,
        ),
      ),
  });
