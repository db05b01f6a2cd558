import { ABILITIES, type Ability, atLeast, type Role, roleIncludes } from './access.ts';
import { Failure } from './failure.ts';
import type { EnvironmentId, ProjectId } from './ids.ts';

/** A project or an environment, which can have grants. Their ids never coincide. */
export type ScopeId = ProjectId | EnvironmentId;

/**
 * The controlled scopes with the caller's role on each; null if the caller has none. Every member can access scopes
 * that are not in the map.
 */
export type Scopes = ReadonlyMap<ScopeId, Role | null>;

/**
 * The effective permissions of a caller: the role in the organization and the roles on its controlled scopes, within the
 * limits of the credential. Every decision about a caller uses them. The stored role of a membership can be higher.
 */
export interface Permissions {
  readonly role: Role;
  readonly scopes: Scopes;
  /** Whether responses may show secrets in clear to the caller (behaviour.md §11.8). Absent means yes. */
  readonly revealsSecrets?: boolean;
  /** The highest role that the credential allows. Absent means no limit. */
  readonly highestRole?: Role;
  /**
   * When the first temporary grant of the caller ends, in milliseconds since 1970. The permissions must be computed again
   * then, although no revision has changed them. Absent means never.
   */
  readonly validUntil?: number;
  /** Whether only a temporary grant allows the caller to see secrets. */
  readonly isRevealTemporary?: true;
  /** Set if the scopes of an API key limit the permissions. */
  readonly key?: LimitingKey;
}

/** The API key that limits permissions. */
interface LimitingKey {
  /** The permissions of its account. */
  readonly account: Permissions;
  /** Whether it has the scope `write`. */
  readonly writes: boolean;
  /** Whether it is limited to projects or environments. */
  readonly isLocated: boolean;
}

export const NO_SCOPES: Scopes = new Map();

/** The permissions of the service itself, and of checks whose result must not depend on the caller. */
export const SYSTEM_PERMISSIONS: Permissions = { role: 'OWNER', scopes: NO_SCOPES };

/** Returns whether the caller may see secrets in clear, compare them and have them validated (behaviour.md §11.8). */
export const mayReveal = ({ revealsSecrets }: Pick<Permissions, 'revealsSecrets'>): boolean => revealsSecrets !== false;

/**
 * Returns whether the caller may let others see secrets, or take them elsewhere, such as with a push. With a temporary
 * grant, a caller could otherwise keep the access after its end.
 */
export const mayPassOnSecrets = (permissions: Pick<Permissions, 'revealsSecrets' | 'isRevealTemporary'>): boolean =>
  mayReveal(permissions) && !permissions.isRevealTemporary;

/** Returns whether temporary grants of the caller have ended since the permissions were computed. */
export const haveEnded = ({ validUntil }: Pick<Permissions, 'validUntil'>, now: number): boolean =>
  validUntil !== undefined && validUntil <= now;

/** Returns whether a caller has an ability in the organization. */
export function can(permissions: Permissions, ability: Ability): boolean {
  return roleIncludes(permissions.role, ability);
}

/** Returns every ability of a caller in the organization. */
export function listAbilities(permissions: Permissions): readonly Ability[] {
  return ABILITIES.filter((ability) => can(permissions, ability));
}

/**
 * Returns whether a caller may create, invite or promote a member with a role. A caller cannot grant a higher role than
 * their own (domain.md §2.11). The same check decides whose membership a caller may change: only those of the same or a
 * lower role.
 */
export function canGrantRole(permissions: Permissions, role: Role): boolean {
  return atLeast(permissions.role, role);
}

/** The abilities on a scope (behaviour.md §11.5). */
export const SCOPE_ABILITIES = ['read', 'write', 'manage', 'grant'] as const;
export type ScopeAbility = (typeof SCOPE_ABILITIES)[number];

/** The role that is required on a controlled scope, and the ability that is required on an open one. */
const ON_SCOPE: Readonly<Record<ScopeAbility, { readonly granted: Role; readonly open: Ability }>> = {
  read: { granted: 'VIEWER', open: 'read' },
  write: { granted: 'CONTRIB', open: 'write_content' },
  manage: { granted: 'ADMIN', open: 'write_content' },
  grant: { granted: 'OWNER', open: 'manage_grants' },
};

/** Returns permissions to read only what both may read. Used for callers whose access is being changed. */
export function intersectPermissions(first: Permissions, secondPermissions: Permissions): Permissions {
  const revealsSecrets = mayReveal(first) && mayReveal(secondPermissions);
  if (can(first, 'enter_every_scope')) return { ...secondPermissions, revealsSecrets };
  if (can(secondPermissions, 'enter_every_scope')) return { ...first, revealsSecrets };
  const lower = (left: Role, right: Role) => (atLeast(left, right) ? right : left);
  const scopes = new Map(first.scopes);
  for (const [scope, role] of secondPermissions.scopes) {
    const firstRole = first.scopes.has(scope) ? (first.scopes.get(scope) ?? null) : role;
    scopes.set(scope, firstRole === null || role === null ? null : lower(firstRole, role));
  }
  return { role: lower(first.role, secondPermissions.role), scopes, revealsSecrets };
}

