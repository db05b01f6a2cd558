import { atLeast, isRole, type Role } from './access.ts';
import { NO_SCOPES, type Permissions, resolveScopes, type ScopeRow } from './scope.ts';

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
  { role, scopes, revealsSecrets, temporary }: StoredPermissions,
  { isWorkload }: { readonly isWorkload: boolean },
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
  return isWorkload ? cappedPermissions(permissions, WORKLOAD_ROLE_MAX) : permissions;
}

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
