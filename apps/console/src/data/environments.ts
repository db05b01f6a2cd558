import { queryOptions } from '@tanstack/react-query';
import { allPages, ask } from '../graphql/ask.ts';
import { Environments } from '../graphql/environments.graphql.ts';
import { asTree } from '../lib/environment-tree.ts';
import type { MomentArgs } from '../lib/moment.ts';

export const environmentsQuery = (moment: MomentArgs = {}) =>
  queryOptions({
    queryKey: ['environments', moment],
    queryFn: async ({ signal }) =>
      asTree(await allPages(async (after) => (await ask(Environments, { after, ...moment }, signal)).environments)),
  });
