import type { ImportItem, ItemKind, ObjectLink } from './import-item.ts';
import { nameClashes } from './name-clash.ts';

/** A named object that has at most one parent of the same kind. */
interface TreeRow {
  readonly name: string;
  readonly parent: string | null;
  readonly description: string;
}

interface PresentRow {
  readonly id: string;
  readonly parent: string | null;
  readonly description: string;
}

interface TreeKind {
  readonly kind: ItemKind & ('environment' | 'type' | 'project');
  readonly collection: 'environments' | 'types' | 'projects';
  readonly parentMember: 'parent' | 'depends_on';
  /** How the parent is called, as in "inherits from". */
  readonly relation: string;
  partOf(name: string): string;
}

export const ENVIRONMENTS: TreeKind = {
  kind: 'environment',
  collection: 'environments',
  parentMember: 'parent',
  relation: 'inherits from',
  partOf: () => 'environments',
};
export const TYPES: TreeKind = {
  kind: 'type',
  collection: 'types',
  parentMember: 'parent',
  relation: 'refines',
  partOf: () => 'types',
};
export const PROJECTS: TreeKind = {
  kind: 'project',
  collection: 'projects',
  parentMember: 'depends_on',
  relation: 'depends on',
  partOf: (name) => name,
};

export interface TreePlan {
  readonly items: readonly ImportItem[];
  /** The objects that others can refer to, by name: existing ones and those that are created. */
  readonly links: ReadonlyMap<string, ObjectLink>;
}

/** Plans environments, types or projects. The rows are sorted, parents first. */
export function planTree(
  tree: TreeKind,
  rows: readonly TreeRow[],
  currentRow: ReadonlyMap<string, PresentRow>,
): TreePlan {
  const links = new Map<string, ObjectLink>([...currentRow].map(([name, { id }]) => [name, id]));
  const clash = nameClashes({ existing: currentRow.keys(), imported: rows.map(({ name }) => name) });
  const items = rows.map((row): ImportItem => {
    const base = { key: `${tree.kind}:${row.name}`, part: tree.partOf(row.name), kind: tree.kind, name: row.name };
    const presentRow = currentRow.get(row.name);
    if (presentRow) return { ...base, ...existingRow(tree, row, presentRow) };
    const parent = row.parent === null ? null : links.get(row.parent);
    const reason =
      clash(row.name) ?? (parent === undefined ? `It ${tree.relation} ${row.parent}, which is not imported.` : null);
    if (reason !== null) return { ...base, effect: 'conflict', reason };
    links.set(row.name, { $ref: base.key });
    const body = { name: row.name, description: row.description, [tree.parentMember]: parent };
    return { ...base, effect: 'created', operation: { operation: `${tree.collection}_create`, body } };
  });
  return { items, links };
}

function existingRow(
  tree: TreeKind,
  row: TreeRow,
  existingRow: PresentRow,
): Pick<ImportItem, 'effect'> & Partial<ImportItem> {
  if (existingRow.parent !== row.parent) {
    const existingParent = existingRow.parent ?? 'nothing';
    const newParent = row.parent ?? 'nothing';
    return {
      effect: 'conflict',
      reason: `It ${tree.relation} ${existingParent} here, and ${newParent} in the source. It stays as it is; change it first if inherited values should be the same.`,
    };
  }
  // Optional descriptions are empty if the source does not have them.
  if (row.description === '' || existingRow.description === row.description) return { effect: 'unchanged' };
  return {
    effect: 'changed',
    before: existingRow.description,
    after: row.description,
    operation: {
      operation: `${tree.collection}_partial_update`,
      path: { id: existingRow.id },
      body: { description: row.description },
    },
  };
}
