import type { LedgerQuery } from './ledger-query.ts';
import type { LedgerVerifier } from './ledger-verifier.ts';
import { type StoredSubtree, TreeEdge, type TreeHead } from './merkle-tree.ts';
import { readAllContents, readNamedContents } from './stored-contents.ts';
import { versionRules } from './version-rules.ts';

/** The number of revisions per page. Each page of a complete verification reads all rows, so there are few. */
const PAGE_SIZE = 100_000;
/** The number of revisions whose root hash is stored together. */
export const TILE_SIZE = 256;
/** More would describe the same damage again. */
const VIOLATIONS_MAX = 20;

const RECORDED = `select number, root from contents_tile where organization_id = $1 and number >= $2 order by number`;

interface ContentsOptions {
  readonly organizationId: string;
  /** The last revision of the ledger. */
  readonly last: number;
  readonly checkpoints: readonly TreeHead[];
  /** The contents that were verified earlier. Their rows are not read again. */
  readonly previous: readonly StoredSubtree[] | undefined;
}

/**
 * Compares the versions of rows with the root hashes of contents that checkpoints have signed and the core has recorded, and
 * with changesets and changes. Returns the right edge of the tree of contents. Reads only the rows that changes name if an
 * earlier verification is continued.
 */
export async function verifyStoredContents(
  query: LedgerQuery,
  verifier: LedgerVerifier,
  { organizationId, last, checkpoints, previous }: ContentsOptions,
): Promise<readonly StoredSubtree[]> {
  const tree = TreeEdge.restore(previous ?? []);
  const signed = Map.groupBy(checkpoints, ({ size }) => size);
  const rows = await query<{ number: number; root: Buffer }>(RECORDED, [
    organizationId,
    Math.ceil(tree.size / TILE_SIZE),
  ]);
  const recorded = new Map(rows.map(({ number, root }) => [number, root]));
  const compare = () => {
    for (const { contents } of signed.get(tree.size) ?? [])
      if (contents && !contents.equals(tree.root()))
        verifier.report(
          tree.size,
          'the contents up to here are not those that the checkpoint of this revision has signed',
        );
  };
  if (tree.size > 0) compare();
  let tile = new TreeEdge();
  const read = previous ? readNamedContents : readAllContents;
  for (let after = tree.size; after < last; after = tree.size) {
    const leaves = await read(query, { organizationId, after, last: Math.min(after + PAGE_SIZE, last) });
    for (const leaf of leaves) {
      tree.add(leaf);
      tile.add(leaf);
      compare();
      if (tree.size % TILE_SIZE !== 0) continue;
      const root = recorded.get(tree.size / TILE_SIZE - 1);
      if (root && !root.equals(tile.root()))
        verifier.report(
          tree.size,
          `the contents of revisions ${tree.size - TILE_SIZE + 1} to ${tree.size} are not those that were recorded`,
        );
      tile = new TreeEdge();
    }
  }
  if (!previous) await applyRules(query, verifier, organizationId);
  return tree.stored;
}

async function applyRules(query: LedgerQuery, verifier: LedgerVerifier, organizationId: string): Promise<void> {
  for (const { text, violations } of versionRules('organization_id = $1')) {
    const rows = await query<{ revision: number }>(
      `select revision::float8 as revision from (${violations}) violation order by revision limit ${VIOLATIONS_MAX}`,
      [organizationId],
    );
    for (const { revision } of rows) verifier.report(revision, text);
  }
}
