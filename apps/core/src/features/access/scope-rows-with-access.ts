import { forbiddenScopes, ROLES } from '@strata/domain';
import { validGrants } from '../../platform/auth/scope-rows.ts';
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
export const GRANTED = `case when group_member.from_claim and access_grant.role = 'OWNER' then 'ADMIN' else access_grant.role end`;
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
    CONTENTS.has(name)
      ? `case when scope.id = any($6::uuid[]) then '' else scope.${name} end as ${name}`
      : `scope.${name}`,
  );
  const from = `(select ${columns.join(', ')}, controlled.id is not null as access_controlled,
           case when scope.id <> all($6::uuid[]) then controlled.role end as role from ${rowsAt(noun, at)} scope
    left join (
      select access_grant.${noun}_id as id,
             (${ROLES_IN_SQL})[min(${POSITION}) filter (where access_grant.membership_id = $5::uuid or group_member.membership_id is not null)] as role
        from ${validGrants()} access_grant
        left join group_member
          on group_member.organization_id = access_grant.organization_id and group_member.group_id = access_grant.group_id and group_member.membership_id = $5::uuid
       where access_grant.organization_id = $1 and access_grant.${noun}_id is not null
       group by 1 having bool_or(access_grant.expires_at is null)) controlled on controlled.id = scope.id)`;
  return { from, values: [caller.membershipId, forbiddenScopes(caller), caller.highestRole ?? 'OWNER'] };
}
