import { Injectable, Logger } from '@nestjs/common';
import { Failure, type OrganizationId, type Revision } from '@strata/domain';
import {
  type ChangesetLeaf,
  type LeafRange,
  type LedgerQuery,
  readNamedContents,
  readVerifiedLeaves,
  TILE_SIZE,
  TreeEdge,
} from '@strata/evidence';
import { DataSource } from 'typeorm';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { Transaction } from '../../platform/postgres/transaction.ts';

/** A tile is a complete subtree of 2^8 leaves. Only its root hash is stored. */
const TILE_HEIGHT = Math.log2(TILE_SIZE);
/** The number of tiles that one transaction stores. It limits memory. */
const TILES_PER_STEP = 16;

const countTiles = (leaves: number): number => Math.floor(leaves / TILE_SIZE);

/** The tree of changesets, or the tree of the contents that each revision has written, and the table of the tiles of each. */
const TABLES = { changesets: 'ledger_tile', contents: 'contents_tile' } as const;
export type TreeName = keyof typeof TABLES;

/** Returns the root hash of a subtree, from the root hashes of its tiles and the leaves outside of them. */
async function hashRange(
  { start, end }: LeafRange,
  roots: readonly Buffer[],
  readTile: (tile: number) => Promise<readonly Buffer[]>,
): Promise<Buffer> {
  const edge = new TreeEdge();
  let first = start;
  // A subtree of at least this size begins with a tile.
  if (end - start >= TILE_SIZE) {
    first = countTiles(end) * TILE_SIZE;
    for (const root of roots.slice(countTiles(start), countTiles(end))) edge.add(root, TILE_HEIGHT);
  }
  if (first === end) return edge.root();
  const offset = first % TILE_SIZE;
  const leaves = await readTile(countTiles(first));
  for (const leaf of leaves.slice(offset, offset + end - first)) edge.add(leaf);
  return edge.root();
}

/** The Merkle trees of an organization. Each revision is the leaf with its number, less one. */
@Injectable()
export class LedgerTree {
  private readonly logger = new Logger('ledger');
  private readonly query: LedgerQuery;

  constructor(
    private readonly dataSource: DataSource,
    reader: SnapshotReader,
  ) {
    this.query = (text, values) => reader.query(text, values);
  }

  /**
   * Returns the root hashes of subtrees of the tree up to a revision. Throws if changesets do not match their links, so
   * that they are not signed.
   */
  async hashes(
    organizationId: OrganizationId,
    revision: Revision,
    ranges: readonly LeafRange[],
    tree: TreeName = 'changesets',
  ): Promise<readonly Buffer[]> {
    const roots = await this.tiles(organizationId, tree, countTiles(revision));
    const tileLeaves = new Map<number, Promise<readonly Buffer[]>>();
    const readTile = (tile: number) => {
      const start = tile * TILE_SIZE;
      const leaves =
        tileLeaves.get(tile) ??
        this.leaves(organizationId, tree, { start, end: Math.min(start + TILE_SIZE, revision) });
      tileLeaves.set(tile, leaves);
      return leaves;
    };
    return Promise.all(ranges.map((range) => hashRange(range, roots, readTile)));
  }

  /** Returns the canonical bytes of changesets: the entries of the log. */
  entries(organizationId: OrganizationId, range: LeafRange): Promise<readonly Buffer[]> {
    return this.changesets(organizationId, range, ({ bytes }) => bytes);
  }

  /** Returns the root hashes of the first tiles, and stores those that are new. */
  private async tiles(organizationId: OrganizationId, tree: TreeName, count: number): Promise<readonly Buffer[]> {
    const rows = await this.query<{ root: Buffer }>(
      `select root from ${TABLES[tree]} where organization_id = $1 and number < $2 order by number`,
      [organizationId, count],
    );
    const roots = rows.map(({ root }) => root);
    while (roots.length < count) {
      const first = roots.length;
      const end = Math.min(count, first + TILES_PER_STEP);
      const leaves = await this.leaves(organizationId, tree, { start: first * TILE_SIZE, end: end * TILE_SIZE });
      for (let at = 0; at < leaves.length; at += TILE_SIZE) {
        const edge = new TreeEdge();
        for (const leaf of leaves.slice(at, at + TILE_SIZE)) edge.add(leaf);
        roots.push(edge.root());
      }
      await this.store(TABLES[tree], organizationId, first, roots.slice(first));
    }
    return roots;
  }

  private async store(
    table: string,
    organizationId: OrganizationId,
    first: number,
    roots: readonly Buffer[],
  ): Promise<void> {
    const text = `insert into ${table} (organization_id, number, root)
      select $1, $2 + position - 1, root from unnest($3::bytea[]) with ordinality as tile (root, position)
      on conflict do nothing`;
    await Transaction.run(this.dataSource, (transaction) =>
      transaction.send({ text, values: [organizationId, first, roots] }),
    );
  }

  private async leaves(organizationId: OrganizationId, tree: TreeName, range: LeafRange): Promise<readonly Buffer[]> {
    if (tree === 'contents')
      return readNamedContents(this.query, { organizationId, after: range.start, last: range.end });
    return this.changesets(organizationId, range);
  }

  private async changesets(
    organizationId: OrganizationId,
    range: LeafRange,
    pick?: (leaf: ChangesetLeaf) => Buffer,
  ): Promise<readonly Buffer[]> {
    const leaves = await readVerifiedLeaves(this.query, organizationId, range, pick);
    if (leaves) return leaves;
    const { start, end } = range;
    this.logger.error(
      `The changesets ${start + 1} to ${end} of organization ${organizationId} do not match their links. Run strata audit verify: docs/guides/verify-the-audit.md`,
    );
    throw new Failure({
      kind: 'conflict',
      code: 'ledger_damaged',
      message:
        'The audit does not match its links, so Strata signs no checkpoint of it. Ask your operator to run strata audit verify.',
    });
  }
}
