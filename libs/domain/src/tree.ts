import { compareNames } from './human-order.ts';

/** Anything that hangs below at most one other thing of its kind: environments by parent, projects by `depends_on`. */
export interface TreeNode {
  readonly id: string;
  readonly parentId: string | null;
}

/** Nodes by id, and how many of them there are at most. */
export type TreeNodes = Pick<ReadonlyMap<string, TreeNode>, 'get' | 'size'>;

/** No honest tree is this deep; the bound keeps a walk over corrupt data from holding up the process. */
export const LINEAGE_LENGTH_MAX = 10_000;

/** The nodes by id, the form in which the functions below want them. */
export function byId<N extends { readonly id: string }>(nodes: Iterable<N>): ReadonlyMap<string, N> {
  const index = new Map<string, N>();
  for (const node of nodes) index.set(node.id, node);
  return index;
}

/**
 * The node itself, then its parent, and so on to the root (domain.md §2.1: no cycles).
 * Throws when the data contradict that: an unknown node, a parent that is missing, a circle.
 */
export function lineage(nodes: TreeNodes, start: string): readonly string[] {
  // A walk that is longer than the forest has met a node twice.
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

/** Whether `id` lies anywhere below `ancestor`. Nothing is its own descendant. */
export function isDescendant(nodes: ReadonlyMap<string, TreeNode>, id: string, ancestor: string): boolean {
  return id !== ancestor && lineage(nodes, id).includes(ancestor);
}

/** Whether hanging `moved` below `newParent` would close a circle (behaviour.md §2 E14, §4 E22). */
export function wouldMakeCycle(nodes: ReadonlyMap<string, TreeNode>, moved: string, newParent: string | null): boolean {
  return newParent !== null && lineage(nodes, newParent).includes(moved);
}

/**
 * What differs above something that hung below `from` and hangs below `to`: what is no longer there, or was not there
 * before. Nobody, when it stays where it is. What is above both it inherits from as before.
 */
export function exchangedAbove(
  nodes: ReadonlyMap<string, TreeNode>,
  from: string | null,
  to: string | null,
): readonly string[] {
  const above = (start: string | null) => new Set(start === null ? [] : lineage(nodes, start));
  const [before, after] = [above(from), above(to)];
  return [...[...before].filter((id) => !after.has(id)), ...[...after].filter((id) => !before.has(id))];
}

/** The node and everything below it, parents before children. */
export function subtree(nodes: ReadonlyMap<string, TreeNode>, root: string): readonly string[] {
  const children = Map.groupBy(nodes.values(), ({ parentId }) => parentId);
  const found = [root];
  // The list grows while it is walked; a forest has no circle, and nothing is in it twice.
  for (const id of found) found.push(...(children.get(id) ?? []).map((child) => child.id));
  return found;
}

/** The nodes as people read a tree: each before everything below it, siblings by name. */
export function inTreeOrder<N extends TreeNode & { readonly name: string }>(nodes: readonly N[]): readonly N[] {
  const children = Map.groupBy(nodes, ({ parentId }) => parentId);
  const ordered: N[] = [];
  const open = downwards(children.get(null));
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    ordered.push(node);
    open.push(...downwards(children.get(node.id)));
  }
  return ordered;
}

/** Last name first: what is taken from the end comes by name. */
function downwards<N extends { readonly name: string }>(siblings: readonly N[] = []): N[] {
  return [...siblings].sort((left, right) => compareNames(right.name, left.name));
}
