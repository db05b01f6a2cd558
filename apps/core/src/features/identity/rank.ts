import { canGrantRole, type Role } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../platform/caller.ts';
import { permissionsNow } from '../access/permissions-now.ts';
import { roleAboveOwn } from './people.ts';

/** Refuses a role above one's own (E90) inside a write: by the role that the caller has at this moment, not by the one their request began with. */
export async function assertRank(em: EntityManager, caller: Caller, ...roles: readonly Role[]): Promise<void> {
  const { role } = await permissionsNow(em, caller);
  if (!roles.every((wanted) => canGrantRole(role, wanted))) throw roleAboveOwn();
}
