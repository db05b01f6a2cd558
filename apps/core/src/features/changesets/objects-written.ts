import { isUuid, type OrganizationId } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Step } from './steps.ts';

/** Objects that have a `ledger_id`. */
const VERSIONED = [
  'environment',
  'project',
  'parameter_type',
  'parameter_type_rule',
  'parameter',
  'parameter_rule',
  'value',
  'template',
];

/** The `ledger_id` of each object that a step expects one of, as it is before the changeset. */
export async function ledgerIdsOf(
  em: EntityManager,
  organizationId: OrganizationId,
  steps: readonly Pick<Step, 'expects'>[],
): Promise<ReadonlyMap<string, string>> {
  const ids = steps.flatMap(({ expects }) => expects?.objectId ?? []).filter(isUuid);
  if (ids.length === 0) return new Map();
  const each = VERSIONED.map(
    (table) => `select id::text, ledger_id::text from ${table} where organization_id = $1 and id = any(i.ids)`,
  );
  const rows = await em.query<{ id: string; ledger_id: string }[]>(
    `select v.* from (select $2::uuid[] as ids) i cross join lateral (${each.join(' union all ')}) v`,
    [organizationId, ids],
  );
  return new Map(rows.map(({ id, ledger_id: ledgerId }) => [id, ledgerId]));
}
