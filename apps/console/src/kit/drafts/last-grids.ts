import { linkOptions } from '@tanstack/react-router';
import type { Draft } from '../../lib/draft.ts';

/** The last active cell of a matrix. */
export interface LastCell {
  /** The names of the parameter and the environment, as in the URL. */
  readonly cell: string;
  readonly in: string;
  readonly row: number;
  /** Identifies the filter and the order of the rows, on which `row` depends. */
  readonly rowsKey: string;
}

/** The search parameters of the last matrix of each project, by the id of the project. The project that was opened last is the last entry. */
const searches = new Map<string, object>();
const cells = new Map<string, LastCell>();

export function rememberGrid(projectId: string, search: object): void {
  searches.delete(projectId);
  searches.set(projectId, search);
}

/** Returns the link to the matrix that the user opened last, of a project with drafts, with its filter and columns. Requires at least one draft. */
export function lastOpenedGrid(drafts: readonly Pick<Draft, 'projectId' | 'projectName'>[]) {
  const ids = [...searches.keys()];
  const [lastDraft] = drafts.toSorted((left, right) => ids.indexOf(right.projectId) - ids.indexOf(left.projectId));
  return linkOptions({
    to: '/projects/$name',
    params: { name: lastDraft?.projectName ?? '' },
    // Drafts are edited in the current revision, also if the user has looked at an earlier one. Search parameters have the type of their
    // route, which this layer does not import.
    search: { ...searches.get(lastDraft?.projectId ?? ''), at: undefined } as never,
  });
}

export function rememberCell(projectId: string, cell: LastCell): void {
  cells.set(projectId, cell);
}

/** Returns the last active cell of a project, to which the user returns. */
export const lastCell = (projectId: string): LastCell | null => cells.get(projectId) ?? null;

export function clearLastGrids(): void {
  searches.clear();
  cells.clear();
}
