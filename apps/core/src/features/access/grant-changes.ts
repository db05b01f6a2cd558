import type { ChangeAction } from '@strata/domain';
import type { Cascade } from '../../platform/ledger/cascades.ts';
import type { WriteContext } from '../../platform/ledger/command.ts';
import { objectChange } from '../../platform/ledger/object-change.ts';

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

/** The cascades that delete the grants of a deleted project or environment. */
export const GRANT_CASCADES: readonly Cascade[] = (['Project', 'Environment'] as const).map((objectType) => {
  const noun = objectType === 'Project' ? 'project' : 'environment';
  return {
    of: objectType,
    objectType: 'Grant',
    sql: `select access_grant.id, coalesce(member_group.name, person.name, person.email, person.id) as name, scope.id as ${noun}_id, scope.name as ${noun}_name
            from access_grant join ${noun} scope on scope.organization_id = access_grant.organization_id and scope.id = access_grant.${noun}_id
            left join membership on membership.organization_id = access_grant.organization_id and membership.id = access_grant.membership_id
            left join person on person.id = membership.person_id
            left join member_group on member_group.organization_id = access_grant.organization_id and member_group.id = access_grant.group_id
           where access_grant.organization_id = $1 and access_grant.${noun}_id = $2 order by 2, 1`,
  };
});
