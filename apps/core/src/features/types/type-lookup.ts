import { BUILT_IN_TYPES, Failure, type OrganizationId, type Uuid, type ValueType } from '@strata/domain';
import type { EntityManager } from 'typeorm';

export interface FoundType {
  readonly id: Uuid;
  readonly type: ValueType;
}

/** 404 and not 400, as existing clients expect of an unknown type name (E32). */
export async function typeNamed(em: EntityManager, organizationId: OrganizationId, name: string): Promise<FoundType> {
  const [row] = await em.query<{ id: Uuid }[]>(
    'select id from parameter_type where organization_id = $1 and name = $2',
    [organizationId, name],
  );
  if (!row) throw Failure.notFound('ParameterType');
  return { id: row.id, type: builtIn(name) };
}

export async function typeOf(em: EntityManager, organizationId: OrganizationId, id: Uuid): Promise<ValueType> {
  const [row] = await em.query<{ name: string }[]>(
    'select name from parameter_type where organization_id = $1 and id = $2',
    [organizationId, id],
  );
  return builtIn(row?.name ?? '');
}

function builtIn(name: string): ValueType {
  const found = BUILT_IN_TYPES.find((type) => type.name === name);
  if (!found) throw new Error(`There is no type ${name}.`);
  return found;
}
