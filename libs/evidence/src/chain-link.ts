import { hash } from 'node:crypto';
import { type ChangesetRecord, changesetBytes } from './changeset-bytes.ts';
import { leafHash } from './merkle-tree.ts';

/** A link of the chain of an organization's changesets. It depends on its changeset and on all links before it. */
export interface ChainLink {
  readonly revision: number;
  /** SHA-256, in hexadecimal digits. */
  readonly hash: string;
}

const FORMAT = Buffer.from('strata link v1\n');
const REVISION_BYTES = 8;
const HASH_BYTES = 32;
const NO_HASH = '00'.repeat(HASH_BYTES);

/** Returns the hash of a changeset: its leaf in the Merkle tree of the ledger. */
export function changesetHash(record: ChangesetRecord): Buffer {
  return leafHash(changesetBytes(record));
}

/**
 * Returns the link of a changeset with this hash. `previous` is the last link before it, null if there is none. Its revision
 * is hashed, too, because revisions that an earlier release wrote after it have no links.
 */
export function nextLink(previous: ChainLink | null, revision: number, changeset: Buffer): ChainLink {
  const start = Buffer.alloc(REVISION_BYTES);
  start.writeBigUInt64BE(BigInt(previous?.revision ?? 0));
  const bytes = Buffer.concat([FORMAT, start, Buffer.from(previous?.hash ?? NO_HASH, 'hex'), changeset]);
  return { revision, hash: hash('sha256', bytes, 'hex') };
}
