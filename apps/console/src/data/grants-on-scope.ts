import { queryOptions } from '@tanstack/react-query';
import { allPages, ask } from '../graphql/ask.ts';
import { GrantsOn, type GrantsOnQuery } from '../graphql/scope-access.graphql.ts';

export type GrantOnScope = GrantsOnQuery['grants']['edges'][number]['node'];

/** The grants on one project or environment. There are few of them, so all are read. */
export const grantsOnQuery = (scope: string) =>
  queryOptions({
    queryKey: ['grant', 'on', scope],
    queryFn: async ({ signal }) => allPages(async (after) => (await ask(GrantsOn, { scope, after }, signal)).grants),
  });
