import { canGrantRole, type Role } from '@strata/domain';
import type { Caller } from '../../platform/caller.ts';
import { roleAboveOwn } from './people.ts';

/** Refuses a role above one's own (E90). Inside a write that is the role of this moment, not the one that the request began with. */
export function assertRank({ role }: Caller, ...roles: readonly Role[]): void {
  if (!roles.every((wanted) => canGrantRole(role, wanted))) throw roleAboveOwn();
}
