import { Injectable } from '@nestjs/common';
import { CHANGESET_LIMITS, type ChangesetListQuery } from '@strata/contract';
import { Failure, forbiddenScopes, isUuid, type Revision } from '@strata/domain';
import type { Caller } from '../../platform/caller.ts';
import { offsetWindow } from '../../platform/http/page.ts';
import { type PageResult, type RowResult, SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { wireTimeSql } from '../../platform/postgres/versioned-table.ts';
import type { ChangesetRow } from './changesets.presenter.ts';

/**
 * Condition of the changes that the caller may read. $1 is the organization, $2 the scopes that the caller may not
 * read, and $3 the limit of changes per changeset.
 */
const SEEN = `change.organization_id = $1 and change.revision = changeset.revision
  and (change.project_id is null or change.project_id <> all($2::uuid[]))
  and (change.environment_id is null or change.environment_id <> all($2::uuid[]))`;

const COLUMNS = `
  changeset.revision, ${wireTimeSql('changeset.at')} as at,
  case when seen.count > 0 then changeset.actor_id end as actor_id, case when seen.count > 0 then changeset.actor_name end as actor_name,
  case when seen.count > 0 then changeset.actor_type end as actor_type, case when seen.count > 0 then changeset.surface end as surface,
  case when seen.count > 0 then changeset.message end as message, case when seen.count > 0 then changeset.external_ref end as external_ref,
  seen.count as change_count,
  (select coalesce(json_agg(change), '[]') from (
     select change.action, change.object_type, change.object_id, change.object_name, change.project_id, change.project_name, change.environment_id,
            change.environment_name, change.parameter_id, change.parameter_name
       from change where ${SEEN} order by change.ordinal limit $3) change) as changes`;

const COUNTED = `cross join lateral (select count(*)::int as count from change where ${SEEN}) seen`;

/** Reads the changesets of the ledger. */
@Injectable()
export class ChangesetsReader {
  constructor(private readonly reader: SnapshotReader) {}

  /**
   * Returns one page of changesets, newest first. Except for the time filters, filters match only what the caller may
   * read.
   */
  async page(caller: Caller, query: ChangesetListQuery): Promise<PageResult<ChangesetRow>> {
    const { limit, offset } = offsetWindow(query);
    const values: unknown[] = [
      caller.organizationId,
      forbiddenScopes(caller),
      CHANGESET_LIMITS.shownChangesInLists,
      limit,
      offset,
    ];
    const bind = (value: unknown) => `$${values.push(value)}`;
    const whereClause = ['changeset.organization_id = $1', ...conditions(query, bind)].join(' and ');
    const [row] = await this.reader.atHead<PageResult<ChangesetRow>>(
      caller.organizationId,
      `select head.revision, (select count(*)::int from changeset where ${whereClause}) as count,
              (select coalesce(json_agg(changeset), '[]') from (
                 select ${COLUMNS}
                   from (select changeset.* from changeset where ${whereClause} order by changeset.revision desc limit $4 offset $5) changeset ${COUNTED}
                  order by changeset.revision desc) changeset) as rows
         from organization_head head where head.organization_id = $1`,
      values,
    );
    if (!row) throw Failure.notFound('Organization');
    return row;
  }

  async readOne(caller: Caller, revision: Revision): Promise<RowResult<ChangesetRow>> {
    const [row] = await this.reader.atHead<{ revision: Revision; row: ChangesetRow | null }>(
      caller.organizationId,
      `select head.revision, (select row_to_json(changeset) from (
                select ${COLUMNS} from changeset ${COUNTED} where changeset.organization_id = $1 and changeset.revision = $4) changeset) as row
         from organization_head head where head.organization_id = $1`,
      [caller.organizationId, forbiddenScopes(caller), CHANGESET_LIMITS.shownChanges, revision],
    );
    if (!row?.row) throw Failure.notFound('Changeset');
    return { revision: row.revision, row: row.row };
  }
}

type Bind = (value: unknown) => string;

function conditions({ actor, project, environment, since, q }: ChangesetListQuery, bind: Bind): string[] {
  const sqlConditions: string[] = [];
  const isVisibleSql = `exists (select from change where ${SEEN})`;
  if (actor !== undefined) sqlConditions.push(`changeset.actor_id = ${bind(actor)} and ${isVisibleSql}`);
  if (since !== undefined) sqlConditions.push(`changeset.at >= ${bind(since)}::timestamptz`);
  if (project !== undefined || environment !== undefined) {
    // Each condition can use an index of the changes.
    const changeConditions = [
      ...(project === undefined ? [] : [`change.project_id = any(${selectIds('project', project, bind)})`]),
      ...(environment === undefined
        ? []
        : [`change.environment_id = any(${selectIds('environment', environment, bind)})`]),
    ];
    sqlConditions.push(`changeset.revision in (select change.revision from change where change.organization_id = $1 and ${changeConditions.join(' and ')}
      and (change.project_id is null or change.project_id <> all($2::uuid[]))
      and (change.environment_id is null or change.environment_id <> all($2::uuid[])))`);
  }
  if (q !== undefined) {
    const text = bind(`%${q.replace(/[\\%_]/g, '\\$&')}%`);
    sqlConditions.push(`(changeset.message ilike ${text} or changeset.external_ref ilike ${text}) and ${isVisibleSql}`);
  }
  return sqlConditions;
}

/** Selects the ids of the objects with this name or id. Deleted objects can only be found by id. */
const selectIds = (table: 'project' | 'environment', nameOrId: string, bind: Bind): string =>
  `array(select scope.id from ${table} scope where scope.organization_id = $1 and scope.name = ${bind(nameOrId)}
    union all select ${bind(isUuid(nameOrId) ? nameOrId : null)}::uuid)`;
