import { type AccessChange, type CellAccessChange, CHANGESET_LIMITS, type RestartedExpiration } from '@strata/contract';
import {
  type ComparedScopes,
  canOnScope,
  compareCellAccess,
  compareNames,
  effectivePermissions,
  type OrganizationId,
  type Permissions,
} from '@strata/domain';
import { RIGHTS, type RightsRow, toStoredPermissions } from '../../platform/auth/scope-rows.ts';
import type { Change } from '../../platform/ledger/change.ts';
import type { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';

/** The role of a member in a scope. */
interface AccessRow {
  readonly person: string;
  readonly membershipId: string;
  readonly scopeId: string;
  readonly scopeType: string;
  readonly scopeName: string;
  readonly role: string | null;
}

/** The scopes, groups and members whose access may change. */
export interface AccessScopes {
  readonly scopes: readonly string[];
  readonly groups: readonly string[];
  readonly memberships: readonly string[];
}

export function accessScopes(changes: readonly Change[]): AccessScopes {
  const filterChanges = (type: Change['objectType']) => changes.filter(({ objectType }) => objectType === type);
  return {
    scopes: filterChanges('Grant').flatMap(({ project, environment }) => project?.id ?? environment?.id ?? []),
    groups: filterChanges('Group').map(({ object }) => object.id),
    memberships: filterChanges('Membership').map(({ object }) => object.id),
  };
}

/**
 * Selects the role of every member in each scope. $2 contains scopes, $3 groups, $4 memberships. The rules are those of
 * `resolveScopes`: for a project, the nearest controlled project in its chain decides; an environment decides on its own;
 * members who may access every scope need no grant.
 */
const ACCESS = `
with recursive
  scope_id (id) as (
    select unnest($2::uuid[])
    union select coalesce(project_id, environment_id) from access_grant where organization_id = $1 and group_id = any($3::uuid[])),
  above (root, id, distance) as (
    select id, id, 0 from scope_id
    union
    select above.root, project.depends_on_id, above.distance + 1 from above
      join project on project.organization_id = $1 and project.id = above.id where project.depends_on_id is not null and above.distance < 10000),
  controlling as (
    select distinct on (above.root) above.root, above.id from above
     where exists (select from access_grant where access_grant.organization_id = $1 and (access_grant.project_id = above.id or access_grant.environment_id = above.id))
     order by above.root, above.distance),
  scope as (
    select project.id, 'project' as type, project.name from project where project.organization_id = $1 and project.id in (select id from scope_id)
    union all
    select environment.id, 'environment', environment.name from environment where environment.organization_id = $1 and environment.id in (select id from scope_id))
select coalesce(person.name, person.email, person.id) as person, membership.id as "membershipId", scope.id as "scopeId", scope.type as "scopeType", scope.name as "scopeName",
       case when membership.role in ('ADMIN', 'OWNER') or controlling.id is null then membership.role else (
         select access_grant.role from access_grant
           left join group_member on group_member.organization_id = $1 and group_member.group_id = access_grant.group_id and group_member.membership_id = membership.id
          where access_grant.organization_id = $1 and (access_grant.project_id = controlling.id or access_grant.environment_id = controlling.id)
            and (access_grant.membership_id = membership.id or group_member.group_id is not null)
          order by array_position('{OWNER,ADMIN,CONTRIB,VIEWER}', access_grant.role) limit 1) end as role
  from scope left join controlling on controlling.root = scope.id
 cross join membership join person on person.id = membership.person_id
 where membership.organization_id = $1
union all
select coalesce(person.name, person.email, person.id), membership.id, organization.id, 'organization', organization.name, membership.role
  from membership join person on person.id = membership.person_id join organization on organization.id = membership.organization_id
 where membership.organization_id = $1 and membership.id = any($4::uuid[])`;

/** Returns the roles of members that may change. */
export async function readAffectedAccess(
  reader: SnapshotReader,
  organizationId: OrganizationId,
  { scopes, groups, memberships }: AccessScopes,
): Promise<readonly AccessRow[]> {
  if (scopes.length + groups.length + memberships.length === 0) return [];
  return reader.query<AccessRow>(ACCESS, [organizationId, scopes, groups, memberships]);
}

/** Returns the changed roles in scopes that the caller may read. */
export function accessChanges(
  before: readonly AccessRow[],
  after: readonly AccessRow[],
  permissions: Permissions,
): readonly AccessChange[] {
  const key = ({ membershipId, scopeId }: AccessRow) => `${membershipId} ${scopeId}`;
  const [rowsBefore, rowsAfter] = [
    new Map(before.map((row) => [key(row), row])),
    new Map(after.map((row) => [key(row), row])),
  ];
  return [...new Map([...rowsBefore, ...rowsAfter]).values()]
    .map((row) => ({
      row,
      change: {
        person: row.person,
        scope_type: row.scopeType,
        scope_name: row.scopeName,
        before: rowsBefore.get(key(row))?.role ?? null,
        after: rowsAfter.get(key(row))?.role ?? null,
      },
    }))
    .filter(({ row, change }) => change.before !== change.after && isVisible(row, permissions))
    .map(({ change }) => change)
    .sort((left, right) => compare(sortKey(left), sortKey(right)));
}

const sortKey = ({ scope_type: type, scope_name: scope, person }: AccessChange) => `${type} ${scope} ${person}`;
const compare = (left: string, right: string) => (left < right ? -1 : left > right ? 1 : 0);

function isVisible({ scopeType, scopeId }: AccessRow, permissions: Permissions): boolean {
  return scopeType === 'organization' || canOnScope(permissions, 'read', scopeId);
}

/** The members whose access is compared. More make a plan slow. */
const COMPARED_MEMBERS_MAX = 1_000;

interface MemberRightsRow extends RightsRow {
  readonly id: string;
  readonly person: string;
}

/** The permissions of members, and the projects and environments, before or after the changes of a plan. */
export interface CellAccessState extends ComparedScopes {
  readonly members: readonly {
    readonly id: string;
    readonly person: string;
    readonly permissions: Permissions | null;
  }[];
}

/**
 * Reads the permissions as the checks of requests do. Members with access to every scope differ from the others only by
 * their own membership, so the others come first.
 */
export async function readCellAccess(
  reader: SnapshotReader,
  organizationId: OrganizationId,
  { scopes, groups, memberships }: AccessScopes,
): Promise<CellAccessState | null> {
  if (scopes.length + groups.length + memberships.length === 0) return null;
  const rows = await reader.query<MemberRightsRow>(
    `select membership.id, coalesce(person.name, person.email, person.id) as person, ${RIGHTS}
       from membership join person on person.id = membership.person_id
      where membership.organization_id = $1 and (membership.role not in ('ADMIN', 'OWNER') or membership.id = any($2::uuid[]))
      order by membership.id = any($2::uuid[]) desc, membership.id limit ${COMPARED_MEMBERS_MAX}`,
    [organizationId, memberships],
  );
  const readScopes = (table: 'project' | 'environment') =>
    reader.query<{ id: string; name: string }>(
      `select id, name from ${table} where organization_id = $1 order by name collate human, name`,
      [organizationId],
    );
  return {
    projects: await readScopes('project'),
    environments: await readScopes('environment'),
    members: rows.map(({ id, person, ...rights }) => ({
      ...{ id, person },
      permissions: effectivePermissions(toStoredPermissions(rights), { isWorkload: false, keyScopes: null }),
    })),
  };
}

/** Returns the cells that members gain or lose, in scopes that exist before and after, and that the caller may read. */
export function cellAccessChanges(
  before: CellAccessState | null,
  after: CellAccessState | null,
  permissions: Permissions,
): readonly CellAccessChange[] {
  if (before === null || after === null) return [];
  const scopes = {
    projects: commonScopes(before.projects, after.projects, permissions),
    environments: commonScopes(before.environments, after.environments, permissions),
  };
  const [earlier, later] = [byId(before.members), byId(after.members)];
  return [...new Map([...earlier, ...later]).values()]
    .toSorted((left, right) => compareNames(left.person, right.person) || compare(left.id, right.id))
    .flatMap(({ id, person }) =>
      compareCellAccess(earlier.get(id)?.permissions ?? null, later.get(id)?.permissions ?? null, scopes).map(
        ({ action, isGained, cells, example }) => ({
          ...{ person, action, gained: isGained, cells },
          ...{ example_project: example.project, example_environment: example.environment },
        }),
      ),
    );
}

const byId = <Row extends { readonly id: string }>(rows: readonly Row[]) => new Map(rows.map((row) => [row.id, row]));

function commonScopes<Scope extends { readonly id: string }>(
  before: readonly Scope[],
  after: readonly Scope[],
  permissions: Permissions,
): readonly Scope[] {
  const ids = new Set(after.map(({ id }) => id));
  return before.filter(({ id }) => ids.has(id) && canOnScope(permissions, 'read', id));
}

/** Returns the written values whose parameters expire, because writing them restarts the expiration. */
export async function restartedExpirations(
  reader: SnapshotReader,
  organizationId: OrganizationId,
  changes: readonly Change[],
): Promise<readonly RestartedExpiration[]> {
  const values = changes.filter(({ objectType, action }) => objectType === 'Value' && action !== 'delete');
  if (values.length === 0) return [];
  return reader.query<RestartedExpiration>(
    `select project.name as project_name, environment.name as environment_name, parameter.name, parameter.expires
       from unnest($2::uuid[]) affected(id)
       join value on value.organization_id = $1 and value.id = affected.id
       join parameter on parameter.organization_id = $1 and parameter.id = value.parameter_id and parameter.expires is not null
       join project on project.organization_id = $1 and project.id = parameter.project_id
       join environment on environment.organization_id = $1 and environment.id = value.environment_id
      order by 1, 2, 3`,
    [organizationId, values.map(({ object }) => object.id)],
  );
}

/** Returns the first entries of a list, as many as a plan contains. */
export function firstEntries<T>(list: readonly T[]): T[] {
  return list.slice(0, CHANGESET_LIMITS.shownInPlans);
}
