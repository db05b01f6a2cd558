import { Inject, Injectable } from '@nestjs/common';
import type { AuditListQuery, AuditSummary, DeniedRequest, OrderBy, User } from '@strata/contract';
import {
  ACCESS_ACTIONS,
  type AccessLogAction,
  AUDIT_OBJECT_TYPES,
  type AuditAction,
  type AuditObjectType,
  auditId,
  Failure,
  forbiddenScopes,
  isInAccessLog,
  type LedgerPosition,
  type OrganizationId,
  positionOfAuditId,
  type Uuid,
} from '@strata/domain';
import type { Caller } from '../../platform/caller.ts';
import type { Env } from '../../platform/env.ts';
import { type AfterCursor, invalidCursorError } from '../../platform/http/list-order.ts';
import { offsetWindow } from '../../platform/http/page.ts';
import {
  type PageBounds,
  type PageResult,
  type RowResult,
  SnapshotReader,
} from '../../platform/postgres/snapshot-reader.ts';
import { wireTimeSql } from '../../platform/postgres/versioned-table.ts';
import { ENV } from '../../platform/tokens.ts';
import { AUDIT_LOCATIONS, AuditConditions, type AuditSource, changesSource, withAccessLog } from './audit-sql.ts';

/** A row of the audit, whose user has no link yet. */
export interface AuditRow extends LedgerPosition {
  readonly id: Uuid;
  readonly action: AuditAction | AccessLogAction;
  readonly object_id: string;
  readonly object_name: string;
  readonly object_type: AuditObjectType;
  readonly timestamp: string;
  readonly user: Omit<User, 'url'>;
  /** The location. Only present on request. */
  readonly project_name?: string | null;
  readonly environment_name?: string | null;
  /** Null for other records of the access log; absent for changes. */
  readonly refusal?: DeniedRequest | null;
}

const ORDERS: Readonly<Record<string, readonly string[]>> = {
  timestamp: ['record.revision', 'record.ordinal'],
  action: ['record.action'],
  object_id: ['record.object_id'],
  object_name: ['record.object_name collate human'],
  object_type: ['record.object_type'],
};

const user = (alias: string, moreMembers: string) => `json_build_object(
  'id', ${alias}.id, 'type', ${alias}.type, 'name', ${alias}.name, ${moreMembers},
  'created_at', ${wireTimeSql(`${alias}.created_at`)}, 'modified_at', ${wireTimeSql(`${alias}.modified_at`)})`;
const UNKNOWN = `'organization_name', null, 'membership_id', null, 'role', null, 'reveals_secrets', null, 'email', null, 'picture_url', null`;

/** The author of a record: a member, a former member, or only the name that the ledger stored. */
const USER = `coalesce(
  (select ${user('person', `'organization_name', organization.name, 'membership_id', membership.id, 'role', membership.role, 'reveals_secrets', membership.reveals_secrets, 'email', case when person.type = 'service' then '' else person.email end, 'picture_url', person.picture_url`)}
     from membership join person on person.id = membership.person_id join organization on organization.id = membership.organization_id
    where membership.organization_id = author.organization_id and membership.person_id = author.actor_id),
  (select ${user('former', UNKNOWN)}
     from (select person_id as id, type, name, created_at, modified_at from former_member
            where organization_id = author.organization_id and person_id = author.actor_id) former),
  (select ${user('actor', UNKNOWN)}
     from (select author.actor_id as id, author.actor_type as type, author.actor_name as name, author.at as created_at,
                  author.at as modified_at) actor))`;

/** Reads the ledger as an audit trail (ADR 0010). Merges the access log on request (ADR 0042). */
@Injectable()
export class AuditReader {
  constructor(
    private readonly reader: SnapshotReader,
    @Inject(ENV) private readonly env: Env,
  ) {}

  async page(caller: Caller, query: AuditListQuery): Promise<PageResult<AuditRow>> {
    const conditions = this.visible(caller);
    addFilters(conditions, query);
    conditions.add(
      (value) =>
        `record.revision in (select revision from changeset where organization_id = $1 and actor_id = ${value})`,
      query.user_id,
    );
    conditions.add(
      (value) => `record.revision <= (select strata_revision_at($1, ${value}::timestamptz))`,
      query.latest,
    );
    conditions.add(
      (value) => `record.revision > (select strata_revision_at($1, ${value}::timestamptz - interval '1 microsecond'))`,
      query.earliest,
    );
    this.restrictTo(conditions, caller.organizationId, query.id__in);
    const page = { ...offsetWindow(query), after: query.after };
    const source = this.chooseSource(caller, conditions, query);
    return this.read(
      caller.organizationId,
      source,
      buildOrder(query.ordering),
      page,
      query.places ? AUDIT_LOCATIONS : '',
    );
  }

