import type { ValuePatch } from '@strata/contract';
import { Failure, type OrganizationId } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import { rejectExternalContent } from '../../syncs/external.ts';

/** Rejects contradictory members of a request for external content (behaviour.md §6.2 rule 3). */
export function assertConsistent({ external, external_fqn: fqn, internal_value: text }: ValuePatch): void {
  if (!external) {
    if (!fqn) return;
    throw Failure.field('external_fqn_without_external', 'external_fqn', 'Only an external value has external_fqn.');
  }
  if (text !== undefined && text !== null) {
    const message = 'An external value has no internal_value. Omit it.';
    throw Failure.field('external_with_text', 'internal_value', message);
  }
  if (!fqn) throw Failure.field('required', 'external_fqn', 'An external value needs external_fqn.');
}

/**
 * Rejects external content with an error that depends on its location: Strata does not connect to providers (rule 4).
 */
export async function assertNotExternal(
  em: EntityManager,
  organizationId: OrganizationId,
  { external, external_fqn: fqn = '' }: ValuePatch,
): Promise<void> {
  if (external) await rejectExternalContent((sql, values) => em.query(sql, values), organizationId, fqn);
}
