import { type ChainLink, nextLink } from './chain-link.ts';
import { type ChangesetRecord, changesetBytes } from './changeset-bytes.ts';
import { leafHash, type StoredSubtree, TreeEdge, type TreeHead } from './merkle-tree.ts';

/** A changeset with what the database stores beside its record. */
export interface LinkedRecord extends ChangesetRecord {
  /** The hash of its link, in hexadecimal digits; null if a core without links stored it. */
  readonly link: string | null;
  /** The number of changes of the ledger up to and including this changeset. */
  readonly changesUpTo: number;
}

/** The head of a ledger. */
export interface StoredHead {
  readonly revision: number;
  readonly at: string;
  readonly link: ChainLink | null;
}

/** A difference between a ledger and its links, and the first revision where it shows. */
export interface LedgerProblem {
  readonly revision: number;
  readonly text: string;
}

/** Consecutive revisions. */
export interface RevisionRange {
  readonly from: number;
  readonly to: number;
}

/** The ledger up to a revision, as far as the next changeset depends on it. */
export interface LedgerEnd {
  readonly revision: number;
  readonly at: string;
  readonly changes: number;
  readonly link: ChainLink | null;
}

/** A ledger up to a revision that was verified, which a later verification continues. It can be stored as JSON. */
export interface VerifiedLedger extends LedgerEnd {
  /** The right edge of the Merkle tree. */
  readonly subtrees: readonly StoredSubtree[];
  /** The right edge of the tree of contents, if they were verified. */
  readonly contents?: readonly StoredSubtree[] | undefined;
}

const BEGINNING: LedgerEnd = { revision: 0, at: '', changes: 0, link: null };

interface VerifierOptions {
  /** Earlier states of the ledger, in any order. */
  readonly checkpoints?: readonly TreeHead[];
  /** The ledger before the first changeset of the verification; by default its beginning. Checkpoints need its tree. */
  readonly before?: LedgerEnd | VerifiedLedger;
  /** Called with the canonical bytes of each changeset, and their hash. */
  readonly onChangeset?: (bytes: Buffer, hash: Buffer) => void;
}

/** More would describe the same damage again. */
const PROBLEMS_MAX = 100;

/**
 * Compares the changesets of one ledger with their links and with checkpoints, in the order of their revisions. After a
 * problem it continues with the stored link, so that one changed row is one problem.
 */
export class LedgerVerifier {
  readonly problems: LedgerProblem[] = [];
  /** The revisions that no link covers. Releases without links wrote them. */
  readonly unlinked: RevisionRange[] = [];
  /** The right edge of the tree of contents, once they are verified. */
  contents: readonly StoredSubtree[] | undefined;
  private readonly tree: TreeEdge;
  private readonly checkpointsBySize: ReadonlyMap<number, readonly TreeHead[]>;
  private readonly onChangeset: (bytes: Buffer, hash: Buffer) => void;
  private end: LedgerEnd;

  constructor({ checkpoints = [], before = BEGINNING, onChangeset = () => undefined }: VerifierOptions = {}) {
    this.checkpointsBySize = Map.groupBy(checkpoints, ({ size }) => size);
    this.end = before;
    this.onChangeset = onChangeset;
    this.tree = TreeEdge.restore('subtrees' in before ? before.subtrees : []);
  }

  /** The ledger up to the last changeset. */
  get verified(): VerifiedLedger {
    const { revision, at, changes, link } = this.end;
    return { revision, at, changes, link, subtrees: this.tree.stored, contents: this.contents };
  }

  /** The Merkle tree of the changesets so far. */
  get treeHead(): TreeHead {
    const contents = this.contents && TreeEdge.restore(this.contents).root();
    return { size: this.tree.size, root: this.tree.root(), contents };
  }

  add(changeset: LinkedRecord): void {
    const { revision, at } = changeset;
    const changes = this.end.changes + changeset.changes.length;
    const first = this.end.revision + 1;
    if (revision > first) this.report(first, `${describeRange({ from: first, to: revision - 1 })} missing`);
    if (at <= this.end.at) this.report(revision, 'its time is not later than that of the revision before');
    if (changeset.changesUpTo !== changes)
      this.report(revision, `it counts ${changeset.changesUpTo} changes up to itself, and there are ${changes}`);
    const bytes = changesetBytes(changeset);
    const contents = leafHash(bytes);
    this.onChangeset(bytes, contents);
    this.end = { revision, at, changes: changeset.changesUpTo, link: this.verifyLink(changeset, contents) };
    this.tree.add(contents);
    this.compareCheckpoints();
  }

  /** Compares the end of the part that was verified earlier with the database, before the first changeset. */
  resume(storedEnd: LedgerEnd | undefined): void {
    const { revision, at, changes, link } = this.end;
    const isSame = storedEnd?.at === at && storedEnd.changes === changes && isSameLink(storedEnd.link, link);
    if (!isSame) this.report(revision, 'it differs from the last revision of the earlier verification');
    this.compareCheckpoints();
  }

  /** Compares the end of the ledger with its head, after the last changeset. */
  finish({ revision, at, link }: StoredHead): void {
    const { end } = this;
    if (revision !== end.revision) this.report(end.revision, `it is the last revision, and the head has ${revision}`);
    else if (at !== end.at) this.report(revision, 'the head has another time');
    if (!isSameLink(link, end.link)) this.report(end.link?.revision ?? 0, 'the link of the head is not the last link');
    for (const size of this.checkpointsBySize.keys())
      if (size > end.revision)
        this.report(end.revision, `it is the last revision, and a checkpoint has signed ${size}`);
  }

  private compareCheckpoints(): void {
    const { revision } = this.end;
    const checkpoints = this.checkpointsBySize.get(revision) ?? [];
    const root = checkpoints.length === 0 ? null : this.tree.root();
    for (const checkpoint of checkpoints)
      if (!root?.equals(checkpoint.root))
        this.report(revision, 'the revisions up to here are not those that the checkpoint of this revision has signed');
  }

  private verifyLink({ revision, link: hash }: LinkedRecord, contents: Buffer): ChainLink | null {
    if (hash === null) {
      this.addUnlinked(revision);
      return this.end.link;
    }
    if (nextLink(this.end.link, revision, contents).hash !== hash)
      this.report(revision, 'its link does not match its contents and the links before it');
    return { revision, hash };
  }

  private addUnlinked(revision: number): void {
    const last = this.unlinked.at(-1);
    if (last?.to === revision - 1) this.unlinked.splice(-1, 1, { from: last.from, to: revision });
    else this.unlinked.push({ from: revision, to: revision });
  }

  report(revision: number, text: string): void {
    if (this.problems.length < PROBLEMS_MAX) this.problems.push({ revision, text });
  }
}

const isSameLink = (a: ChainLink | null, b: ChainLink | null) => a?.revision === b?.revision && a?.hash === b?.hash;

const describeRange = ({ from, to }: RevisionRange) =>
  from === to ? `revision ${from} is` : `revisions ${from} to ${to} are`;
