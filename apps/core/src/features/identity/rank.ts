import { canGrantRole, type Role } from '@strata/domain';
import type { Caller } from '../../platform/caller.ts';
import { roleAboveOwn } from './people.ts';

/**
 * Rejects a role above the caller's (E90). Inside a write, the caller's role is the current one, not that at the start
 * of the request.
 */
export function assertRank({ role }: Caller, ...roles: readonly Role[]): void {
  if (!roles.every((wanted) => canGrantRole(role, wanted))) throw roleAboveOwn();
}