/**
 * Returns permissions to write, as a CONTRIB, whatever the permissions allow to read. Only for plans, which store
 * nothing.
 */
export function withAssumedWrite<P extends Permissions>(permissions: P): P {
  const raised = (role: Role): Role => (role === 'VIEWER' ? 'CONTRIB' : role);
  const { role, scopes } = permissions;
  return {
    ...permissions,
    role: raised(role),
    scopes: new Map([...scopes].map(([scope, grantedRole]) => [scope, grantedRole && raised(grantedRole)])),
  };
}

/**
 * Returns whether a caller has an ability on a scope. A grant replaces the role in the organization, whether it is
 * higher or lower.
 */
export function canOnScope(permissions: Permissions, ability: ScopeAbility, scope: ScopeId): boolean {
  if (can(permissions, 'enter_every_scope')) return true;
  const grantedRole = permissions.scopes.get(scope);
  if (grantedRole === undefined) return can(permissions, ON_SCOPE[ability].open);
  return grantedRole !== null && atLeast(grantedRole, ON_SCOPE[ability].granted);
}

/** Returns every ability of a caller on a scope. */
export function abilitiesOnScope(permissions: Permissions, scope: ScopeId): readonly ScopeAbility[] {
  return SCOPE_ABILITIES.filter((ability) => canOnScope(permissions, ability, scope));
}

/**
 * Throws a 403 unless the caller has the ability. Used for scopes in a body or a row, because the path guard does not
 * see them. `pointer` leads to the input that names the scope, if it does not contain its id.
 */
export function assertAbilityOnScope(
  permissions: Permissions,
  ability: ScopeAbility,
  scope: ScopeId,
  pointer?: string,
): void {
  if (!canOnScope(permissions, ability, scope)) throw forbiddenOnScopeError(permissions, ability, scope, pointer);
}

/** Returns a 403. It is about the scope only if the scope has grants: otherwise the role does not suffice anywhere. */
export function forbiddenOnScopeError(
  permissions: Permissions,
  ability: ScopeAbility,
  scope: ScopeId,
  pointer?: string,
): Failure {
  const { key, scopes } = permissions;
  if (key && canOnScope(key.account, ability, scope))
    return keyScopeError(ability === 'read' || key.writes ? 'location' : 'write', scope).at(pointer);
  if (!scopes.has(scope)) return Failure.forbidden();
  return Failure.forbidden(undefined, scope).at(pointer);
}

const KEY_SCOPE_SENTENCES = {
  write: 'This API key does not have the scope "write". Use another key to change something.',
  location: 'This API key is limited to other projects or environments. Use another key.',
};

/** Returns the 403 for a request that the account may send, but not with this API key. */
export function keyScopeError(requiredScope: keyof typeof KEY_SCOPE_SENTENCES, scope?: ScopeId): Failure {
  return new Failure({
    kind: 'forbidden',
    code: 'key_scope_missing',
    message: KEY_SCOPE_SENTENCES[requiredScope],
    params: { scope: requiredScope },
    scope,
  });
}

/**
 * Returns whether a scope that restricts access without granting it allows the ability. A value belongs to a project and
 * an environment: the project grants access, and a controlled environment must also allow it.
 */
export function canIfControlled(permissions: Permissions, ability: ScopeAbility, scope: ScopeId): boolean {
  return !permissions.scopes.has(scope) || canOnScope(permissions, ability, scope);
}

/** Throws a 403 unless `canIfControlled` allows the ability. */
export function assertIfControlled(
  permissions: Permissions,
  ability: ScopeAbility,
  scope: ScopeId,
  pointer?: string,
): void {
  if (!canIfControlled(permissions, ability, scope)) throw forbiddenOnScopeError(permissions, ability, scope, pointer);
}

/**
 * Returns whether a caller may grant a role on a scope. A member cannot grant a higher role than their own. A member
 * with access to every scope has the rights of an OWNER on each.
 */
export function canGrantOnScope(permissions: Permissions, scope: ScopeId, role: Role): boolean {
  if (!canOnScope(permissions, 'grant', scope)) return false;
  const grantedRole = permissions.scopes.get(scope);
  return can(permissions, 'enter_every_scope') || (grantedRole != null && atLeast(grantedRole, role));
}

/** The scope in a path, and whether the path refers to the scope itself or to something in it. */
export interface PathScope {
  readonly id: ScopeId;
  readonly part: 'itself' | 'contents' | 'copy';
}

/**
 * Returns whether a caller may call an operation that requires an ability, on a path within a scope or outside of all
 * scopes. Every member may read a controlled scope itself. A copy of it belongs to the organization, so the scope does
 * not restrict it further.
 */
