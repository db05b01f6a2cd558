import { compareNames } from './human-order.ts';
import type { TreeNode } from './tree.ts';

interface NamedNode extends TreeNode {
  readonly name: string;
}

interface CopyInput {
  readonly name: string;
  /** Whether all descendants are copied too. */
  readonly recursive: boolean;
  /** The new names by old name. A node without an entry gets the suffix `-1`. */
  readonly names: Readonly<Record<string, string>> | null;
}

export interface PlannedCopy {
  readonly sourceId: string;
  readonly name: string;
  /** The node whose copy is the parent of this copy; null for the root, whose parent the caller chooses. */
  readonly parentSourceId: string | null;
}

/** Returns the nodes to copy with their new names, parents before children. */
export function copyPlan(
  nodes: readonly NamedNode[],
  rootId: string,
  { name, recursive, names }: CopyInput,
): readonly PlannedCopy[] {
  const children = Map.groupBy(nodes, ({ parentId }) => parentId);
  const plan: PlannedCopy[] = [{ sourceId: rootId, name, parentSourceId: null }];
  if (!recursive) return plan;
  // The loop appends to the plan while it iterates, level by level. It ends because the tree has no cycles.
  for (const { sourceId } of plan) {
    const childNodes = [...(children.get(sourceId) ?? [])].sort((left, right) => compareNames(left.name, right.name));
    for (const child of childNodes) {
      const newName = names !== null && Object.hasOwn(names, child.name) ? names[child.name] : undefined;
      plan.push({ sourceId: child.id, name: newName ?? `${child.name}-1`, parentSourceId: sourceId });
    }
  }
  return plan;
}

/** Returns the first copy whose name is already taken or occurs twice in the plan. */
export function copyConflict(plan: readonly PlannedCopy[], takenNames: Iterable<string>): PlannedCopy | null {
  const names = new Set(takenNames);
  for (const copy of plan) {
    if (names.has(copy.name)) return copy;
    names.add(copy.name);
  }
  return null;
}
