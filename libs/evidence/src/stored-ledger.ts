import { CHANGE_COLUMNS } from './changeset-bytes.ts';
import { verifyStoredContents } from './contents-verifier.ts';
import type { LedgerQuery } from './ledger-query.ts';
import {
  type LedgerEnd,
  LedgerVerifier,
  type LinkedRecord,
  type StoredHead,
  type VerifiedLedger,
} from './ledger-verifier.ts';
import type { LeafRange, TreeHead } from './merkle-tree.ts';

/** Limits the memory of a verification. */
const PAGE_SIZE = 2_000;

const wireTime = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

const HEAD = `
select revision::float8 as revision, ${wireTime('at')} as at,
       case when link is not null then json_build_object('revision', link_revision, 'hash', encode(link, 'hex')) end as link
  from organization_head where organization_id = $1`;

const END = `
select changeset.revision::float8 as revision, ${wireTime('at')} as at, changes::float8 as changes,
       (select json_build_object('revision', linked.revision, 'hash', encode(linked.link, 'hex')) from changeset linked
         where linked.organization_id = $1 and linked.revision <= $2 and linked.link is not null
         order by linked.revision desc limit 1) as link
  from changeset where organization_id = $1 and revision = $2`;

const CHANGESETS = `
select organization_id::text as "organizationId", revision::float8 as revision, ${wireTime('at')} as at,
       json_build_object('id', actor_id, 'name', actor_name, 'type', actor_type) as actor,
       surface, request_id as "requestId", message, external_ref as "externalRef",
       changes::float8 as "changesUpTo", encode(link, 'hex') as link
  from changeset where organization_id = $1 and revision > $2 and revision <= $3
 order by changeset.revision limit ${PAGE_SIZE}`;

const CHANGES = `
select revision::float8 as revision, ${CHANGE_COLUMNS.map((column) => `${column}::text as ${column}`).join(', ')}
  from change where organization_id = $1 and revision > $2 and revision <= $3
 order by change.revision, change.ordinal`;

/** No revision is as small. */
const BEFORE_ALL = -1;
/** No revision is as large. A bound lets every plan of a statement stop at the end of its range. */
const AFTER_ALL = Number.MAX_SAFE_INTEGER;

type ChangesetRow = Omit<LinkedRecord, 'changes'>;
type ChangeRow = { readonly revision: number } & Readonly<Record<(typeof CHANGE_COLUMNS)[number], string | null>>;

interface VerificationOptions {
  readonly checkpoints?: readonly TreeHead[];
  /** The part that was verified earlier. Its changesets are not read again. */
  readonly previous?: VerifiedLedger | undefined;
}

/** Verifies the ledger of one organization and its contents as the database stores them. */
export async function verifyStoredLedger(
  query: LedgerQuery,
  organizationId: string,
  { checkpoints = [], previous }: VerificationOptions = {},
): Promise<LedgerVerifier> {
  const verifier = new LedgerVerifier({ checkpoints, ...(previous && { before: previous }) });
  if (previous) verifier.resume((await query<LedgerEnd>(END, [organizationId, previous.revision]))[0]);
  await addRevisions(query, verifier, { organizationId, after: previous?.revision ?? BEFORE_ALL, last: AFTER_ALL });
  const [head] = await query<StoredHead>(HEAD, [organizationId]);
  if (head) verifier.finish(head);
  const last = verifier.verified.revision;
  const contents = { organizationId, last, checkpoints, previous: previous?.contents };
  verifier.contents = await verifyStoredContents(query, verifier, contents);
  return verifier;
}

/** A leaf of the Merkle tree of changesets. */
export interface ChangesetLeaf {
  readonly hash: Buffer;
  /** The canonical bytes that are hashed: an entry of the log. */
  readonly bytes: Buffer;
}

/**
 * Returns the leaves of changesets, mapped by `pick`. Returns null if the changesets do not match their links, or are not
 * complete. Earlier changesets are not verified.
 */
export async function readVerifiedLeaves(
  query: LedgerQuery,
  organizationId: string,
  { start, end }: LeafRange,
  pick: (leaf: ChangesetLeaf) => Buffer = ({ hash }) => hash,
): Promise<readonly Buffer[] | null> {
  const [before] = start === 0 ? [] : await query<LedgerEnd>(END, [organizationId, start]);
  const leaves: Buffer[] = [];
  const onChangeset = (bytes: Buffer, hash: Buffer) => void leaves.push(pick({ hash, bytes }));
  const verifier = new LedgerVerifier({ ...(before && { before }), onChangeset });
  await addRevisions(query, verifier, { organizationId, after: start, last: end });
  return verifier.problems.length === 0 && leaves.length === end - start ? leaves : null;
}

interface Revisions {
  readonly organizationId: string;
  readonly after: number;
  readonly last: number;
}

async function addRevisions(query: LedgerQuery, verifier: LedgerVerifier, revisions: Revisions): Promise<void> {
  const { organizationId, last } = revisions;
  let { after } = revisions;
  for (let isComplete = false; !isComplete; ) {
    const changesets = await query<ChangesetRow>(CHANGESETS, [organizationId, after, last]);
    isComplete = changesets.length < PAGE_SIZE;
    const lastOfPage = changesets.at(-1)?.revision ?? after;
    const changes = await query<ChangeRow>(CHANGES, [organizationId, after, isComplete ? last : lastOfPage]);
    addPage(verifier, changesets, changes);
    after = lastOfPage;
  }
}

/** Both lists are in the order of their revisions. */
function addPage(verifier: LedgerVerifier, changesets: readonly ChangesetRow[], changes: readonly ChangeRow[]): void {
  let at = 0;
  const addStrayChangesBefore = (revision: number) => {
    for (; (changes[at]?.revision ?? revision) < revision; at += 1)
      verifier.report((changes[at] as ChangeRow).revision, 'a change belongs to no changeset');
  };
  for (const changeset of changesets) {
    addStrayChangesBefore(changeset.revision);
    const first = at;
    while (changes[at]?.revision === changeset.revision) at += 1;
    const rows = changes.slice(first, at);
    verifier.add({ ...changeset, changes: rows.map((row) => CHANGE_COLUMNS.map((column) => row[column])) });
  }
  addStrayChangesBefore(Number.POSITIVE_INFINITY);
}
