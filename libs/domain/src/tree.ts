import { compareNames } from './human-order.ts';

/** A node with at most one parent of its kind: environments by parent, projects by `depends_on`. */
export interface TreeNode {
  readonly id: string;
  readonly parentId: string | null;
}

/** Nodes by id. `size` bounds the length of a lineage. */
export type TreeNodes = Pick<ReadonlyMap<string, TreeNode>, 'get' | 'size'>;

/**
 * The maximum depth. No valid tree is this deep. The limit stops a walk over corrupt data from blocking the process.
 */
export const LINEAGE_LENGTH_MAX = 10_000;

/** Returns the nodes by id, as the functions below expect them. */
export function indexById<N extends { readonly id: string }>(nodes: Iterable<N>): ReadonlyMap<string, N> {
  const index = new Map<string, N>();
  for (const node of nodes) index.set(node.id, node);
  return index;
}

/**
 * Returns the node itself, then its parent, and so on to the root (domain.md §2.1: no cycles). Throws if the data
 * violate that rule: an unknown node, a missing parent or a cycle.
 */
export function listLineage(nodes: TreeNodes, start: string): readonly string[] {
  // A longer walk has visited a node twice.
  const lengthMax = Math.min(nodes.size, LINEAGE_LENGTH_MAX);
  const chain: string[] = [];
  for (let id: string | null = start; id !== null; ) {
    const node: TreeNode | undefined = nodes.get(id);
    if (!node) throw new Error(`Node ${id} is not part of this forest.`);
    if (chain.length === lengthMax) throw new Error(`Node ${start} has no root.`);
    chain.push(id);
    id = node.parentId;
  }
  return chain;
}

/** Returns a function that returns the lineage of a node, and computes each of them once. */
export function lineages(forest: readonly TreeNode[]): (start: string) => readonly string[] {
  const nodes = indexById(forest);
  const descendantsById = new Map<string, readonly string[]>();
  return (start) => {
    const chain = descendantsById.get(start) ?? listLineage(nodes, start);
    descendantsById.set(start, chain);
    return chain;
  };
}

/** Returns whether `id` is a descendant of `ancestor`. No node is its own descendant. */
export function isDescendant(nodes: ReadonlyMap<string, TreeNode>, id: string, ancestor: string): boolean {
  return id !== ancestor && listLineage(nodes, id).includes(ancestor);
}

/** Returns whether moving `moved` below `newParent` would create a cycle (behaviour.md §2 E14, §4 E22). */
export function wouldMakeCycle(
  nodes: ReadonlyMap<string, TreeNode>,
  movedId: string,
  newParent: string | null,
): boolean {
  return newParent !== null && listLineage(nodes, newParent).includes(movedId);
}

/**
 * Returns the ancestors that a node loses or gains when it moves from `from` to `to`; none if it stays. The common
 * ancestors are not included, because inheritance from them does not change.
 */
export function findChangedAncestors(
  nodes: ReadonlyMap<string, TreeNode>,
  from: string | null,
  to: string | null,
): readonly string[] {
  const listAncestors = (start: string | null) => new Set(start === null ? [] : listLineage(nodes, start));
  const [before, after] = [listAncestors(from), listAncestors(to)];
  return [...[...before].filter((id) => !after.has(id)), ...[...after].filter((id) => !before.has(id))];
}

/** Returns the node and all its descendants, parents before children. */
export function listSubtree(nodes: ReadonlyMap<string, TreeNode>, root: string): readonly string[] {
  const children = Map.groupBy(nodes.values(), ({ parentId }) => parentId);
  const ids = [root];
  // The loop appends to the list while it iterates. It ends because a forest has no cycles.
  for (const id of ids) ids.push(...(children.get(id) ?? []).map((child) => child.id));
  return ids;
}

/** Returns the nodes in the order of a displayed tree: each node before its descendants, siblings by name. */
export function inTreeOrder<N extends TreeNode & { readonly name: string }>(nodes: readonly N[]): readonly N[] {
  const children = Map.groupBy(nodes, ({ parentId }) => parentId);
  const orderedNodes: N[] = [];
  const open = downwards(children.get(null));
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    orderedNodes.push(node);
    open.push(...downwards(children.get(node.id)));
  }
  return orderedNodes;
}

/** Sorts in reverse, so that `pop` returns the siblings by name. */
function downwards<N extends { readonly name: string }>(siblings: readonly N[] = []): N[] {
  return [...siblings].sort((left, right) => compareNames(right.name, left.name));
}
