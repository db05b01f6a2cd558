export interface ListedEnvironment {
  readonly id: string;
  readonly name: string;
  readonly parentId: string | null;
}

export interface EnvironmentColumn extends ListedEnvironment {
  /** Null of the root. */
  readonly parentName: string | null;
}

/** Parents before their children, siblings by name: as columns stand side by side. Each row comes exactly once. */
export function asTree(rows: readonly ListedEnvironment[]): readonly EnvironmentColumn[] {
  const known = new Set(rows.map(({ id }) => id));
  const parentOf = ({ parentId }: ListedEnvironment) => (parentId !== null && known.has(parentId) ? parentId : null);
  const children = Map.groupBy(rows, parentOf);
  const columns: EnvironmentColumn[] = [];
  const add = (parent: ListedEnvironment | null) => {
    const below = [...(children.get(parent?.id ?? null) ?? [])].sort((a, b) => a.name.localeCompare(b.name));
    for (const row of below) {
      columns.push({ ...row, parentName: parent?.name ?? null });
      add(row);
    }
  };
  add(null);
  return columns;
}
