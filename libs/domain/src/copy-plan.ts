import { compareNames } from './human-order.ts';
import type { TreeNode } from './tree.ts';

interface NamedNode extends TreeNode {
  readonly name: string;
}

export interface CopyInput {
  readonly name: string;
  /** Whether everything below is copied too. */
  readonly recursive: boolean;
  /** New names by old ones; a node that is not in it gets `-1` behind its name. */
  readonly names: Readonly<Record<string, string>> | null;
}

export interface PlannedCopy {
  readonly sourceId: string;
  readonly name: string;
  /** The source of what the copy hangs below; null for the top, whose place is said elsewhere. */
  readonly parentSourceId: string | null;
}

/** What will be copied under which names, parents before their children. */
export function copyPlan(
  nodes: readonly NamedNode[],
  rootId: string,
  { name, recursive, names }: CopyInput,
): readonly PlannedCopy[] {
  const children = Map.groupBy(nodes, ({ parentId }) => parentId);
  const plan: PlannedCopy[] = [{ sourceId: rootId, name, parentSourceId: null }];
  if (!recursive) return plan;
  // grows while it is walked, level by level; the tree has no circles
  for (const { sourceId } of plan) {
    const below = [...(children.get(sourceId) ?? [])].sort((left, right) => compareNames(left.name, right.name));
    for (const child of below) {
      const newName = names !== null && Object.hasOwn(names, child.name) ? names[child.name] : undefined;
      plan.push({ sourceId: child.id, name: newName ?? `${child.name}-1`, parentSourceId: sourceId });
    }
  }
  return plan;
}

/** The first name of a plan that is taken already, or that the plan gives twice. */
export function copyClash(plan: readonly PlannedCopy[], taken: Iterable<string>): PlannedCopy | null {
  const names = new Set(taken);
  for (const copy of plan) {
    if (names.has(copy.name)) return copy;
    names.add(copy.name);
  }
  return null;
}