  private chooseSource(caller: Caller, conditions: AuditConditions, query: AuditListQuery): AuditSource {
    if (!query.access_log && !ACCESS_ACTIONS.some((action) => action === query.action))
      return changesSource(conditions);
    const logConditions = this.visibleInLog(caller, conditions);
    addFilters(logConditions, query);
    logConditions.add((value) => `record.actor_id = ${value}`, query.user_id);
    logConditions.add((value) => `record.at <= ${value}::timestamptz`, query.latest);
    logConditions.add((value) => `record.at >= ${value}::timestamptz`, query.earliest);
    this.restrictTo(logConditions, caller.organizationId, query.id__in);
    return withAccessLog(conditions, logConditions);
  }

  async readOne(caller: Caller, id: Uuid): Promise<RowResult<AuditRow>> {
    const { organizationId } = caller;
    const conditions = this.visible(caller);
    this.restrictTo(conditions, organizationId, [id]);
    const position = positionOfAuditId(organizationId, id);
    const logConditions = position && isInAccessLog(position) ? this.visibleInLog(caller, conditions) : null;
    if (logConditions) this.restrictTo(logConditions, organizationId, [id]);
    const first = { limit: 1, offset: 0 };
    const source = logConditions ? withAccessLog(conditions, logConditions) : changesSource(conditions);
    const { revision, rows } = await this.read(organizationId, source, buildOrder(undefined), first);
    const [row] = rows;
    if (!row) throw Failure.notFound('AuditTrail');
    return { revision, row };
  }

  /** Returns the summary of the records that the caller may read. */
  async summary(caller: Caller): Promise<AuditSummary & { readonly revision: number }> {
    const conditions = this.visible(caller);
    const [row] = await this.reader.atHead<{ revision: number; earliest: string | null; total: number }>(
      caller.organizationId,
      `select head.revision, (select count(*)::int from change record where ${conditions}) as total,
              (select ${wireTimeSql('changeset.at')} from changeset where changeset.organization_id = $1 and changeset.revision =
                 (select record.revision from change record where ${conditions} order by record.revision limit 1)) as earliest
         from organization_head head where head.organization_id = $1`,
      conditions.values,
    );
    if (!row) throw Failure.notFound('Organization');
    const { STRATA_AUDIT_MAX_DAYS: maxDays, STRATA_AUDIT_MAX_RECORDS: maxRecords } = this.env;
    return { ...row, max_days: maxDays, max_records: maxRecords };
  }

  /**
   * Limits the records to the retention period. The ledger is ordered, so the condition is a first revision, which two
   * index lookups find.
   */
  private shown(organizationId: OrganizationId): AuditConditions {
    const logConditions = new AuditConditions();
    logConditions.bind(organizationId);
    const days = logConditions.bind(this.env.STRATA_AUDIT_MAX_DAYS);
    const records = logConditions.bind(this.env.STRATA_AUDIT_MAX_RECORDS);
    logConditions.add(
      (types) => `record.organization_id = $1 and record.object_type = any(${types}::text[]) and record.revision > (
      select greatest(
        strata_revision_at($1, clock_timestamp() - ${days}::int * interval '1 day'),
        (select changeset.revision from changeset
          where changeset.organization_id = $1 and changeset.changes <= (
            select latest.changes from changeset latest where latest.organization_id = $1 order by latest.revision desc limit 1) - ${records}::bigint
          order by changeset.changes desc limit 1)))`,
      AUDIT_OBJECT_TYPES,
    );
    return logConditions;
  }

  private visible(caller: Caller): AuditConditions {
    return open(this.shown(caller.organizationId), caller);
  }

  /**
   * Limits the access log to its retention period, which differs from that of the ledger because the log grows without
   * changes.
   */
  private visibleInLog(caller: Caller, conditions: AuditConditions): AuditConditions {
    const logConditions = conditions.sharingValues();
    logConditions.add(
      (days) => `record.organization_id = $1 and record.at > clock_timestamp() - ${days}::int * interval '1 day'`,
      this.env.STRATA_AUDIT_MAX_DAYS,
    );
    return open(logConditions, caller);
  }

