import { type OrganizationId, resolveScopes, type ScopeRow, type Scopes, type TemporaryRights } from '@strata/domain';
import type { SnapshotReader } from '../postgres/snapshot-reader.ts';
import type { KeyLimitRow } from './key-limits.ts';

const GRANT_COLUMNS =
  'organization_id, id, membership_id, group_id, project_id, environment_id, role, created_at, modified_at';

/**
 * Returns SQL for the grants on scopes of an organization that are valid now, by the clock of the database. Only grants
 * without an end restrict a scope, so its restriction never ends by itself.
 */
export const validGrants = (organization = '$1'): string => `(
  select ${GRANT_COLUMNS}, null::timestamptz as expires_at from access_grant where organization_id = ${organization}
  union all
  select ${GRANT_COLUMNS}, expires_at from temporary_grant
   where organization_id = ${organization} and expires_at > statement_timestamp() and not reveals)`;

/**
 * Selects the rows from which `resolveScopes` computes the scopes of the row `membership`: the controlled scopes of its
 * organization with the roles granted to the membership and to its groups, and the projects below controlled projects.
 * A group that the membership is in because of a claim of an identity provider never makes it an OWNER. If the membership
 * is limited to projects, every other project that exists or has existed is outside, except for those that they depend on.
 * If nothing is controlled or limited, it costs one index lookup.
 */
export const SCOPE_ROWS = `
case when membership.only_project_ids is not null
       or exists (select from access_grant where access_grant.organization_id = membership.organization_id)
       or exists (select from departed_scope where departed_scope.organization_id = membership.organization_id) then (
  with recursive controlled as (
    select coalesce(access_grant.project_id, access_grant.environment_id) as id, bool_or(access_grant.project_id is not null) as is_project,
           array_remove(array_agg(case when access_grant.membership_id = membership.id then access_grant.role
                                       when group_member.from_claim and access_grant.role = 'OWNER' then 'ADMIN'
                                       when group_member.group_id is not null then access_grant.role end), null) as roles
      from ${validGrants('membership.organization_id')} access_grant
      left join group_member
        on group_member.organization_id = access_grant.organization_id and group_member.group_id = access_grant.group_id and group_member.membership_id = membership.id
     where access_grant.organization_id = membership.organization_id group by 1 having bool_or(access_grant.expires_at is null)),
  below as (
    select project.id, project.depends_on_id from controlled
      join project on project.organization_id = membership.organization_id and project.depends_on_id = controlled.id
     where controlled.is_project
    union
    select project.id, project.depends_on_id from below
      join project on project.organization_id = membership.organization_id and project.depends_on_id = below.id),
  inside as (
    select project.id, project.depends_on_id from project
     where project.organization_id = membership.organization_id and project.id = any(membership.only_project_ids)
    union
    select project.id, project.depends_on_id from inside
      join project on project.organization_id = membership.organization_id and project.id = inside.depends_on_id)
  select json_agg(row) from (
    select controlled.id, true as controlled, null::uuid as "dependsOnId", controlled.roles, false as outside from controlled
    union all
    select below.id, false, below.depends_on_id, '{}'::text[], false from below
     where not exists (select from controlled where controlled.id = below.id)
    union all
    select departed_scope.scope_id, true, null::uuid, case when membership.id = any(departed_scope.membership_ids) then '{VIEWER}'::text[] else '{}' end, false
      from departed_scope where departed_scope.organization_id = membership.organization_id
    union all
    select outside.id, false, null::uuid, '{}', true
      from (select distinct project_history.id from project_history where project_history.organization_id = membership.organization_id
            union select project.id from project where project.organization_id = membership.organization_id) outside
     where membership.only_project_ids is not null and outside.id <> all(membership.only_project_ids)
       and not exists (select from inside where inside.id = outside.id)) row)
end`;

/** Selects the temporary grants of the row `membership` that are valid now, directly or through a group; null if there is none. */
const TEMPORARY_RIGHTS = `
(select json_build_object('reveals', bool_or(temporary_grant.reveals), 'endsAt', (extract(epoch from min(temporary_grant.expires_at)) * 1000)::float8)
   from temporary_grant
  where temporary_grant.organization_id = membership.organization_id and temporary_grant.expires_at > statement_timestamp()
    and (temporary_grant.membership_id = membership.id or temporary_grant.group_id in (
      select group_member.group_id from group_member
       where group_member.organization_id = membership.organization_id and group_member.membership_id = membership.id))
 having count(*) > 0)`;

/** The columns of the row `membership` from which `toStoredPermissions` computes its permissions. */
export const RIGHTS = `membership.role, membership.reveals_secrets, ${SCOPE_ROWS} as scopes, ${TEMPORARY_RIGHTS} as temporary`;

/** A row with the columns of `RIGHTS`. */
export interface RightsRow {
  readonly role: string;
  readonly reveals_secrets: boolean;
  /** Null in an organization without any grant. */
  readonly scopes: readonly ScopeRow[] | null;
  readonly temporary: TemporaryRights | null;
}

export function toStoredPermissions(row: RightsRow & Partial<Pick<KeyLimitRow, 'key_locations'>>) {
  const { role, reveals_secrets: revealsSecrets, scopes, temporary, key_locations: keyLocations = null } = row;
  return { role, revealsSecrets, scopes, temporary, keyLocations };
}

/** Returns the scopes of an organization for a caller without any grant: every restricted scope is forbidden. */
export async function readScopesWithoutMembership(
  reader: SnapshotReader,
  organizationId: OrganizationId,
): Promise<Scopes> {
  const [row] = await reader.query<{ scopes: readonly ScopeRow[] | null }>(
    `select ${SCOPE_ROWS} as scopes from (select $1::uuid as organization_id, null::uuid as id, null::uuid[] as only_project_ids) membership`,
    [organizationId],
  );
  return resolveScopes(row?.scopes ?? []);
}
