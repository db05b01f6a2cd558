import { Inject, Injectable } from '@nestjs/common';
import type { AuditStreamRecord } from '@strata/contract';
import {
  type AuditPosition,
  auditId,
  encodeAuditCursor,
  Failure,
  type LedgerPosition,
  type OrganizationId,
  type Revision,
} from '@strata/domain';
import type { Env } from '../../platform/env.ts';
import { lastPeopleChange } from '../../platform/ledger/ledger-statements.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { wireTime } from '../../platform/postgres/versioned-table.ts';
import { ENV } from '../../platform/tokens.ts';

/** The number of records per page. It limits the memory of one reader. */
const PAGE_SIZE = 500;

export interface AuditStreamPage {
  readonly records: readonly AuditStreamRecord[];
  /** All records up to here are on this page or an earlier one. */
  readonly position: AuditPosition;
  /** There are further records already. */
  readonly more: boolean;
  readonly revision: Revision;
  /** Permissions may have changed up to this revision. Look up the receiver again if it was looked up before. */
  readonly people: Revision;
}

interface StoredRecord extends LedgerPosition, Omit<AuditStreamRecord, 'kind' | 'cursor' | 'id' | 'changeset'> {
  /** The number in the access log; null for a change. */
  readonly logged: number | null;
}

interface PageRow {
  readonly epoch: string;
  readonly revision: Revision;
  readonly ordinal: number;
  /** At least the number of the last record of the access log. */
  readonly logged: number;
  readonly people: Revision;
  /** The last revision that is too old to be shown. */
  readonly floor: Revision;
  /** Whether the next record of the access log is too old to be shown. */
  readonly expired: boolean;
  readonly changes: readonly StoredRecord[];
  readonly reads: readonly StoredRecord[];
}

/**
 * A reader that starts with the oldest record has this time to read the first page, which is too old a moment later.
 */
const GRACE = `interval '1 minute'`;

const object = (alias: string) => `json_build_object(
  'type', ${alias}.object_type, 'id', ${alias}.object_id, 'name', ${alias}.object_name) as object`;
const actor = (alias: string) => `json_build_object(
  'id', ${alias}.actor_id, 'name', ${alias}.actor_name, 'type', ${alias}.actor_type) as actor`;

const CHANGES = `
  select c.revision, c.ordinal, null as logged, ${wireTime('s.at')} as timestamp, c.action, ${actor('s')}, ${object('c')},
         c.project_id, c.environment_id, c.parameter_id, s.surface, s.request_id,
         null as rule, null as ability, null as operation, 1 as requests
    from (select * from change where organization_id = $1 and (revision, ordinal) > ($2::bigint, $3::int)
           order by revision, ordinal limit ${PAGE_SIZE}) c
   cross join lateral (
     select * from changeset where organization_id = c.organization_id and revision = c.revision offset 0) s
   order by c.revision, c.ordinal`;

const READS = `
  select l.revision, l.ordinal, l.number as logged, ${wireTime('l.at')} as timestamp, l.action, ${actor('l')},
         ${object('l')}, l.project_id, l.environment_id, l.parameter_id, l.surface, l.request_id,
         l.rule, l.ability, l.operation, l.requests
    from access_log l where l.organization_id = $1 and l.number > $4::bigint
   order by l.number limit ${PAGE_SIZE}`;

const HEAD = `h.epoch, h.revision,
  coalesce((select max(c.ordinal) from change c where c.organization_id = $1 and c.revision = h.revision), 0) as ordinal,
  (select last_value from access_log_order) as logged`;

const PAGE = `
select ${HEAD}, ${lastPeopleChange('$1')} as people,
       strata_revision_at($1, clock_timestamp() - $5::int * interval '1 day' - ${GRACE}) as floor,
       coalesce((select l.at <= clock_timestamp() - $5::int * interval '1 day' - ${GRACE} from access_log l
                  where l.organization_id = $1 and l.number > $4::bigint order by l.number limit 1), false) as expired,
       (select coalesce(json_agg(r), '[]') from (${CHANGES}) r) as changes,
       (select coalesce(json_agg(r), '[]') from (${READS}) r) as reads
  from organization_head h where h.organization_id = $1`;

/**
 * $2 is the number of days that are shown, $3 the time of the first record or null. Without a record since then, it is the
 * position after the last one that is visible: a record that is being stored has a greater number.
 */
