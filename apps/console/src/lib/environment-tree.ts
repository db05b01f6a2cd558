import { descendantsInOrder } from './descendants.ts';

export interface ListedEnvironment {
  readonly id: string;
  readonly name: string;
  readonly parentId: string | null;
}

export interface EnvironmentColumn extends ListedEnvironment {
  /** The id of the parent; null for the root. */
  readonly parentName: string | null;
}

export interface TreePosition {
  readonly parentName: string | null;
  /** The number of its ancestors. */
  readonly depth: number;
}

/** Sorts environments: parents before their children, siblings by name. */
export function asTree<Row extends ListedEnvironment>(rows: readonly Row[]): readonly (Row & TreePosition)[] {
  const ids = new Set(rows.map(({ id }) => id));
  const listedParentId = ({ parentId }: Row) => (parentId !== null && ids.has(parentId) ? parentId : null);
  const children = Map.groupBy(rows, listedParentId);
  const columns: (Row & TreePosition)[] = [];
  const add = (parent: Row | null, depth: number) => {
    const childRows = [...(children.get(parent?.id ?? null) ?? [])].sort((a, b) => a.name.localeCompare(b.name));
    for (const row of childRows) {
      columns.push({ ...row, parentName: parent?.name ?? null, depth });
      add(row, depth + 1);
    }
  };
  add(null, 0);
  return columns;
}

/** Returns the environments that are not below a collapsed one, and those that are kept anyway. Parents must come before their children. */
export function withoutCollapsed<Row extends ListedEnvironment>(
  rows: readonly Row[],
  collapsedIds: ReadonlySet<string>,
  keptIds: ReadonlySet<string> = new Set(),
): readonly Row[] {
  const closedIds = new Set(collapsedIds);
  return rows.filter(({ id, parentId }) => {
    const isBelow = parentId !== null && closedIds.has(parentId);
    if (isBelow) closedIds.add(id);
    return !isBelow || keptIds.has(id);
  });
}

/** Returns the number of descendants of each environment, or only of those with these ids. Parents must come before their children. */
export function countDescendants(
  rows: readonly ListedEnvironment[],
  ids?: ReadonlySet<string>,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { id, parentId } of rows.toReversed()) {
    const count = (counts.get(id) ?? 0) + Number(ids?.has(id) ?? true);
    if (parentId !== null) counts.set(parentId, (counts.get(parentId) ?? 0) + count);
  }
  return counts;
}

/** Returns the descendants of an environment, parents before their children. */
export const listDescendants = <Row extends ListedEnvironment>(rows: readonly Row[], id: string): readonly Row[] =>
  descendantsInOrder(rows, id, ({ parentId }) => parentId);
