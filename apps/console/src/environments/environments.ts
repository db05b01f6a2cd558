import { queryOptions } from '@tanstack/react-query';
import { allPages, ask } from '../graphql/ask.ts';
import { asTree } from './environment-tree.ts';
import { Environments } from './environments.graphql.ts';

export const environmentsQuery = queryOptions({
  queryKey: ['environments'],
  queryFn: async ({ signal }) =>
    asTree(await allPages(async (after) => (await ask(Environments, { after }, signal)).environments)),
});