const BEGINNING = `
select h.epoch, f.revision,
       coalesce((select max(c.ordinal) from change c where c.organization_id = $1 and c.revision = f.revision), 0) as ordinal,
       coalesce((select min(l.number) - 1 from access_log l where l.organization_id = $1 and l.at >= t.at),
                (select max(l.number) from access_log l where l.organization_id = $1), 0) as logged
  from organization_head h
 cross join lateral (
   select greatest(clock_timestamp() - $2::int * interval '1 day', $3::timestamptz) as at) t
 cross join lateral (select strata_revision_at($1, t.at - interval '1 microsecond') as revision) f
 where h.organization_id = $1`;

/**
 * Reads the ledger and the access log forward, as one sequence. Both grow only at their end: revisions by the lock of the
 * head row, and the numbers of the access log by a lock that all of its writers share. A position is a position in each of them, so a
 * reader that continues misses no record and gets none twice, however late a record was stored (ADR 0057).
 */
@Injectable()
export class AuditRecords {
  constructor(
    private readonly reader: SnapshotReader,
    @Inject(ENV) private readonly env: Env,
  ) {}

  /** Returns the position before the oldest record that is shown, or before the first one at `since`. */
  async beginning(organizationId: OrganizationId, since: string | undefined): Promise<AuditPosition> {
    const values = [organizationId, this.env.STRATA_AUDIT_MAX_DAYS, since ?? null];
    const [position] = await this.reader.query<AuditPosition>(BEGINNING, values);
    if (!position) throw Failure.notFound('Organization');
    return position;
  }

  /** Returns the records after a position. Throws `cursor_gone` if records between them may be missing. */
  async after(organizationId: OrganizationId, position: AuditPosition): Promise<AuditStreamPage> {
    const { revision, ordinal, logged } = position;
    const values = [organizationId, revision, ordinal, logged, this.env.STRATA_AUDIT_MAX_DAYS];
    const [row] = await this.reader.query<PageRow>(PAGE, values);
    if (!row) throw Failure.notFound('Organization');
    if (!isKnown(position, row)) throw auditCursorGone();
    const { changes, reads } = row;
    const merged = inOrder(changes, reads).slice(0, PAGE_SIZE);
    let last = position;
    const records = merged.map((record) => {
      last = positionAfter(last, record);
      return presented(organizationId, record, last);
    });
    const more =
      changes.length === PAGE_SIZE || reads.length === PAGE_SIZE || merged.length < changes.length + reads.length;
    const end = more ? last : { ...last, revision: row.revision, ordinal: row.ordinal };
    return { records, position: end, more, revision: row.revision, people: row.people };
  }
}

/** An empty response would mean that nothing happened, so an invalid position is an error. */
export function auditCursorGone(): Failure {
  return new Failure({
    kind: 'cursor_gone',
    code: 'cursor_gone',
    message:
      'This cursor is unknown, older than the records that Strata shows, or belongs to a history that was replaced. Start again without `after`, or with `since`; records in between may be missing.',
  });
}

function isKnown({ epoch, revision, ordinal, logged }: AuditPosition, head: PageRow): boolean {
  const isInLedger = revision < head.revision || (revision === head.revision && ordinal <= head.ordinal);
  return epoch === head.epoch && isInLedger && logged <= head.logged && revision >= head.floor && !head.expired;
}

/** Merges two sequences by time, without changing the order of either. */
function inOrder(changes: readonly StoredRecord[], reads: readonly StoredRecord[]): readonly StoredRecord[] {
  const merged: StoredRecord[] = [];
  let [change, read] = [0, 0];
  for (;;) {
    const [first, second] = [changes[change], reads[read]];
    if (!first) return [...merged, ...reads.slice(read)];
    if (!second) return [...merged, ...changes.slice(change)];
    const isChange = first.timestamp <= second.timestamp;
    merged.push(isChange ? first : second);
    if (isChange) change += 1;
    else read += 1;
  }
}

function positionAfter(position: AuditPosition, { revision, ordinal, logged }: StoredRecord): AuditPosition {
  return logged === null ? { ...position, revision, ordinal } : { ...position, logged };
}

function presented(
  organizationId: OrganizationId,
  { revision, ordinal, logged: _, ...record }: StoredRecord,
  position: AuditPosition,
): AuditStreamRecord {
  const id = auditId(organizationId, { revision, ordinal });
  return { kind: 'record', cursor: encodeAuditCursor(position), id, ...record, changeset: revision };
}
