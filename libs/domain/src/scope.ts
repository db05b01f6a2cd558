import { type Ability, atLeast, can, type Role } from './access.ts';
import { Failure } from './failure.ts';
import type { EnvironmentId, ProjectId } from './ids.ts';

/** A project or an environment: what a grant is on. Their ids never coincide. */
export type ScopeId = ProjectId | EnvironmentId;

/**
 * The scopes that are under access control, with the role that somebody has on each; null where they have none. A scope
 * that is missing here is open to every member.
 */
export type Scopes = ReadonlyMap<ScopeId, Role | null>;

/** What somebody may do: their role in the organization, and their roles on its controlled scopes. */
export interface Permissions {
  readonly role: Role;
  readonly scopes: Scopes;
}

export const NO_SCOPES: Scopes = new Map();

/** For what the service does by itself and for checks whose verdict must not depend on who asks. */
export const SYSTEM_PERMISSIONS: Permissions = { role: 'OWNER', scopes: NO_SCOPES };

/** What can be asked on a scope (behaviour.md §11.5). */
export const SCOPE_ABILITIES = ['read', 'write', 'manage', 'grant'] as const;
export type ScopeAbility = (typeof SCOPE_ABILITIES)[number];

/** On a controlled scope the granted role decides, on an open one the role in the organization. */
const ON_SCOPE: Readonly<Record<ScopeAbility, { readonly granted: Role; readonly open: Ability }>> = {
  read: { granted: 'VIEWER', open: 'read' },
  write: { granted: 'CONTRIB', open: 'write_content' },
  manage: { granted: 'ADMIN', open: 'write_content' },
  grant: { granted: 'OWNER', open: 'manage_grants' },
};

/** Permissions to read what both of two allow to: what somebody may look at who wins or loses access just now. */
export function strictest(one: Permissions, other: Permissions): Permissions {
  if (can(one.role, 'enter_every_scope')) return other;
  if (can(other.role, 'enter_every_scope')) return one;
  const lower = (left: Role, right: Role) => (atLeast(left, right) ? right : left);
  const scopes = new Map(one.scopes);
  for (const [scope, role] of other.scopes) {
    const known = one.scopes.has(scope) ? (one.scopes.get(scope) ?? null) : role;
    scopes.set(scope, known === null || role === null ? null : lower(known, role));
  }
  return { role: lower(one.role, other.role), scopes };
}

/** Whether somebody may do this on a scope. A grant counts for more and for less than the role in the organization. */
export function canOnScope({ role, scopes }: Permissions, ability: ScopeAbility, scope: ScopeId): boolean {
  if (can(role, 'enter_every_scope')) return true;
  const granted = scopes.get(scope);
  if (granted === undefined) return can(role, ON_SCOPE[ability].open);
  return granted !== null && atLeast(granted, ON_SCOPE[ability].granted);
}

/** All that somebody may do on a scope. */
export function abilitiesOnScope(permissions: Permissions, scope: ScopeId): readonly ScopeAbility[] {
  return SCOPE_ABILITIES.filter((ability) => canOnScope(permissions, ability, scope));
}

/** 403 unless somebody may do this on a scope: for scopes that a body or a row names, where the guard of paths cannot see. */
export function assertOnScope(permissions: Permissions, ability: ScopeAbility, scope: ScopeId): void {
  if (!canOnScope(permissions, ability, scope)) throw Failure.forbidden();
}

/**
 * The same for a scope that restricts but does not admit: a value lies in a project and in an environment; the project
 * decides, and the environment must allow it too if it is controlled.
 */
export function assertIfControlled(permissions: Permissions, ability: ScopeAbility, scope: ScopeId): void {
  if (permissions.scopes.has(scope)) assertOnScope(permissions, ability, scope);
}

/** Nobody gives more than they own; who enters every scope owns it like its OWNER. */
export function canGrantOnScope(permissions: Permissions, scope: ScopeId, role: Role): boolean {
  if (!canOnScope(permissions, 'grant', scope)) return false;
  const granted = permissions.scopes.get(scope);
  return can(permissions.role, 'enter_every_scope') || (granted != null && atLeast(granted, role));
}

/** The scope that stands in a path, and what of it the path means. */
export interface PathScope {
  readonly id: ScopeId;
  readonly part: 'itself' | 'contents' | 'copy';
}

/**
 * Whether somebody may call an operation that requires an ability, on a path that lies within a scope or in none.
 * A controlled scope shows that it exists to everybody; a copy of it is a new thing of the organization.
 */
export function canCall(permissions: Permissions, ability: Ability, scope: PathScope | null): boolean {
  const may = can(permissions.role, ability);
  if (scope === null) return may;
  const { id, part } = scope;
  if (part === 'itself' && ability === 'read') return may;
  if (part !== 'copy' && ability === 'write_content') {
    return canOnScope(permissions, part === 'itself' ? 'manage' : 'write', id);
  }
  return may && canOnScope(permissions, 'read', id);
}

/** The scopes that somebody has no access to; empty for most. */
export function closedScopes(permissions: Permissions): readonly ScopeId[] {
  if (can(permissions.role, 'enter_every_scope')) return [];
  return [...permissions.scopes].flatMap(([scope, role]) => (role === null ? [scope] : []));
}

/** The highest of several roles, null when there is none: grants of one's own and of one's groups add up. */
export function highestOf(roles: readonly Role[]): Role | null {
  return roles.reduce<Role | null>((best, role) => (best === null || atLeast(role, best) ? role : best), null);
}

/** A controlled scope with the roles that somebody was granted on it, or a project below one. */
export interface ScopeRow {
  readonly id: ScopeId;
  readonly controlled: boolean;
  readonly dependsOnId: ProjectId | null;
  readonly roles: readonly Role[];
}

/**
 * A project without control of its own takes over that of the nearest controlled project it depends on; environments
 * take over nothing (behaviour.md §11.5).
 */
export function scopesOf(rows: readonly ScopeRow[]): Scopes {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const scopes = new Map<ScopeId, Role | null>();
  for (const row of rows) {
    const controlling = nearestControlled(byId, row);
    if (controlling !== null) scopes.set(row.id, highestOf(controlling.roles));
  }
  return scopes;
}

function nearestControlled(rows: ReadonlyMap<ScopeId, ScopeRow>, start: ScopeRow): ScopeRow | null {
  const seen = new Set<ScopeId>();
  for (let row: ScopeRow | undefined = start; row && !seen.has(row.id); row = rows.get(row.dependsOnId ?? '')) {
    if (row.controlled) return row;
    seen.add(row.id);
  }
  return null;
}

/** Which project controls a project: itself, the nearest controlled one that it depends on, or nothing. `dependsOn`: project → project. */
export function controllingProjectOf(
  dependsOn: ReadonlyMap<ProjectId, ProjectId | null>,
  controlled: ReadonlySet<ScopeId>,
  start: ProjectId | null,
): ProjectId | null {
  const seen = new Set<ProjectId>();
  for (let id = start; id !== null && !seen.has(id); id = dependsOn.get(id) ?? null) {
    if (controlled.has(id)) return id;
    seen.add(id);
  }
  return null;
}
