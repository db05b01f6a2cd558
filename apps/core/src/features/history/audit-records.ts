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
import { wireTimeSql } from '../../platform/postgres/versioned-table.ts';
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
  select change.revision, change.ordinal, null as logged, ${wireTimeSql('changeset.at')} as timestamp, change.action, ${actor('changeset')}, ${object('change')},
         change.project_id, change.environment_id, change.parameter_id, changeset.surface, changeset.request_id,
         null as rule, null as ability, null as operation, 1 as requests
    from (select * from change where organization_id = $1 and (revision, ordinal) > ($2::bigint, $3::int)
           order by revision, ordinal limit ${PAGE_SIZE}) change
   cross join lateral (
     select * from changeset where organization_id = change.organization_id and revision = change.revision offset 0) changeset
   order by change.revision, change.ordinal`;

const READS = `
  select access_log.revision, access_log.ordinal, access_log.number as logged, ${wireTimeSql('access_log.at')} as timestamp, access_log.action, ${actor('access_log')},
         ${object('access_log')}, access_log.project_id, access_log.environment_id, access_log.parameter_id, access_log.surface, access_log.request_id,
         access_log.rule, access_log.ability, access_log.operation, access_log.requests
    from access_log where access_log.organization_id = $1 and access_log.number > $4::bigint
   order by access_log.number limit ${PAGE_SIZE}`;

const HEAD = `head.epoch, head.revision,
  coalesce((select max(change.ordinal) from change where change.organization_id = $1 and change.revision = head.revision), 0) as ordinal,
  (select last_value from access_log_order) as logged`;

const PAGE = `
select ${HEAD}, ${lastPeopleChange('$1')} as people,
       strata_revision_at($1, clock_timestamp() - $5::int * interval '1 day' - ${GRACE}) as floor,
       coalesce((select access_log.at <= clock_timestamp() - $5::int * interval '1 day' - ${GRACE} from access_log
                  where access_log.organization_id = $1 and access_log.number > $4::bigint order by access_log.number limit 1), false) as expired,
       (select coalesce(json_agg(record), '[]') from (${CHANGES}) record) as changes,
       (select coalesce(json_agg(record), '[]') from (${READS}) record) as reads
  from organization_head head where head.organization_id = $1`;

/**
 * $2 is the number of days that are shown, $3 the time of the first record or null. Without a record since then, it is the
 * position after the last one that is visible: a record that is being stored has a greater number.
 */
const BEGINNING = `
select head.epoch, floor.revision,
       coalesce((select max(change.ordinal) from change where change.organization_id = $1 and change.revision = floor.revision), 0) as ordinal,
       coalesce((select min(access_log.number) - 1 from access_log where access_log.organization_id = $1 and access_log.at >= horizon.at),
                (select max(access_log.number) from access_log where access_log.organization_id = $1), 0) as logged
  from organization_head head
 cross join lateral (
   select greatest(clock_timestamp() - $2::int * interval '1 day', $3::timestamptz) as at) horizon
 cross join lateral (select strata_revision_at($1, horizon.at - interval '1 microsecond') as revision) floor
 where head.organization_id = $1`;

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
  async beginning(organizationId: OrganizationId, startTime: string | undefined): Promise<AuditPosition> {
    const values = [organizationId, this.env.STRATA_AUDIT_MAX_DAYS, startTime ?? null];
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
    if (!isKnown(position, row)) throw auditCursorGoneError();
    const { changes, reads } = row;
    const mergedRecords = inOrder(changes, reads).slice(0, PAGE_SIZE);
    let lastPosition = position;
    const records = mergedRecords.map((record) => {
      lastPosition = positionAfter(lastPosition, record);
      return presented(organizationId, record, lastPosition);
    });
    const hasMore =
      changes.length === PAGE_SIZE ||
      reads.length === PAGE_SIZE ||
      mergedRecords.length < changes.length + reads.length;
    const end = hasMore ? lastPosition : { ...lastPosition, revision: row.revision, ordinal: row.ordinal };
    return { records, position: end, more: hasMore, revision: row.revision, people: row.people };
  }
}

/** An empty response would mean that nothing happened, so an invalid position is an error. */
export function auditCursorGoneError(): Failure {
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
  const mergedRecords: StoredRecord[] = [];
  let [change, read] = [0, 0];
  for (;;) {
    const [first, nextRead] = [changes[change], reads[read]];
    if (!first) return [...mergedRecords, ...reads.slice(read)];
    if (!nextRead) return [...mergedRecords, ...changes.slice(change)];
    const isChange = first.timestamp <= nextRead.timestamp;
    mergedRecords.push(isChange ? first : nextRead);
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
