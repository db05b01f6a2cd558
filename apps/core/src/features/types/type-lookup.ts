import { Failure, type OrganizationId, type Uuid } from '@strata/domain';
import type { EntityManager } from 'typeorm';

/**
 * Returns the id of a type by name. Throws 404 and not 400 for an unknown name, because existing clients expect it
 * (E32).
 */
export async function findTypeId(em: EntityManager, organizationId: OrganizationId, name: string): Promise<Uuid> {
  const [row] = await em.query<{ id: Uuid }[]>(
    'select id from parameter_type where organization_id = $1 and name = $2',
    [organizationId, name],
  );
  if (!row) throw Failure.notFound('ParameterType');
  return row.id;
}
