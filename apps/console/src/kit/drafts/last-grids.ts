import { linkOptions } from '@tanstack/react-router';
import type { Draft } from '../../lib/draft.ts';

/** The search parameters of the last matrix of each project, by the id of the project. The project that was opened last is the last entry. */
const searches = new Map<string, object>();

export function rememberGrid(projectId: string, search: object): void {
  searches.delete(projectId);
  searches.set(projectId, search);
}

/** Returns the link to the matrix in which the user edited last, with its filter and columns. Requires at least one draft. */
export function lastEditedGrid(drafts: readonly Pick<Draft, 'projectId' | 'projectName'>[]) {
  const ids = [...searches.keys()];
  const [last] = drafts.toSorted((left, right) => ids.indexOf(right.projectId) - ids.indexOf(left.projectId));
  return linkOptions({
    to: '/projects/$name',
    params: { name: last?.projectName ?? '' },
    // Search parameters have the type of their route, which this layer does not import.
    search: (searches.get(last?.projectId ?? '') ?? {}) as never,
  });
}
