import type { ExistingRule } from './present.ts';

interface TreeRow {
  readonly id: string;
  readonly name: string;
  readonly parentId: string | null;
}

/** Returns rows by name, as `present` makes them of a row and the name of its parent. */
export function treeByName<Row extends TreeRow, Item>(
  rows: readonly Row[],
  toItem: (row: Row, parent: string | null) => Item,
): ReadonlyMap<string, Item> {
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return new Map(
    rows.map((row) => [row.name, toItem(row, row.parentId === null ? null : (names.get(row.parentId) ?? null))]),
  );
}

interface RuleRow extends ExistingRule {
  readonly type: string;
}

export const rulesByKind = (rules: readonly RuleRow[]): ReadonlyMap<string, ExistingRule> =>
  new Map(rules.map(({ id, type, constraint }) => [type, { id, constraint }]));
