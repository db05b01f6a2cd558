import { randomUUID } from 'node:crypto';
import { TEMPORARY_ACCESS_LIMITS } from '@strata/contract';
import { Failure, type Role, sentence } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { WriteContext } from '../../platform/ledger/command.ts';
import type { GrantScope, Principal } from './scope-link.ts';
import { scopeId } from './scope-link.ts';

/** The right that a temporary grant gives: a role on a scope, or the ability to reveal secrets. */
export type TemporaryRight = { readonly scope: GrantScope; readonly role: Role } | 'reveal';

/** SQL that is true while a scope has grants without an end. $2 is the id of the scope. */
const IS_RESTRICTED = `exists (select from access_grant where organization_id = $1 and coalesce(project_id, environment_id) = $2)`;

/** Throws unless the role can be granted on the scope for a time. */
export async function assertCanBeTemporary(
  em: EntityManager,
  organizationId: string,
  { scope, role }: Exclude<TemporaryRight, 'reveal'>,
): Promise<void> {
  if (role === 'OWNER') {
    const message = 'A temporary grant is at most ADMIN, because an OWNER could grant access that does not end.';
    throw Failure.field('temporary_owner', 'role', message);
  }
  const [row] = await em.query<{ is_restricted: boolean }[]>(`select ${IS_RESTRICTED} as is_restricted`, [
    organizationId,
    scopeId(scope),
  ]);
  if (row?.is_restricted) return;
  throw Failure.field(
    'scope_not_restricted',
    'scope',
    sentence`${{ scope: scope.name }} has no grants of its own, so a temporary grant would have no effect. Choose the project or environment that restricts the access.`,
  );
}

/** Throws unless the instant is in the future and within the limit. */
export async function assertEndInRange(em: EntityManager, at: string, expiresAt: string): Promise<void> {
  const [row] = await em.query<{ is_in_range: boolean }[]>(
    `select $2::timestamptz > $1::timestamptz and $2::timestamptz <= $1::timestamptz + $3 * interval '1 day' as is_in_range`,
    [at, expiresAt, TEMPORARY_ACCESS_LIMITS.grantDays],
  );
  if (row?.is_in_range) return;
  const message = sentence`Choose a time in the future, within ${{ limit: TEMPORARY_ACCESS_LIMITS.grantDays }} days.`;
  throw Failure.field('end_out_of_range', 'expires_at', message);
}

/** Stores a temporary grant, and returns its id. */
export async function insertTemporaryGrant(
  { em, at, caller: { organizationId } }: WriteContext,
  principal: Pick<Principal, 'membership_id' | 'group_id'>,
  right: TemporaryRight,
  expiresAt: string,
): Promise<string> {
  const [row] = await em.query<{ count: number }[]>(
    'select count(*)::int as count from temporary_grant where organization_id = $1',
    [organizationId],
  );
  const limit = TEMPORARY_ACCESS_LIMITS.perOrganization;
  if (row && row.count >= limit) {
    const message = sentence`An organization can have at most ${{ limit }} temporary grants. Remove some of them first.`;
    throw Failure.field('too_many_temporary_grants', 'non_field_errors', message);
  }
  const id = randomUUID();
  const { scope, role } = right === 'reveal' ? { scope: null, role: null } : right;
  await em.query(
    `insert into temporary_grant (organization_id, id, membership_id, group_id, project_id, environment_id, role, reveals, expires_at,
                                  created_at, modified_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)`,
    [
      organizationId,
      id,
      ...[principal.membership_id, principal.group_id, scope?.project_id ?? null, scope?.environment_id ?? null, role],
      ...[right === 'reveal', expiresAt, at],
    ],
  );
  return id;
}
