import type { EnvironmentColumn } from '../../lib/environment-tree.ts';

/** A column that is shown, with its place. */
export interface ColumnOfGrid extends EnvironmentColumn {
  readonly at: number;
  /** The place of its parent; null at the root, undefined where that is not shown. */
  readonly parentAt: number | null | undefined;
  /** Steps from the root. */
  readonly depth: number;
}

export interface GridPosition {
  readonly row: number;
  readonly column: number;
}

/** The environments that are shown, in the order of the tree; all where none is named, or none of the named is there. */
export function columnsOf(
  environments: readonly EnvironmentColumn[],
  names: readonly string[] | undefined,
): readonly ColumnOfGrid[] {
  const named = environments.filter(({ name }) => names?.includes(name));
  const shown = named.length > 0 ? named : environments;
  const places = new Map(shown.map(({ id }, at) => [id, at]));
  const parents = new Map(environments.map(({ id, parentId }) => [id, parentId]));
  const depthOf = (id: string | null): number => (id === null ? -1 : 1 + depthOf(parents.get(id) ?? null));
  return shown.map((environment, at) => ({
    ...environment,
    at,
    parentAt: environment.parentId === null ? null : places.get(environment.parentId),
    depth: depthOf(environment.id),
  }));
}
