import { type AccessChange, CHANGESET_LIMITS, type RestartedExpiration, type ToldWebhook } from '@strata/contract';
import { canOnScope, type OrganizationId, type Permissions } from '@strata/domain';
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
  const of = (type: Change['objectType']) => changes.filter(({ objectType }) => objectType === type);
  return {
    scopes: of('Grant').flatMap(({ project, environment }) => project?.id ?? environment?.id ?? []),
    groups: of('Group').map(({ object }) => object.id),
    memberships: of('Membership').map(({ object }) => object.id),
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
    select a.root, p.depends_on_id, a.distance + 1 from above a
      join project p on p.organization_id = $1 and p.id = a.id where p.depends_on_id is not null and a.distance < 10000),
  controlling as (
    select distinct on (a.root) a.root, a.id from above a
     where exists (select from access_grant g where g.organization_id = $1 and (g.project_id = a.id or g.environment_id = a.id))
     order by a.root, a.distance),
  scope as (
    select p.id, 'project' as type, p.name from project p where p.organization_id = $1 and p.id in (select id from scope_id)
    union all
    select e.id, 'environment', e.name from environment e where e.organization_id = $1 and e.id in (select id from scope_id))
select coalesce(p.name, p.email, p.id) as person, m.id as "membershipId", s.id as "scopeId", s.type as "scopeType", s.name as "scopeName",
       case when m.role in ('ADMIN', 'OWNER') or c.id is null then m.role else (
         select g.role from access_grant g
           left join group_member s on s.organization_id = $1 and s.group_id = g.group_id and s.membership_id = m.id
          where g.organization_id = $1 and (g.project_id = c.id or g.environment_id = c.id)
            and (g.membership_id = m.id or s.group_id is not null)
          order by array_position('{OWNER,ADMIN,CONTRIB,VIEWER}', g.role) limit 1) end as role
  from scope s left join controlling c on c.root = s.id
 cross join membership m join person p on p.id = m.person_id
 where m.organization_id = $1
union all
select coalesce(p.name, p.email, p.id), m.id, o.id, 'organization', o.name, m.role
  from membership m join person p on p.id = m.person_id join organization o on o.id = m.organization_id
 where m.organization_id = $1 and m.id = any($4::uuid[])`;

/** Returns the roles of members that may change. */
export async function accessAt(
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

/** Returns the written values whose parameters expire, because writing them restarts the expiration. */
export async function restartedExpirations(
  reader: SnapshotReader,
  organizationId: OrganizationId,
  changes: readonly Change[],
): Promise<readonly RestartedExpiration[]> {
  const values = changes.filter(({ objectType, action }) => objectType === 'Value' && action !== 'delete');
  if (values.length === 0) return [];
  return reader.query<RestartedExpiration>(
    `select p.name as project_name, e.name as environment_name, x.name, x.expires
       from unnest($2::uuid[]) i(id)
       join value v on v.organization_id = $1 and v.id = i.id
       join parameter x on x.organization_id = $1 and x.id = v.parameter_id and x.expires is not null
       join project p on p.organization_id = $1 and p.id = x.project_id
       join environment e on e.organization_id = $1 and e.id = v.environment_id
      order by 1, 2, 3`,
    [organizationId, values.map(({ object }) => object.id)],
  );
}

/** Returns the webhooks that subscribe to the changes. It uses their configuration after the changes. */
export async function notifiedWebhooks(
  reader: SnapshotReader,
  organizationId: OrganizationId,
  changes: readonly Change[],
): Promise<readonly ToldWebhook[]> {
  const types = [...new Set(changes.flatMap(({ eventType }) => eventType ?? []))];
  if (types.length === 0) return [];
  return reader.query<ToldWebhook>(
    `select id, name from webhook
      where organization_id = $1 and state = 'active' and event_types && $2::text[] order by name, id`,
    [organizationId, types],
  );
}

/** Returns the first entries of a list, as many as a plan contains. */
export function firstEntries<T>(list: readonly T[]): T[] {
  return list.slice(0, CHANGESET_LIMITS.shownInPlans);
}