export function canCall(permissions: Permissions, ability: Ability, scope: PathScope | null): boolean {
  const may = can(permissions, ability);
  if (scope === null) return may;
  const { id, part } = scope;
  if (part === 'itself' && ability === 'read') return may;
  if (part !== 'copy' && ability === 'write_content') {
    return canOnScope(permissions, part === 'itself' ? 'manage' : 'write', id);
  }
  return may && canOnScope(permissions, 'read', id);
}

/** Returns the 403 for a call that `canCall` does not allow. */
export function deniedCallError(permissions: Permissions, ability: Ability, scope: PathScope | null): Failure {
  const { key, scopes } = permissions;
  if (key && canCall(key.account, ability, scope))
    return keyScopeError(ability === 'read' || key.writes ? 'location' : 'write', scope?.id);
  return Failure.forbidden(undefined, scope !== null && scopes.has(scope.id) ? scope.id : undefined);
}

/** An effective configuration, and whether its secrets are delivered in clear. */
export interface ReadConfiguration {
  readonly projectId: ProjectId;
  readonly environmentId: EnvironmentId;
  readonly reveal: boolean;
}

/** Returns whether a caller may read an effective configuration. Values are inherited from forbidden environments, too. */
export function canReadConfiguration(
  permissions: Permissions,
  { projectId, environmentId, reveal }: ReadConfiguration,
): boolean {
  return (
    canCall(permissions, 'read', { id: projectId, part: 'contents' }) &&
    canOnScope(permissions, 'read', environmentId) &&
    (!reveal || mayReveal(permissions))
  );
}

/** Returns the scopes that the caller has no access to. Most callers have none. */
export function forbiddenScopes(permissions: Permissions): readonly ScopeId[] {
  if (can(permissions, 'enter_every_scope')) return [];
  return [...permissions.scopes].flatMap(([scope, role]) => (role === null ? [scope] : []));
}

const permissionKeys = new WeakMap<Scopes, string>();

/** Returns a text that is equal for equal permissions only. */
export function permissionsKey(permissions: Permissions): string {
  const { scopes, validUntil } = permissions;
  const shownRole = mayReveal(permissions) ? permissions.role : `${permissions.role}-masked`;
  // A response that was stored before the end of a temporary grant must not be found after it.
  const role = validUntil === undefined ? shownRole : `${shownRole}-until-${validUntil}`;
  if (scopes.size === 0) return role;
  let key = permissionKeys.get(scopes);
  if (key === undefined) {
    key = [...scopes]
      .map(([scope, grantedRole]) => `${scope}:${grantedRole}`)
      .toSorted()
      .join();
    permissionKeys.set(scopes, key);
  }
  return `${role},${key}`;
}

/**
 * Returns the highest of several roles, or null if there is none. A member's own grants and those of their groups add
 * up.
 */
export function highestRole(roles: readonly Role[]): Role | null {
  return roles.reduce<Role | null>(
    (highest, role) => (highest === null || atLeast(role, highest) ? role : highest),
    null,
  );
}

/**
 * A controlled scope with the caller's roles on it, a project that depends on a controlled scope, or a project outside of
 * those that the caller is limited to.
 */
export interface ScopeRow {
  readonly id: ScopeId;
  readonly controlled: boolean;
  /** Whether the caller is limited to other projects. No grant gives access to this one. */
  readonly outside?: boolean;
  readonly dependsOnId: ProjectId | null;
  readonly roles: readonly Role[];
}

/**
 * Returns the scopes with the caller's roles. A project that is not controlled itself inherits the control of the
 * nearest controlled project that it depends on. Environments do not inherit control (behaviour.md §11.5). Projects
 * outside of those that the caller is limited to are forbidden, whatever the grants are (§11.9).
 */
export function resolveScopes(rows: readonly ScopeRow[]): Scopes {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const scopes = new Map<ScopeId, Role | null>();
  for (const row of rows) {
    const controlling = nearestControlled(byId, row);
    if (controlling !== null) scopes.set(row.id, highestRole(controlling.roles));
  }
  for (const { id, outside } of rows) if (outside) scopes.set(id, null);
  return scopes;
}

function nearestControlled(rows: ReadonlyMap<ScopeId, ScopeRow>, start: ScopeRow): ScopeRow | null {
  const seenIds = new Set<ScopeId>();
  for (let row: ScopeRow | undefined = start; row && !seenIds.has(row.id); row = rows.get(row.dependsOnId ?? '')) {
    if (row.controlled) return row;
    seenIds.add(row.id);
  }
  return null;
}

/**
 * Returns the project that controls access to a project: itself or the nearest controlled one that it depends on; null
 * if there is none. `dependsOn` maps each project to its dependency.
 */
export function findControllingProject(
  dependsOn: ReadonlyMap<ProjectId, ProjectId | null>,
  controlledIds: ReadonlySet<ScopeId>,
  start: ProjectId | null,
): ProjectId | null {
  const seenIds = new Set<ProjectId>();
  for (let id = start; id !== null && !seenIds.has(id); id = dependsOn.get(id) ?? null) {
    if (controlledIds.has(id)) return id;
    seenIds.add(id);
  }
  return null;
}
