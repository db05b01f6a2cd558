import { forbiddenScopes, ROLES } from '@strata/domain';
import type { Caller } from '../../platform/caller.ts';
import type { RowSource } from '../../platform/postgres/snapshot-reader.ts';
import { columnNames, type PointInTime, rowsAt } from '../../platform/postgres/versioned-table.ts';

/** The caller whose permissions determine what a row shows. */
export type ScopeRequester = Pick<Caller, 'organizationId' | 'membershipId' | 'role' | 'scopes' | 'highestRole'>;

/** The columns that belong to the contents of a scope. If a scope is forbidden, only its name is shown (ADR 0017). */
const CONTENTS = new Set(['description', 'parameter_name_pattern']);

/** The roles from the highest, so that the lower of two roles has the greater position. */
const ROLES_IN_SQL = `'{${ROLES.toReversed().join()}}'::text[]`;
/** $7 is the highest role that the credential allows. A group by a claim never makes a member an OWNER (`SCOPE_ROWS`). */
const GRANTED = `case when s.from_claim and a.role = 'OWNER' then 'ADMIN' else a.role end`;
const POSITION = `greatest(array_position(${ROLES_IN_SQL}, ${GRANTED}), array_position(${ROLES_IN_SQL}, $7::text))`;

/**
 * Returns SQL for the rows of projects or environments. Each row contains whether the scope is under access control,
 * and the role that the caller was granted on it, directly or through a group, within the limits of the credential. If a
 * scope is forbidden, its texts are empty for filters and sorting, and it has no role. The statement joins the small
 * table of grants once, so rows cost nothing extra when no scope is controlled.
 */
export function scopeRowsWithAccess(
  noun: 'project' | 'environment',
  at: PointInTime,
  caller: ScopeRequester,
): Pick<RowSource, 'from' | 'values'> {
  const columns = columnNames(noun).map((name) =>
    CONTENTS.has(name) ? `case when t.id = any($6::uuid[]) then '' else t.${name} end as ${name}` : `t.${name}`,
  );
  const from = `(select ${columns.join(', ')}, c.id is not null as access_controlled,
           case when t.id <> all($6::uuid[]) then c.role end as role from ${rowsAt(noun, at)} t
    left join (
      select a.${noun}_id as id,
             (${ROLES_IN_SQL})[min(${POSITION}) filter (where a.membership_id = $5::uuid or s.membership_id is not null)] as role
        from access_grant a
        left join group_member s
          on s.organization_id = a.organization_id and s.group_id = a.group_id and s.membership_id = $5::uuid
       where a.organization_id = $1 and a.${noun}_id is not null group by 1) c on c.id = t.id)`;
  return { from, values: [caller.membershipId, forbiddenScopes(caller), caller.highestRole ?? 'OWNER'] };
}
