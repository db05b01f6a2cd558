import { queryOptions } from '@tanstack/react-query';
import { allPages, ask } from '../graphql/ask.ts';
import type { MomentArgs } from '../moment/moment.ts';
import { asTree } from './environment-tree.ts';
import { Environments } from './environments.graphql.ts';

export const environmentsQuery = (moment: MomentArgs = {}) =>
  queryOptions({
    queryKey: ['environments', moment],
    queryFn: async ({ signal }) =>
      asTree(await allPages(async (after) => (await ask(Environments, { after, ...moment }, signal)).environments)),
  });
