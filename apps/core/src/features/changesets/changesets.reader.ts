import { Injectable } from '@nestjs/common';
import { CHANGESET_LIMITS, type ChangesetListQuery } from '@strata/contract';
import { Failure, forbiddenScopes, isUuid, type Revision } from '@strata/domain';
import type { Caller } from '../../platform/caller.ts';
import { offsetWindow } from '../../platform/http/page.ts';
import { type PageResult, type RowResult, SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { wireTime } from '../../platform/postgres/versioned-table.ts';
import type { ChangesetRow } from './changesets.presenter.ts';

/**
 * Condition of the changes that the caller may read. $1 is the organization, $2 the scopes that the caller may not
 * read, and $3 the limit of changes per changeset.
 */
const SEEN = `c.organization_id = $1 and c.revision = s.revision
  and (c.project_id is null or c.project_id <> all($2::uuid[]))
  and (c.environment_id is null or c.environment_id <> all($2::uuid[]))`;

const COLUMNS = `
  s.revision, ${wireTime('s.at')} as at,
  case when seen.count > 0 then s.actor_id end as actor_id, case when seen.count > 0 then s.actor_name end as actor_name,
  case when seen.count > 0 then s.actor_type end as actor_type, case when seen.count > 0 then s.surface end as surface,
  case when seen.count > 0 then s.message end as message, case when seen.count > 0 then s.external_ref end as external_ref,
  seen.count as change_count,
  (select coalesce(json_agg(r), '[]') from (
     select c.action, c.object_type, c.object_id, c.object_name, c.project_id, c.project_name, c.environment_id,
            c.environment_name, c.parameter_id, c.parameter_name
       from change c where ${SEEN} order by c.ordinal limit $3) r) as changes`;

const COUNTED = `cross join lateral (select count(*)::int as count from change c where ${SEEN}) seen`;

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
    const where = ['s.organization_id = $1', ...conditions(query, bind)].join(' and ');
    const [row] = await this.reader.query<PageResult<ChangesetRow>>(
      `select h.revision, (select count(*)::int from changeset s where ${where}) as count,
              (select coalesce(json_agg(r), '[]') from (
                 select ${COLUMNS}
                   from (select s.* from changeset s where ${where} order by s.revision desc limit $4 offset $5) s ${COUNTED}
                  order by s.revision desc) r) as rows
         from organization_head h where h.organization_id = $1`,
      values,
    );
    if (!row) throw Failure.notFound('Organization');
    return row;
  }

  async readOne(caller: Caller, revision: Revision): Promise<RowResult<ChangesetRow>> {
    const [row] = await this.reader.query<{ revision: Revision; row: ChangesetRow | null }>(
      `select h.revision, (select row_to_json(r) from (
                select ${COLUMNS} from changeset s ${COUNTED} where s.organization_id = $1 and s.revision = $4) r) as row
         from organization_head h where h.organization_id = $1`,
      [caller.organizationId, forbiddenScopes(caller), CHANGESET_LIMITS.shownChanges, revision],
    );
    if (!row?.row) throw Failure.notFound('Changeset');
    return { revision: row.revision, row: row.row };
  }
}

type Bind = (value: unknown) => string;

function conditions({ actor, project, environment, since, q }: ChangesetListQuery, bind: Bind): string[] {
  const sqlConditions: string[] = [];
  const seen = `exists (select from change c where ${SEEN})`;
  if (actor !== undefined) sqlConditions.push(`s.actor_id = ${bind(actor)} and ${seen}`);
  if (since !== undefined) sqlConditions.push(`s.at >= ${bind(since)}::timestamptz`);
  if (project !== undefined || environment !== undefined) {
    // Each condition can use an index of the changes.
    const changeConditions = [
      ...(project === undefined ? [] : [`c.project_id = any(${selectIds('project', project, bind)})`]),
      ...(environment === undefined ? [] : [`c.environment_id = any(${selectIds('environment', environment, bind)})`]),
    ];
    sqlConditions.push(`s.revision in (select c.revision from change c where c.organization_id = $1 and ${changeConditions.join(' and ')}
      and (c.project_id is null or c.project_id <> all($2::uuid[]))
      and (c.environment_id is null or c.environment_id <> all($2::uuid[])))`);
  }
  if (q !== undefined) {
    const text = bind(`%${q.replace(/[\\%_]/g, '\\$&')}%`);
    sqlConditions.push(`(s.message ilike ${text} or s.external_ref ilike ${text}) and ${seen}`);
  }
  return sqlConditions;
}

/** Selects the ids of the objects with this name or id. Deleted objects can only be found by id. */
const selectIds = (table: 'project' | 'environment', nameOrId: string, bind: Bind): string =>
  `array(select p.id from ${table} p where p.organization_id = $1 and p.name = ${bind(nameOrId)}
    union all select ${bind(isUuid(nameOrId) ? nameOrId : null)}::uuid)`;
