import { randomUUID } from 'node:crypto';
import {
  assertAbilityOnScope,
  canOnScope,
  Failure,
  findControllingProject,
  type NamedObject,
  type ProjectId,
  sentence,
} from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../platform/caller.ts';
import type { WriteContext } from '../../platform/ledger/command.ts';
import { deleteFromBothTables, recordGrant } from './grant-changes.ts';
import { GRANTS } from './grants.reader.ts';
import { type GrantScope, scopeId } from './scope-link.ts';

/**
 * Turns access control of a project or environment on or off (behaviour.md §2). Turning it on makes the caller its
 * OWNER; turning it off removes its grants. Returns whether anything changed.
 */
export async function controlAccess(
  context: WriteContext,
  caller: Caller,
  scope: GrantScope,
  isRequested: boolean | undefined,
): Promise<boolean> {
  if (isRequested === undefined) return false;
  const { em } = context;
  const key = [caller.organizationId, scopeId(scope)];
  const [isControlled] = await em.query<unknown[]>(
    'select 1 from access_grant where organization_id = $1 and coalesce(project_id, environment_id) = $2 limit 1',
    key,
  );
  if (isRequested === (isControlled !== undefined)) return false;
  assertAbilityOnScope(caller, 'grant', scopeId(scope));
  if (!isRequested) {
    await removeRestriction(context, scope, key);
    return true;
  }
  await becomeOwner(context, caller, [scope]);
  return true;
}

/** Turns access control on for the scopes that are not controlled yet, and grants the caller OWNER on them. */
export async function becomeOwner(context: WriteContext, caller: Caller, scopes: readonly GrantScope[]): Promise<void> {
  if (scopes.length === 0) return;
  const grants = scopes.map((scope) => ({
    ...scope,
    id: randomUUID() as string,
    principal_name: caller.name,
    scope_name: scope.name,
  }));
  await context.em.query(
    `insert into access_grant (organization_id, id, membership_id, project_id, environment_id, role, created_at, modified_at)
     select $1, id, $2, project_id, environment_id, 'OWNER', $3, $3
       from unnest($4::uuid[], $5::uuid[], $6::uuid[]) as owner_grant(id, project_id, environment_id)`,
    [
      caller.organizationId,
      caller.membershipId,
      context.at,
      grants.map(({ id }) => id),
      grants.map(({ project_id: project }) => project),
      grants.map(({ environment_id: environment }) => environment),
    ],
  );
  for (const grant of grants) recordGrant(context, 'create', grant);
}

