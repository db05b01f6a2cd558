import type { WriteContext } from '../../platform/ledger/command.ts';
import { recordGrant } from './grant-changes.ts';
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
  leaving: RemovedPrincipal,
): Promise<void> {
  const { em } = context;
  const [column, id] = 'groupId' in leaving ? ['group_id', leaving.groupId] : ['membership_id', leaving.membershipId];
  const released = await em.query<RemovedGrant[]>(
    `select o.id, o.name as principal_name, o.project_id, o.environment_id, o.scope_name, o.role
       from ${GRANTS} o where o.${column} = $2 order by o.scope_name, o.id`,
    [organizationId, id],
  );
  if (released.length === 0) return;
  await em.query(`delete from access_grant where organization_id = $1 and ${column} = $2`, [organizationId, id]);
  for (const grant of released) recordGrant(context, 'delete', grant);
  await appointOwner(
    context,
    organizationId,
    leaving,
    released.filter(({ role }) => role === 'OWNER'),
  );
}

/** An OWNER grant that the heir receives, or an existing grant of the heir that is raised to OWNER. */
type InheritedOwnership = Omit<RemovedGrant, 'role' | 'scope_name'> & { readonly is_new: boolean };

async function appointOwner(
  context: WriteContext,
  organizationId: string,
  leaving: RemovedPrincipal,
  owned: readonly RemovedGrant[],
): Promise<void> {
  const inherited = await context.em.query<InheritedOwnership[]>(
    `with heir as (
       select m.id, coalesce(p.name, p.email, p.id) as name from membership m join person p on p.id = m.person_id
        where m.organization_id = $1 and m.role = 'OWNER' and m.id is distinct from $2::uuid
        order by p.type, m.created_at, m.id limit 1),
     appointed as (
       insert into access_grant (organization_id, id, membership_id, project_id, environment_id, role, created_at, modified_at)
       select $1, gen_random_uuid(), heir.id, o.project_id, o.environment_id, 'OWNER', $5, $5
         from heir, unnest($3::uuid[], $4::uuid[]) as o(project_id, environment_id)
        where not exists (
          select from access_grant a where a.organization_id = $1 and a.role = 'OWNER'
             and coalesce(a.project_id, a.environment_id) = coalesce(o.project_id, o.environment_id))
       on conflict on constraint grant_taken do update set role = 'OWNER', modified_at = excluded.modified_at
       returning id, project_id, environment_id, xmax = 0 as is_new)
     select a.*, heir.name as principal_name from appointed a, heir`,
    [
      organizationId,
      'membershipId' in leaving ? leaving.membershipId : null,
      owned.map(({ project_id: project }) => project),
      owned.map(({ environment_id: environment }) => environment),
      context.at,
    ],
  );
  for (const grant of inherited) {
    const scope = owned.find(
      ({ project_id: project, environment_id: environment }) =>
        project === grant.project_id && environment === grant.environment_id,
    );
    recordGrant(context, grant.is_new ? 'create' : 'update', { ...grant, scope_name: scope?.scope_name ?? '' });
  }
}
