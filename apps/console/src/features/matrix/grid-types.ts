import { countDescendants, type EnvironmentColumn } from '../../lib/environment-tree.ts';
import type { MatrixSearch } from './matrix-search.ts';

/** A visible column and its position. */
export interface ColumnOfGrid extends EnvironmentColumn {
  readonly at: number;
  /** The number of its ancestors. */
  readonly depth: number;
  /** The number of environments below it, and how many of them have no column. */
  readonly below: number;
  readonly hidden: number;
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

/** The names of a cell, as in the URL. */
export interface CellNames {
  readonly cell: string;
  readonly in: string;
}

export const isSameCell = (left: CellNames | null, right: CellNames | null): boolean =>
  left?.cell === right?.cell && left?.in === right?.in;

/** Returns the columns in the order of the names, or the default ones if none exists. Pinned ones are first. */
export function selectColumns(
  environments: readonly EnvironmentColumn[],
  { envs = [], pin = [] }: Pick<MatrixSearch, 'envs' | 'pin'> = {},
  defaults: readonly EnvironmentColumn[] = environments,
): readonly ColumnOfGrid[] {
  const byName = new Map(environments.map((environment) => [environment.name, environment]));
  const named = [...new Set(envs)].flatMap((name) => byName.get(name) ?? []);
  const chosen = named.length > 0 ? named : defaults;
  const pinned = chosen.filter(({ name }) => pin.includes(name));
  return columnsInOrder(
    environments,
    [...pinned, ...chosen.filter((environment) => !pinned.includes(environment))],
    pin,
  );
}

/** Returns the columns of these environments in this order. Only the first ones can be pinned. */
export function columnsInOrder(
  environments: readonly EnvironmentColumn[],
  shownColumns: readonly EnvironmentColumn[],
  pin: readonly string[] = [],
): readonly ColumnOfGrid[] {
  const parents = new Map(environments.map(({ id, parentId }) => [id, parentId]));
  const findDepth = (id: string | null): number => (id === null ? -1 : 1 + findDepth(parents.get(id) ?? null));
  const firstScrolled = shownColumns.findIndex(({ name }) => !pin.includes(name));
  // If all columns are pinned, none is: there is nothing to scroll.
  const pinnedCount = Math.max(0, firstScrolled);
  const counts = countDescendants(environments);
  const shownCounts = countDescendants(environments, new Set(shownColumns.map(({ id }) => id)));
  return shownColumns.map((environment, at) => {
    const descendantCount = counts.get(environment.id) ?? 0;
    return {
      ...environment,
      at,
      depth: findDepth(environment.id),
      below: descendantCount,
      hidden: descendantCount - (shownCounts.get(environment.id) ?? 0),
      isPinned: at < pinnedCount,
    };
  });
}
