import { infiniteQueryOptions } from '@tanstack/react-query';
import { ask } from '../graphql/ask.ts';
import type { ValueLine } from './line-groups.ts';
import { ValuesOf } from './values.graphql.ts';

interface LinesPage {
  readonly lines: readonly ValueLine[];
  readonly totalCount: number;
  readonly endCursor: string | null;
}

/** A page of parameters with their values in these environments; each environment is asked for the same page. */
export const linesQuery = (projectId: string, environmentIds: readonly string[]) =>
  infiniteQueryOptions({
    queryKey: ['values', projectId, environmentIds],
    initialPageParam: null as string | null,
    getNextPageParam: ({ endCursor }: LinesPage) => endCursor,
    queryFn: async ({ pageParam: after, signal }): Promise<LinesPage> => {
      const pages = await Promise.all(
        environmentIds.map(async (environmentId) => {
          const { project } = await ask(ValuesOf, { projectId, environmentId, after }, signal);
          return project?.parameters ?? null;
        }),
      );
      const [first] = pages;
      if (!first) return { lines: [], totalCount: 0, endCursor: null };
      const columns = pages.map((page) => new Map(page?.edges.map(({ node }) => [node.id, node.effective])));
      return {
        lines: first.edges.map(({ node }) => ({
          parameter: node,
          cells: columns.map((column) => column.get(node.id) ?? null),
        })),
        totalCount: first.totalCount,
        endCursor: first.pageInfo.hasNextPage ? first.pageInfo.endCursor : null,
      };
    },
  });
