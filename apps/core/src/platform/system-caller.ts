import { randomUUID } from 'node:crypto';
import { type OrganizationId, SYSTEM_PERMISSIONS } from '@strata/domain';
import type { Caller } from './caller.ts';

/** Returns the actor of writes that Strata itself makes. The audit and the events show its name. */
export function createSystemCaller(
  organizationId: OrganizationId,
  { id, name }: { readonly id: string; readonly name: string },
): Caller {
  return {
    ...SYSTEM_PERMISSIONS,
    id,
    name,
    type: 'service',
    organizationId,
    membershipId: randomUUID(),
    requestId: randomUUID(),
    surface: id,
    revision: 0,
    authorization: null,
    idempotencyKey: null,
  };
}
