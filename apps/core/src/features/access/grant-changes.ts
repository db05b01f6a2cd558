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
export const GRANT_CASCADES: readonly Cascade[] = (['Project', 'Environment'] as const).map((of) => {
  const noun = of === 'Project' ? 'project' : 'environment';
  return {
    of,
    objectType: 'Grant',
    sql: `select a.id, coalesce(g.name, p.name, p.email, p.id) as name, s.id as ${noun}_id, s.name as ${noun}_name
            from access_grant a join ${noun} s on s.organization_id = a.organization_id and s.id = a.${noun}_id
            left join membership m on m.organization_id = a.organization_id and m.id = a.membership_id
            left join person p on p.id = m.person_id
            left join member_group g on g.organization_id = a.organization_id and g.id = a.group_id
           where a.organization_id = $1 and a.${noun}_id = $2 order by 2, 1`,
  };
});
