import type { ExistingName } from '@strata/import';
import { queryOptions } from '@tanstack/react-query';
import { ImportTargets } from '../graphql/import.graphql.ts';
import { requestGraphql } from '../graphql/request.ts';
import { RequestError } from '../lib/request-error.ts';
import type { ShownCell } from './cell.ts';
import { queryKeys } from './query-keys.ts';

export const importKeys = queryKeys('import', { onAnyChange: true }, (all) => ({
  targets: (projectId: string, environments: readonly string[]) => [...all, projectId, environments],
}));

/** The query for the parameter names of a project with their cells in some environments. */
export const importTargetsQuery = (projectId: string, environments: readonly string[]) =>
  queryOptions({
    queryKey: importKeys.targets(projectId, environments),
    enabled: environments.length > 0,
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, ExistingName<ShownCell>>> => {
      const targets = new Map<string, ExistingName<ShownCell>>();
      for (let after: string | null = null; ; ) {
        const page = await targetsPage(projectId, environments, after, signal);
        const names = page.environments.map(({ name }) => name);
        for (const { node } of page.edges) {
          const cells = new Map(node.cells.map((cell, at) => [names[at] ?? '', cell]));
          targets.set(node.name, { secret: node.secret, isOwn: node.projectId === projectId, cells });
        }
        if (!page.pageInfo.hasNextPage || page.pageInfo.endCursor === null) return targets;
        after = page.pageInfo.endCursor;
      }
    },
  });

async function targetsPage(
  projectId: string,
  environments: readonly string[],
  after: string | null,
  signal: AbortSignal,
) {
  const { project } = await requestGraphql(ImportTargets, { projectId, environments, after }, signal);
  if (!project) throw new RequestError('not_found', 'This project was deleted, or you don’t have access to it.', null);
  if (project.matrix.problem) throw new RequestError('unreadable', project.matrix.problem.message, null);
  return project.matrix;
}
