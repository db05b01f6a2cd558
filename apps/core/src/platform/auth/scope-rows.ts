import { type OrganizationId, resolveScopes, type ScopeRow, type Scopes } from '@strata/domain';
import type { SnapshotReader } from '../postgres/snapshot-reader.ts';

/**
 * Selects the rows from which `resolveScopes` computes the scopes of membership `m`: the controlled scopes of its
 * organization with the roles granted to the membership and to its groups, and the projects below controlled projects.
 * A group that the membership is in because of a claim of an identity provider never makes it an OWNER. If the membership
 * is limited to projects, every other project that exists or has existed is outside, except for those that they depend on.
 * If nothing is controlled or limited, it costs one index lookup.
 */
export const SCOPE_ROWS = `
case when m.only_project_ids is not null
       or exists (select from access_grant a where a.organization_id = m.organization_id)
       or exists (select from departed_scope d where d.organization_id = m.organization_id) then (
  with recursive controlled as (
    select coalesce(a.project_id, a.environment_id) as id, bool_or(a.project_id is not null) as is_project,
           array_remove(array_agg(case when a.membership_id = m.id then a.role
                                       when s.from_claim and a.role = 'OWNER' then 'ADMIN'
                                       when s.group_id is not null then a.role end), null) as roles
      from access_grant a
      left join group_member s
        on s.organization_id = a.organization_id and s.group_id = a.group_id and s.membership_id = m.id
     where a.organization_id = m.organization_id group by 1),
  below as (
    select p.id, p.depends_on_id from controlled c
      join project p on p.organization_id = m.organization_id and p.depends_on_id = c.id
     where c.is_project
    union
    select p.id, p.depends_on_id from below b
      join project p on p.organization_id = m.organization_id and p.depends_on_id = b.id),
  inside as (
    select p.id, p.depends_on_id from project p
     where p.organization_id = m.organization_id and p.id = any(m.only_project_ids)
    union
    select p.id, p.depends_on_id from inside i
      join project p on p.organization_id = m.organization_id and p.id = i.depends_on_id)
  select json_agg(row) from (
    select c.id, true as controlled, null::uuid as "dependsOnId", c.roles, false as outside from controlled c
    union all
    select b.id, false, b.depends_on_id, '{}'::text[], false from below b
     where not exists (select from controlled c where c.id = b.id)
    union all
    select d.scope_id, true, null::uuid, case when m.id = any(d.membership_ids) then '{VIEWER}'::text[] else '{}' end, false
      from departed_scope d where d.organization_id = m.organization_id
    union all
    select o.id, false, null::uuid, '{}', true
      from (select distinct p.id from project_history p where p.organization_id = m.organization_id
            union select p.id from project p where p.organization_id = m.organization_id) o
     where m.only_project_ids is not null and o.id <> all(m.only_project_ids)
       and not exists (select from inside i where i.id = o.id)) row)
end`;

/** Returns the scopes of an organization for a caller without any grant: every restricted scope is forbidden. */
export async function scopesWithoutMembership(reader: SnapshotReader, organizationId: OrganizationId): Promise<Scopes> {
  const [row] = await reader.query<{ scopes: readonly ScopeRow[] | null }>(
    `select ${SCOPE_ROWS} as scopes from (select $1::uuid as organization_id, null::uuid as id, null::uuid[] as only_project_ids) m`,
    [organizationId],
  );
  return resolveScopes(row?.scopes ?? []);
}
