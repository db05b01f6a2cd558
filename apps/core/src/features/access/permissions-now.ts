import { isRole, type Permissions, type ScopeRow, scopesOf } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import { SCOPE_ROWS } from '../../platform/auth/scope-rows.ts';
import type { Caller } from '../../platform/caller.ts';

/**
 * The caller's permissions inside a write. What came with the credential is as old as the request; somebody who gives
 * rights must still have them when the write runs.
 */
export async function permissionsNow(em: EntityManager, caller: Caller): Promise<Permissions> {
  const [row] = await em.query<{ role: string; scopes: readonly ScopeRow[] | null }[]>(
    `select m.role, ${SCOPE_ROWS} as scopes from membership m where m.organization_id = $1 and m.id = $2`,
    [caller.organizationId, caller.membershipId],
  );
  if (!row || !isRole(row.role)) return { role: 'VIEWER', scopes: caller.scopes };
  return { role: row.role, scopes: scopesOf(row.scopes ?? []) };
}
