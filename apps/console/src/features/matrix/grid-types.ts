import type { EnvironmentColumn } from '../../lib/environment-tree.ts';
import type { MatrixSearch } from './matrix-search.ts';

/** A visible column and its position. */
export interface ColumnOfGrid extends EnvironmentColumn {
  readonly at: number;
  /** The number of its ancestors. */
  readonly depth: number;
  /** Whether it stays visible while other columns scroll. */
  readonly isPinned: boolean;
}

/** A place that can have the focus: a row, or the line of the group that begins with the row. */
export interface LinePlace {
  readonly row: number;
  readonly onGroup?: boolean;
}

export interface GridPosition extends LinePlace {
  readonly column: number;
}

/** Returns the columns in the order of the names, or all in the order of the tree if none exists. Pinned ones are first. */
export function columnsOf(
  environments: readonly EnvironmentColumn[],
  { envs = [], pin = [] }: Pick<MatrixSearch, 'envs' | 'pin'> = {},
): readonly ColumnOfGrid[] {
  const byName = new Map(environments.map((one) => [one.name, one]));
  const named = [...new Set(envs)].flatMap((name) => byName.get(name) ?? []);
  const chosen = named.length > 0 ? named : environments;
  const pinned = chosen.filter(({ name }) => pin.includes(name));
  return columnsInOrder(environments, [...pinned, ...chosen.filter((one) => !pinned.includes(one))], pin);
}

/** Returns the columns of these environments in this order. Only the first ones can be pinned. */
export function columnsInOrder(
  environments: readonly EnvironmentColumn[],
  shown: readonly EnvironmentColumn[],
  pin: readonly string[] = [],
): readonly ColumnOfGrid[] {
  const parents = new Map(environments.map(({ id, parentId }) => [id, parentId]));
  const depthOf = (id: string | null): number => (id === null ? -1 : 1 + depthOf(parents.get(id) ?? null));
  const firstScrolled = shown.findIndex(({ name }) => !pin.includes(name));
  // If all columns are pinned, none is: there is nothing to scroll.
  const pinnedCount = Math.max(0, firstScrolled);
  return shown.map((environment, at) => ({
    ...environment,
    at,
    depth: depthOf(environment.id),
    isPinned: at < pinnedCount,
  }));
}