/** Returns the ids of the projects and environments that currently have grants. */
export async function readControlledScopes(em: EntityManager, organizationId: string): Promise<ReadonlySet<string>> {
  const rows = await em.query<{ id: string }[]>(
    'select distinct coalesce(project_id, environment_id) as id from access_grant where organization_id = $1',
    [organizationId],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Returns whether the content of one project can be copied into another without giving anyone else access to it. */
async function staysControlled(
  em: EntityManager,
  organizationId: string,
  { from, to }: { readonly from: ProjectId; readonly to: ProjectId },
): Promise<boolean> {
  const controlledScopes = await readControlledScopes(em, organizationId);
  if (controlledScopes.size === 0) return true;
  const projects = await em.query<{ id: ProjectId; depends_on_id: ProjectId | null }[]>(
    'select id, depends_on_id from project where organization_id = $1',
    [organizationId],
  );
  const dependsOn = new Map(projects.map(({ id, depends_on_id: dependencyId }) => [id, dependencyId]));
  const controllingProject = findControllingProject(dependsOn, controlledScopes, from);
  return controllingProject === null || controllingProject === findControllingProject(dependsOn, controlledScopes, to);
}

/**
 * Rejects a copy that would be readable by people who cannot read the source, unless the caller is an OWNER of the
 * source project.
 */
export async function assertAccessNotWidened(
  em: EntityManager,
  caller: Caller,
  from: ProjectId,
  to: NamedObject,
): Promise<void> {
  if (await staysControlled(em, caller.organizationId, { from, to: to.id })) return;
  if (canOnScope(caller, 'grant', from)) return;
  throw new Failure({
    kind: 'forbidden',
    code: 'copy_would_open',
    message: sentence`In ${{ environment: to.name }}, members without access to this parameter could read the copy. Ask an OWNER of its project to copy it.`,
  });
}

async function removeRestriction(context: WriteContext, scope: GrantScope, key: readonly string[]): Promise<void> {
  const removedGrants = await context.em.query<{ id: string; principal_name: string }[]>(
    `select scope_grant.id, scope_grant.name as principal_name
       from ${GRANTS} scope_grant where coalesce(scope_grant.project_id, scope_grant.environment_id) = $2 order by scope_grant.name, scope_grant.id`,
    [...key],
  );
  await deleteFromBothTables(context, 'coalesce(project_id, environment_id) = $2', key);
  for (const grant of removedGrants) recordGrant(context, 'delete', { ...scope, ...grant, scope_name: scope.name });
}

/**
 * Stores who can read a controlled project or environment, just before it is deleted. Only these readers continue to
 * see it in the feed, in the audit and in reads of past states.
 */
export async function storeLastReaders({ em }: WriteContext, organizationId: string, scope: string): Promise<void> {
  await em.query(
    `with recursive up as (
       select project.id, project.depends_on_id, 0 as depth from project where project.organization_id = $1 and project.id = $2
       union all
       select project.id, project.depends_on_id, up.depth + 1 from up
         join project on project.organization_id = $1 and project.id = up.depends_on_id
        where up.depth < 10000 and not exists
          (select from access_grant where access_grant.organization_id = $1 and access_grant.project_id = up.id)),
     governing as (
       select access_grant.* from access_grant
        where access_grant.organization_id = $1
          and (access_grant.environment_id = $2 or access_grant.project_id = (select id from up order by depth desc limit 1)))
     insert into departed_scope (organization_id, scope_id, membership_ids, grants)
     select $1, $2, array(
         select distinct coalesce(governing.membership_id, group_member.membership_id) from governing
           left join group_member on group_member.organization_id = governing.organization_id and group_member.group_id = governing.group_id
          where coalesce(governing.membership_id, group_member.membership_id) is not null),
       (select coalesce(json_agg(json_build_object('membership_id', access_grant.membership_id, 'group_id', access_grant.group_id, 'role', access_grant.role)), '[]')
          from access_grant where access_grant.organization_id = $1 and coalesce(access_grant.project_id, access_grant.environment_id) = $2)
      where exists (select from governing) on conflict do nothing`,
    [organizationId, scope],
  );
}

interface DeletedScopeRow {
  readonly scope_id: string;
  /** The grants on the scope; null if Strata did not store them. */
  readonly grants: readonly object[] | null;
}

type RestoredGrant = Omit<Parameters<typeof recordGrant>[2], 'scope_name'>;

/**
 * Restores the access control of scopes that a revert restores. Each scope gets back the grants of the members and
 * groups that still exist. If none of them exists, the caller becomes its OWNER. Returns the ids of the controlled
 * scopes, and separately the ids of those whose grants were not stored: a caller who may not access every scope must
 * not become OWNER of these.
 */
export async function restoreControl(
  context: WriteContext,
  caller: Caller,
  scopes: readonly GrantScope[],
): Promise<{ readonly controlled: readonly string[]; readonly unknown: readonly string[] }> {
  const { em } = context;
  const deletedScopes = await em.query<DeletedScopeRow[]>(
    'select scope_id, grants from departed_scope where organization_id = $1 and scope_id = any($2::uuid[])',
    [caller.organizationId, scopes.map(scopeId)],
  );
  const controlledRows = deletedScopes.filter(({ grants }) => grants === null || grants.length > 0);
  if (deletedScopes.length === 0) return { controlled: [], unknown: [] };
  const restoredGrants = await em.query<RestoredGrant[]>(RESTORE, [
    caller.organizationId,
    deletedScopes.map(({ scope_id: id }) => id),
    context.at,
    scopes.flatMap(({ project_id: id }) => id ?? []),
  ]);
  await em.query('delete from departed_scope where organization_id = $1 and scope_id = any($2::uuid[])', [
    caller.organizationId,
    deletedScopes.map(({ scope_id: id }) => id),
  ]);
  const nameOf = new Map(scopes.map((scope) => [scopeId(scope), scope.name]));
  const idOf = (grant: RestoredGrant) => grant.project_id ?? grant.environment_id ?? '';
  for (const grant of restoredGrants) {
    recordGrant(context, 'create', { ...grant, scope_name: nameOf.get(idOf(grant)) ?? '' });
  }
  const ownedScopeIds = new Set(restoredGrants.map(idOf));
  const orphans = new Set(controlledRows.map(({ scope_id: id }) => id).filter((id) => !ownedScopeIds.has(id)));
  await becomeOwner(
    context,
    caller,
    scopes.filter((scope) => orphans.has(scopeId(scope))),
  );
  return {
    controlled: controlledRows.map(({ scope_id: id }) => id),
    unknown: deletedScopes.filter(({ grants }) => grants === null).map(({ scope_id: id }) => id),
  };
}

/**
 * Restores the stored grants. $1 is the organization, $2 the deleted scopes, $3 the instant of the write, and $4 the
 * projects among the scopes.
 */
const RESTORE = `
with made as (
  insert into access_grant (organization_id, id, membership_id, group_id, project_id, environment_id, role, created_at, modified_at)
  select $1, gen_random_uuid(), stored_grant.membership_id, stored_grant.group_id,
         case when departed_scope.scope_id = any($4::uuid[]) then departed_scope.scope_id end,
         case when departed_scope.scope_id <> all($4::uuid[]) then departed_scope.scope_id end, stored_grant.role, $3, $3
    from departed_scope
   cross join jsonb_to_recordset(coalesce(departed_scope.grants, '[]')) as stored_grant(membership_id uuid, group_id uuid, role text)
   where departed_scope.organization_id = $1 and departed_scope.scope_id = any($2::uuid[])
     and (exists (select from membership where membership.organization_id = $1 and membership.id = stored_grant.membership_id)
       or exists (select from member_group where member_group.organization_id = $1 and member_group.id = stored_grant.group_id))
  returning *)
select made.id, made.project_id, made.environment_id, coalesce(member_group.name, person.name, person.email, person.id) as principal_name
  from made
  left join membership on membership.organization_id = $1 and membership.id = made.membership_id
  left join person on person.id = membership.person_id
  left join member_group on member_group.organization_id = $1 and member_group.id = made.group_id
 order by 4, 1`;
