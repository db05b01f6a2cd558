import type { ChangeAction } from '@strata/domain';
import { validGrants } from '../../platform/auth/scope-rows.ts';
import type { Cascade } from '../../platform/ledger/cascades.ts';
import type { WriteContext } from '../../platform/ledger/command.ts';
import { objectChange } from '../../platform/ledger/object-change.ts';
import { recordRequest } from './access-request-changes.ts';
import { GRANTS } from './grants.reader.ts';

interface Granted {
  readonly id: string;
  readonly principal_name: string;
  readonly scope_name: string;
  readonly project_id: string | null;
  readonly environment_id: string | null;
}

/** Records a change of a grant under the name of its principal. */
export function recordGrant({ record }: WriteContext, action: ChangeAction, grant: Granted): void {
  const { id, principal_name: name, scope_name: scope, project_id: project, environment_id: environment } = grant;
  record(
    objectChange(
      action,
      'Grant',
      { id, name },
      {
        ...(project !== null && { project: { id: project, name: scope } }),
        ...(environment !== null && { environment: { id: environment, name: scope } }),
      },
    ),
  );
}

/** Deletes temporary grants, and marks and returns their requests. $1 of the condition is the organization. */
const deleteTemporary = (condition: string) => `
with ended as (delete from temporary_grant where organization_id = $1 and ${condition} returning id),
  marked as (
    update access_request set state = 'revoked', expires_at = clock_timestamp(), modified_at = clock_timestamp()
      from ended where access_request.organization_id = $1 and access_request.grant_id = ended.id and access_request.state = 'approved'
    returning access_request.id, access_request.project_id, access_request.environment_id)
select marked.id, coalesce(project.name, environment.name) as scope_name from marked
  left join project on project.organization_id = $1 and project.id = marked.project_id
  left join environment on environment.organization_id = $1 and environment.id = marked.environment_id
 order by 2, 1`;

/**
 * Deletes grants with and without an end, and records that their requests are revoked. $1 of the condition is the
 * organization.
 */
export async function deleteFromBothTables(
  context: WriteContext,
  condition: string,
  parameters: readonly unknown[],
): Promise<void> {
  const { em } = context;
  await em.query(`delete from access_grant where organization_id = $1 and ${condition}`, [...parameters]);
  const requests = await em.query<{ id: string; scope_name: string | null }[]>(deleteTemporary(condition), [
    ...parameters,
  ]);
  for (const request of requests) recordRequest(context, 'update', request);
}

/**
 * Removes and records the temporary grants on scopes that have no other grants any more. They would have no effect, and
 * would return if the scope was restricted again.
 */
export async function removeLeftGrants(
  context: WriteContext,
  organizationId: string,
  scopeIds: readonly string[],
): Promise<void> {
  const leftGrants = await context.em.query<Granted[]>(
    `select scope_grant.id, scope_grant.name as principal_name, scope_grant.scope_name, scope_grant.project_id, scope_grant.environment_id
       from ${GRANTS} scope_grant
      where coalesce(scope_grant.project_id, scope_grant.environment_id) = any($2::uuid[]) and not exists (
        select from access_grant where access_grant.organization_id = $1
           and coalesce(access_grant.project_id, access_grant.environment_id) = coalesce(scope_grant.project_id, scope_grant.environment_id))
      order by scope_grant.scope_name, scope_grant.name, scope_grant.id`,
    [organizationId, scopeIds],
  );
  if (leftGrants.length === 0) return;
  await deleteFromBothTables(context, 'id = any($2::uuid[])', [organizationId, leftGrants.map(({ id }) => id)]);
  for (const grant of leftGrants) recordGrant(context, 'delete', grant);
}

/** The cascades that delete the grants of a deleted project or environment. */
export const GRANT_CASCADES: readonly Cascade[] = (['Project', 'Environment'] as const).map((objectType) => {
  const noun = objectType === 'Project' ? 'project' : 'environment';
  return {
    of: objectType,
    objectType: 'Grant',
    sql: `select access_grant.id, coalesce(member_group.name, person.name, person.email, person.id) as name, scope.id as ${noun}_id, scope.name as ${noun}_name
            from ${validGrants()} access_grant join ${noun} scope on scope.organization_id = access_grant.organization_id and scope.id = access_grant.${noun}_id
            left join membership on membership.organization_id = access_grant.organization_id and membership.id = access_grant.membership_id
            left join person on person.id = membership.person_id
            left join member_group on member_group.organization_id = access_grant.organization_id and member_group.id = access_grant.group_id
           where access_grant.organization_id = $1 and access_grant.${noun}_id = $2 order by 2, 1`,
  };
});
