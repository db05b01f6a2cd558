import { atLeast, isRole, type Role } from './access.ts';
import type { ApiKeyLocation, ApiKeyScope } from './key-scope.ts';
import { can, mayReveal, NO_SCOPES, type Permissions, resolveScopes, type ScopeId, type ScopeRow } from './scope.ts';

/** The highest role of a workload, whatever its service account has. */
const WORKLOAD_ROLE_MAX = 'CONTRIB';

/** Returns whether workloads have all rights of a service account with this role. */
export function isWorkloadRole(role: Role): boolean {
  return atLeast(WORKLOAD_ROLE_MAX, role);
}

/** Returns whether a changed role of a service account is above that of its workloads and not lower than before. */
export function isRaisedAboveWorkloads(before: Role, after: Role): boolean {
  return !isWorkloadRole(after) && atLeast(after, before);
}

/** The permissions of a membership as they are stored. A credential can limit them. */
interface StoredPermissions {
  readonly role: string;
  /** Null in an organization without any grant. */
  readonly scopes: readonly ScopeRow[] | null;
  readonly revealsSecrets: boolean;
  /** Absent or null if the membership has no temporary grant that is valid now. */
  readonly temporary?: TemporaryRights | null;
  /** Every project, and the environments that it excludes, for a key that is limited to some; null for other credentials. */
  readonly keyLocations?: readonly ApiKeyLocation[] | null;
}

/** How a credential limits the permissions of its membership. */
export interface CredentialLimit {
  readonly isWorkload: boolean;
  /** The scopes of an API key; null if it has all. */
  readonly keyScopes: readonly ApiKeyScope[] | null;
}

/** The temporary grants of a membership that are valid now. Their roles are in the scopes. */
export interface TemporaryRights {
  /** Whether one of them allows to see secrets. */
  readonly reveals: boolean;
  /** When the first of them ends, in milliseconds since 1970. */
  readonly endsAt: number;
}

/**
 * Returns what a credential of a membership permits; null if the role is unknown. Every decision about a caller uses
 * the result, and none uses the stored role.
 */
export function effectivePermissions(
  { role, scopes, revealsSecrets, temporary, keyLocations = null }: StoredPermissions,
  { isWorkload, keyScopes }: CredentialLimit,
): Permissions | null {
  if (!isRole(role)) return null;
  const reveals = temporary?.reveals === true;
  const permissions: Permissions = {
    role,
    scopes: scopes === null ? NO_SCOPES : resolveScopes(scopes),
    revealsSecrets: revealsSecrets || reveals,
    ...(reveals && !revealsSecrets && { isRevealTemporary: true }),
    ...(temporary && { validUntil: temporary.endsAt }),
  };
  const permitted = isWorkload ? cappedPermissions(permissions, WORKLOAD_ROLE_MAX) : permissions;
  return keyScopes === null && keyLocations === null ? permitted : keyPermissions(permitted, keyScopes, keyLocations);
}

/** The highest role of a key that is limited to projects or environments: it changes their contents only. */
const LOCATED_ROLE_MAX = 'CONTRIB';

/**
 * Returns the permissions within the scopes of an API key. Without the scope `write` it has the rights of a VIEWER. If
 * it is limited to projects or environments, it has rights of a VIEWER in the organization, and the role on each
 * project and environment decides.
 */
function keyPermissions(
  account: Permissions,
  keyScopes: readonly ApiKeyScope[] | null,
  locations: readonly ApiKeyLocation[] | null,
): Permissions {
  const writes = keyScopes?.includes('write') ?? true;
  const key = { account, writes, isLocated: locations !== null };
  const revealsSecrets = mayReveal(account) && (keyScopes?.includes('reveal') ?? true);
  if (writes && locations === null) return { ...account, revealsSecrets, key };
  const highestRole = writes ? LOCATED_ROLE_MAX : 'VIEWER';
  // The lowered role does not have the access to every scope that the role of the account may have.
  const entersEveryScope = can(account, 'enter_every_scope');
  const roleOn = (id: ScopeId, highest: Role): Role | null => {
    const accountRole = entersEveryScope || !account.scopes.has(id) ? account.role : (account.scopes.get(id) ?? null);
    return accountRole && lowerRole(accountRole, highest);
  };
  const scopes = new Map<ScopeId, Role | null>();
  for (const id of account.scopes.keys()) scopes.set(id, roleOn(id, highestRole));
  for (const { id, permits } of locations ?? []) {
    scopes.set(id, permits === 'nothing' ? null : roleOn(id, permits === 'reading' ? 'VIEWER' : highestRole));
  }
  return { ...account, role: 'VIEWER', scopes, revealsSecrets, highestRole, key };
}

const lowerRole = (first: Role, second: Role): Role => (atLeast(first, second) ? second : first);

/** Returns the permissions with every role, in the organization and on scopes, lowered to at most this one. */
export function cappedPermissions(permissions: Permissions, highest: Role): Permissions {
  const { role, scopes } = permissions;
  const capped = (grantedRole: Role) => (atLeast(grantedRole, highest) ? highest : grantedRole);
  return {
    ...permissions,
    role: capped(role),
    scopes: new Map([...scopes].map(([scope, grantedRole]) => [scope, grantedRole && capped(grantedRole)])),
    highestRole: highest,
  };
}
