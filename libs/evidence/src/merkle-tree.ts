import { hash } from 'node:crypto';

/*
 * Merkle trees as in RFC 9162, section 2.1, with SHA-256. Leaves count from 0.
 */

const LEAF = Buffer.from([0]);
const NODE = Buffer.from([1]);

const sha256 = (...parts: readonly Buffer[]): Buffer => hash('sha256', Buffer.concat(parts), 'buffer');

/** Returns the hash of a leaf with these bytes. */
export function leafHash(bytes: Buffer): Buffer {
  return sha256(LEAF, bytes);
}

const nodeHash = (left: Buffer, right: Buffer): Buffer => sha256(NODE, left, right);

/** The leaves from `start` up to and excluding `end`. */
export interface LeafRange {
  readonly start: number;
  readonly end: number;
}

/** The root of a complete subtree. */
export interface StoredSubtree {
  readonly height: number;
  /** The hash has hexadecimal digits. */
  readonly hash: string;
}

/** The right edge of a tree: the roots of its largest complete subtrees. It is all that further leaves need. */
export class TreeEdge {
  /** From left to right. Adding them to an empty tree in this order restores the edge. */
  readonly subtrees: { readonly height: number; readonly hash: Buffer }[] = [];
  private leaves = 0;

  /** Returns the tree with an edge that was stored. */
  static restore(subtrees: readonly StoredSubtree[]): TreeEdge {
    const edge = new TreeEdge();
    for (const { height, hash: text } of subtrees) edge.add(Buffer.from(text, 'hex'), height);
    return edge;
  }

  /** The edge, which can be stored as JSON. */
  get stored(): readonly StoredSubtree[] {
    return this.subtrees.map(({ height, hash: bytes }) => ({ height, hash: bytes.toString('hex') }));
  }

  get size(): number {
    return this.leaves;
  }

  /** Adds a leaf, or the root of a complete subtree of this height. The size of the subtree divides that of the tree. */
  add(leaf: Buffer, height = 0): void {
    let node = { height, hash: leaf };
    for (let last = this.subtrees.at(-1); last?.height === node.height; last = this.subtrees.at(-1)) {
      this.subtrees.pop();
      node = { height: node.height + 1, hash: nodeHash(last.hash, node.hash) };
    }
    this.subtrees.push(node);
    this.leaves += 2 ** height;
  }

  /** Returns the root hash of the tree. */
  root(): Buffer {
    if (this.leaves === 0) return sha256();
    return this.subtrees.map((subtree) => subtree.hash).reduceRight((right, left) => nodeHash(left, right));
  }
}

/** Returns the root hash of these leaves. */
export function rootHash(leaves: readonly Buffer[]): Buffer {
  const edge = new TreeEdge();
  for (const leaf of leaves) edge.add(leaf);
  return edge.root();
}

/** Returns the size of the left subtree, which is complete. */
const leftSize = (size: number): number => 2 ** Math.floor(Math.log2(size - 1));

const split = ({ start, end }: LeafRange): readonly [LeafRange, LeafRange] => {
  const middle = start + leftSize(end - start);
  return [
    { start, end: middle },
    { start: middle, end },
  ];
};

/** Returns the subtrees whose root hashes prove that a tree of this size contains a leaf, from the leaf to the root. */
export function inclusionPath(leaf: number, size: number): readonly LeafRange[] {
  const path: LeafRange[] = [];
  for (let range: LeafRange = { start: 0, end: size }; range.end - range.start > 1; ) {
    const [left, right] = split(range);
    const isLeft = leaf < left.end;
    path.unshift(isLeft ? right : left);
    range = isLeft ? left : right;
  }
  return path;
}

/** Returns the subtrees whose root hashes prove that a tree of this size begins with the leaves of an earlier one. */
export function consistencyPath(earlierSize: number, size: number): readonly LeafRange[] {
  if (earlierSize === 0) return [];
  const path: LeafRange[] = [];
  let range: LeafRange = { start: 0, end: size };
  while (range.end !== earlierSize) {
    const [left, right] = split(range);
    const isLeft = earlierSize <= left.end;
    path.unshift(isLeft ? right : left);
    range = isLeft ? left : right;
  }
  // A verifier knows the root hash of the earlier tree.
  return range.start === 0 ? path : [range, ...path];
}

/** Returns the root hash of the tree of this size that contains a leaf, according to the hashes of its inclusion path. */
export function rootOfInclusion(
  { leaf, index, size }: { readonly leaf: Buffer; readonly index: number; readonly size: number },
  proof: readonly Buffer[],
): Buffer | null {
  const path = inclusionPath(index, size);
  if (index >= size || proof.length !== path.length) return null;
  return path.reduce((node, { start }, at) => {
    const sibling = proof[at] as Buffer;
    return start > index ? nodeHash(node, sibling) : nodeHash(sibling, node);
  }, leaf);
}

/** A root hash with the number of leaves. */
export interface TreeHead {
  readonly size: number;
  readonly root: Buffer;
  /** The root hash of the tree of contents. Checkpoints of earlier releases have none. */
  readonly contents?: Buffer | undefined;
}

/** Returns whether the later tree begins with all leaves of the earlier one. */
export function isConsistent(earlier: TreeHead, later: TreeHead, proof: readonly Buffer[]): boolean {
  if (earlier.size > later.size) return false;
  if (earlier.size === 0) return proof.length === 0;
  const path = consistencyPath(earlier.size, later.size);
  if (proof.length !== path.length) return false;
  const nodes = path.map((range, at) => ({ range, hash: proof[at] as Buffer }));
  // The first subtree ends with the earlier tree. It is in the proof unless it is the earlier tree.
  const last = nodes[0]?.range.end === earlier.size ? (nodes.shift()?.hash as Buffer) : earlier.root;
  let [earlierRoot, laterRoot] = [last, last];
  for (const { range, hash: sibling } of nodes) {
    const isRight = range.start >= earlier.size;
    laterRoot = isRight ? nodeHash(laterRoot, sibling) : nodeHash(sibling, laterRoot);
    if (!isRight) earlierRoot = nodeHash(sibling, earlierRoot);
  }
  return earlierRoot.equals(earlier.root) && laterRoot.equals(later.root);
}
