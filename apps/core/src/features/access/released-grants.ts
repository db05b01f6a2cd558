import type { WriteContext } from '../../platform/ledger/command.ts';
import { deleteFromBothTables, recordGrant } from './grant-changes.ts';
import { GRANTS, type GrantRow } from './grants.reader.ts';

/** A member or group that is being removed. */
export type RemovedPrincipal = { readonly membershipId: string } | { readonly groupId: string };

type RemovedGrant = Pick<GrantRow, 'id' | 'principal_name' | 'project_id' | 'environment_id' | 'scope_name' | 'role'>;

/**
 * Removes the grants of a principal. If a controlled scope would lose its last owner, ownership passes to the
 * organization's longest-serving OWNER, because a scope without grants would be open to every member.
 */
export async function removeGrants(
  context: WriteContext,
  organizationId: string,
  removedPrincipal: RemovedPrincipal,
): Promise<void> {
  const { em } = context;
  const [column, id] =
    'groupId' in removedPrincipal
      ? ['group_id', removedPrincipal.groupId]
      : ['membership_id', removedPrincipal.membershipId];
  const releasedGrants = await em.query<RemovedGrant[]>(
    `select scope_grant.id, scope_grant.name as principal_name, scope_grant.project_id, scope_grant.environment_id, scope_grant.scope_name, scope_grant.role
       from ${GRANTS} scope_grant where scope_grant.${column} = $2 order by scope_grant.scope_name, scope_grant.id`,
    [organizationId, id],
  );
  if (releasedGrants.length === 0) return;
  await deleteFromBothTables(context, `${column} = $2`, [organizationId, id]);
  for (const grant of releasedGrants) recordGrant(context, 'delete', grant);
  await appointOwner(
    context,
    organizationId,
    removedPrincipal,
    releasedGrants.filter(({ role }) => role === 'OWNER'),
  );
}

/** An OWNER grant that the heir receives, or an existing grant of the heir that is raised to OWNER. */
type InheritedOwnership = Omit<RemovedGrant, 'role' | 'scope_name'> & { readonly is_new: boolean };

async function appointOwner(
  context: WriteContext,
  organizationId: string,
  removedPrincipal: RemovedPrincipal,
  ownerGrants: readonly RemovedGrant[],
): Promise<void> {
  const inheritedOwnerships = await context.em.query<InheritedOwnership[]>(
    `with heir as (
       select membership.id, coalesce(person.name, person.email, person.id) as name from membership join person on person.id = membership.person_id
        where membership.organization_id = $1 and membership.role = 'OWNER' and membership.id is distinct from $2::uuid
        order by person.type, membership.created_at, membership.id limit 1),
     appointed as (
       insert into access_grant (organization_id, id, membership_id, project_id, environment_id, role, created_at, modified_at)
       select $1, gen_random_uuid(), heir.id, owned.project_id, owned.environment_id, 'OWNER', $5, $5
         from heir, unnest($3::uuid[], $4::uuid[]) as owned(project_id, environment_id)
        where not exists (
          select from access_grant where access_grant.organization_id = $1 and access_grant.role = 'OWNER'
             and coalesce(access_grant.project_id, access_grant.environment_id) = coalesce(owned.project_id, owned.environment_id))
       on conflict on constraint grant_taken do update set role = 'OWNER', modified_at = excluded.modified_at
       returning id, project_id, environment_id, xmax = 0 as is_new)
     select appointed.*, heir.name as principal_name from appointed, heir`,
    [
      organizationId,
      'membershipId' in removedPrincipal ? removedPrincipal.membershipId : null,
      ownerGrants.map(({ project_id: project }) => project),
      ownerGrants.map(({ environment_id: environment }) => environment),
      context.at,
    ],
  );
  for (const grant of inheritedOwnerships) {
    const scope = ownerGrants.find(
      ({ project_id: project, environment_id: environment }) =>
        project === grant.project_id && environment === grant.environment_id,
    );
    recordGrant(context, grant.is_new ? 'create' : 'update', { ...grant, scope_name: scope?.scope_name ?? '' });
  }
}
