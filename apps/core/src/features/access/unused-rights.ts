import { Injectable } from '@nestjs/common';
import { type UnusedAccess, UnusedAccessQuery } from '@strata/contract';
import { compareNames, type Role } from '@strata/domain';
import { pageInMemory } from '../../platform/http/list-order.ts';
import { parseListQuery } from '../../platform/http/page.ts';
import type { Call } from '../../platform/http/request.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { wireTimeSql } from '../../platform/postgres/versioned-table.ts';

interface UnusedRow {
  readonly right: UnusedAccess['right'];
  readonly object_id: string;
  readonly principal_name: string;
  readonly scope_name: string | null;
  readonly role: Role;
  readonly last_used_at: string | null;
}

/**
 * $1 is the organization, $3 the number of days. Rights that were given or changed within that time are left out, and those of OWNERs,
 * who administer. Reads of people are not recorded, so only grants to service accounts can be unused for reads. A grant on a
 * project is also used by reads and writes in the projects that depend on it.
 */
const UNUSED = `
with recursive period as materialized (select statement_timestamp() - $3 * interval '1 day' as begins),
  old_grant as materialized (
    select access_grant.*, coalesce(access_grant.project_id, access_grant.environment_id) as scope_id
      from access_grant, period
     where access_grant.organization_id = $1 and access_grant.modified_at < period.begins and access_grant.role <> 'OWNER'),
  holder as materialized (
    select old_grant.id as grant_id, membership.person_id, person.type
      from old_grant
      left join group_member on group_member.organization_id = $1 and group_member.group_id = old_grant.group_id
      join membership on membership.organization_id = $1 and membership.id = coalesce(old_grant.membership_id, group_member.membership_id)
      join person on person.id = membership.person_id),
  used_scope (grant_id, id) as (
    select id, scope_id from old_grant
    union
    select used_scope.grant_id, project.id from used_scope
      join project on project.organization_id = $1 and project.depends_on_id = used_scope.id),
  written as materialized (
    select changeset.actor_id, change.project_id, change.environment_id, max(changeset.at) as at
      from period join changeset on changeset.organization_id = $1 and changeset.at >= period.begins
      join change on change.organization_id = $1 and change.revision = changeset.revision
     group by 1, 2, 3),
  use as materialized (
    select old_grant.id as grant_id,
           (select max(last_read.read_at) from holder
              join last_read on last_read.organization_id = $1 and last_read.account_id = holder.person_id
              join used_scope on used_scope.grant_id = old_grant.id and used_scope.id in (last_read.project_id, last_read.environment_id)
             where holder.grant_id = old_grant.id) as read_at,
           (select max(written.at) from holder
              join written on written.actor_id = holder.person_id
              join used_scope on used_scope.grant_id = old_grant.id and used_scope.id in (written.project_id, written.environment_id)
             where holder.grant_id = old_grant.id) as written_at,
           (select coalesce(bool_and(holder.type = 'service'), true) from holder where holder.grant_id = old_grant.id) as is_read_recorded
      from old_grant),
  unused_grant as (
    select old_grant.*, use.read_at,
           use.is_read_recorded and use.written_at is null and coalesce(use.read_at < period.begins, true) as is_unused
      from old_grant join use on use.grant_id = old_grant.id cross join period
     where use.written_at is null),
  old_member as materialized (
    select membership.id, membership.person_id, membership.role, membership.reveals_secrets, coalesce(person.name, person.email, person.id) as name
      from membership join person on person.id = membership.person_id cross join period
     where membership.organization_id = $1 and membership.modified_at < period.begins and membership.role <> 'OWNER')
select case when unused_grant.is_unused then 'grant' else 'grant_write' end as right, unused_grant.id as object_id,
       coalesce(member_group.name, person.name, person.email, person.id) as principal_name, coalesce(project.name, environment.name) as scope_name,
       unused_grant.role, ${wireTimeSql('unused_grant.read_at')} as last_used_at
  from unused_grant
  left join membership on membership.organization_id = $1 and membership.id = unused_grant.membership_id
  left join person on person.id = membership.person_id
  left join member_group on member_group.organization_id = $1 and member_group.id = unused_grant.group_id
  left join project on project.organization_id = $1 and project.id = unused_grant.project_id
  left join environment on environment.organization_id = $1 and environment.id = unused_grant.environment_id
 where unused_grant.is_unused or unused_grant.role <> 'VIEWER'
union all
select 'role_write', old_member.id, old_member.name, null, old_member.role,
       (select ${wireTimeSql('max(changeset.at)')} from changeset where changeset.organization_id = $1 and changeset.actor_id = old_member.person_id)
  from old_member
 where old_member.role = 'CONTRIB' and not exists (select from written where written.actor_id = old_member.person_id)
union all
select 'reveal', old_member.id, old_member.name, null, old_member.role,
       (select ${wireTimeSql('max(access_log.at)')} from access_log
         where access_log.organization_id = $1 and access_log.actor_id = old_member.person_id and access_log.action = 'reveal')
  from old_member cross join period
 where old_member.reveals_secrets and not exists (
   select from access_log where access_log.organization_id = $1 and access_log.actor_id = old_member.person_id
      and access_log.action = 'reveal' and access_log.at >= period.begins)`;

/** Finds rights that were not used for some time, and proposes changes that remove them. Callers have access to every scope. */
@Injectable()
export class UnusedRights {
  constructor(private readonly snapshotReader: SnapshotReader) {}

  async find(call: Call) {
    const { organizationId } = call.caller;
    const query = parseListQuery(UnusedAccessQuery, call);
    const { rows, revision } = await this.snapshotReader.sets<{ rows: readonly UnusedRow[] }>(
      { organizationId, at: 'now' },
      { rows: UNUSED },
      [query.days],
    );
    const sortedRows = rows
      .map(presentUnused)
      .toSorted(
        (left, right) => compareNames(left.principal_name, right.principal_name) || (left.id < right.id ? -1 : 1),
      );
    const page = pageInMemory(sortedRows, query, (row) => [row.principal_name, row.id]);
    return { query, page: { ...page, revision } };
  }
}

function presentUnused(row: UnusedRow): UnusedAccess {
  const path = { id: row.object_id };
  const proposedRole = row.right === 'grant_write' || row.right === 'role_write' ? 'VIEWER' : null;
  return {
    id: `${row.right}-${row.object_id}`,
    ...row,
    proposed_role: proposedRole,
    operation: { ...OPERATIONS[row.right], path },
  };
}

const OPERATIONS: Readonly<Record<UnusedRow['right'], object>> = {
  grant: { operation: 'grants_destroy' },
  grant_write: { operation: 'grants_partial_update', body: { role: 'VIEWER' } },
  role_write: { operation: 'memberships_partial_update', body: { role: 'VIEWER' } },
  reveal: { operation: 'memberships_partial_update', body: { reveals_secrets: false } },
};