  private restrictTo(
    conditions: AuditConditions,
    organizationId: OrganizationId,
    ids: readonly Uuid[] | undefined,
  ): void {
    if (ids === undefined) return;
    const positions = ids.flatMap((id) => positionOfAuditId(organizationId, id) ?? []);
    const revisions = conditions.bind(positions.map(({ revision }) => revision));
    conditions.add(
      (ordinals) =>
        `(record.revision, record.ordinal::bigint) in (select * from unnest(${revisions}::bigint[], ${ordinals}::bigint[]))`,
      positions.map(({ ordinal }) => ordinal),
    );
  }

  private async read(
    organizationId: OrganizationId,
    { where, from, by, more }: AuditSource,
    order: string,
    { limit, offset, after }: PageBounds & { readonly after?: AfterCursor },
    locations = '',
  ): Promise<PageResult<AuditRow>> {
    const restQuery = restAfter(organizationId, where, after);
    const page = `limit ${where.bind(limit)} offset ${where.bind(offset)}`;
    const [row] = await this.reader.atHead<PageResult<Omit<AuditRow, 'id'>>>(
      organizationId,
      `select head.revision, (select count(*)::int ${from}) as count,
              ${after ? `(select count(*)::int ${from}${restQuery}) as following,` : ''}
              (select coalesce(json_agg(listed), '[]') from (
                 select record.revision, record.ordinal, record.action, record.object_id, record.object_name, record.object_type,
                        ${wireTimeSql('author.at')} as timestamp, ${USER} as user${locations}${more}
                   from (select * ${from}${restQuery} order by ${order} ${page}) record
                   ${by}
                  order by ${order}) listed) as rows
         from organization_head head where head.organization_id = $1`,
      where.values,
    );
    if (!row) throw Failure.notFound('Organization');
    return { ...row, rows: row.rows.map((record) => ({ id: auditId(organizationId, record), ...record })) };
  }
}

/** Adds the filters that apply to both changes and the access log. */
function addFilters(conditions: AuditConditions, query: AuditListQuery): void {
  conditions.add((value) => `record.action = ${value}`, query.action);
  conditions.add((value) => `record.object_type = ${value}`, query.object_type);
  conditions.add((value) => `record.object_id = ${value}`, query.object_id);
  conditions.add((value) => `record.project_id = ${value}::uuid`, query.project_id);
  // The filter also matches the values of the parameter, but not its rules, which belong to the project (behaviour.md
  // §9).
  conditions.add(
    (value) => `record.parameter_id = ${value}::uuid and record.object_type <> 'ParameterRule'`,
    query.parameter_id,
  );
  conditions.add((value) => `record.environment_id = ${value}::uuid`, query.environment_id);
}

/** Excludes records of forbidden scopes. */
function open(conditions: AuditConditions, caller: Caller): AuditConditions {
  const forbiddenScopeIds = forbiddenScopes(caller);
  if (forbiddenScopeIds.length === 0) return conditions;
  conditions.add(
    (value) => `(record.project_id is null or record.project_id <> all(${value}::uuid[]))`,
    forbiddenScopeIds,
  );
  conditions.add(
    (value) => `(record.environment_id is null or record.environment_id <> all(${value}::uuid[]))`,
    forbiddenScopeIds,
  );
  return conditions;
}

/**
 * Returns SQL for the records after the cursor. It contains the id of a record, which determines its position in the
 * ledger. The order is newest first, so the records that follow are older.
 */
function restAfter(organizationId: OrganizationId, conditions: AuditConditions, after: AfterCursor): string {
  if (after === undefined || after === 'start') return '';
  const [id] = after.key;
  const position = id && after.key.length === 1 ? positionOfAuditId(organizationId, id) : null;
  if (position === null) throw invalidCursorError();
  return ` and (record.revision, record.ordinal) < (${conditions.bind(position.revision)}::bigint, ${conditions.bind(position.ordinal)}::bigint)`;
}

/** Returns the order, newest first by default. Ignores unknown fields. */
function buildOrder(ordering: readonly OrderBy[] = []): string {
  const orders = ordering.flatMap(({ field, descending }) =>
    ((Object.hasOwn(ORDERS, field) && ORDERS[field]) || []).map((column) => (descending ? `${column} desc` : column)),
  );
  return [...orders, 'record.revision desc', 'record.ordinal desc'].join(', ');
}
