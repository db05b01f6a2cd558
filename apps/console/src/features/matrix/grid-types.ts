import type { EnvironmentColumn } from '../../lib/environment-tree.ts';

/** A visible column and its position. */
export interface ColumnOfGrid extends EnvironmentColumn {
  readonly at: number;
  /** The number of its ancestors. */
  readonly depth: number;
}

export interface GridPosition {
  readonly row: number;
  readonly column: number;
}

/** Returns the visible environments in the order of the tree, or all of them if none of the named ones exists. */
export function columnsOf(
  environments: readonly EnvironmentColumn[],
  names: readonly string[] | undefined,
): readonly ColumnOfGrid[] {
  const named = environments.filter(({ name }) => names?.includes(name));
  const shown = named.length > 0 ? named : environments;
  const parents = new Map(environments.map(({ id, parentId }) => [id, parentId]));
  const depthOf = (id: string | null): number => (id === null ? -1 : 1 + depthOf(parents.get(id) ?? null));
  return shown.map((environment, at) => ({
    ...environment,
    at,
    depth: depthOf(environment.id),
  }));
}
