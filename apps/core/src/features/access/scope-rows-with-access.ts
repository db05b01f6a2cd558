import { forbiddenScopes } from '@strata/domain';
import type { Caller } from '../../platform/caller.ts';
import type { RowSource } from '../../platform/postgres/snapshot-reader.ts';
import { columnNames, type PointInTime, rowsAt } from '../../platform/postgres/versioned-table.ts';

/** The caller whose permissions determine what a row shows. */
export type ScopeRequester = Pick<Caller, 'organizationId' | 'membershipId' | 'role' | 'scopes'>;

/** The columns that belong to the contents of a scope. If a scope is forbidden, only its name is shown (ADR 0017). */
const CONTENTS = new Set(['description', 'parameter_name_pattern']);

/**
 * Returns SQL for the rows of projects or environments. Each row contains whether the scope is under access control,
 * and the role that the caller was granted on it, directly or through a group. If a scope is forbidden, its texts are
 * empty for filters and sorting. The statement joins the small table of grants once, so rows cost nothing extra when no
 * scope is controlled.
 */
export function scopeRowsWithAccess(
  noun: 'project' | 'environment',
  at: PointInTime,
  caller: ScopeRequester,
): Pick<RowSource, 'from' | 'values'> {
  const columns = columnNames(noun).map((name) =>
    CONTENTS.has(name) ? `case when t.id = any($6::uuid[]) then '' else t.${name} end as ${name}` : `t.${name}`,
  );
  const from = `(select ${columns.join(', ')}, c.id is not null as access_controlled, c.role from ${rowsAt(noun, at)} t
    left join (
      select a.${noun}_id as id,
             (array_agg(a.role order by array_position('{OWNER,ADMIN,CONTRIB,VIEWER}', a.role))
                filter (where a.membership_id = $5::uuid or s.membership_id is not null))[1] as role
        from access_grant a
        left join group_member s
          on s.organization_id = a.organization_id and s.group_id = a.group_id and s.membership_id = $5::uuid
       where a.organization_id = $1 and a.${noun}_id is not null group by 1) c on c.id = t.id)`;
  return { from, values: [caller.membershipId, forbiddenScopes(caller)] };
}
