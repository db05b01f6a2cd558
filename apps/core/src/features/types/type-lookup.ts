import {
  byId,
  Failure,
  type OrganizationId,
  type ParameterId,
  type Rule,
  type TypeNode,
  type Uuid,
} from '@strata/domain';
import type { EntityManager } from 'typeorm';

/** Types by id, with their own rules. */
export type Types = ReadonlyMap<Uuid, TypeNode>;

const COLUMNS = `
  t.id, t.name, t.parent_id as "parentId",
  (select coalesce(json_agg(json_build_object('kind', r.kind, 'constraint', r.constraint_text) order by r.kind), '[]')
     from parameter_type_rule r where r.organization_id = t.organization_id and r.type_id = t.id) as rules`;

/** All types of an organization, in one statement. */
export async function allTypes(em: EntityManager, organizationId: OrganizationId): Promise<Types> {
  return byId(
    await em.query<TypeNode[]>(`select ${COLUMNS} from parameter_type t where t.organization_id = $1`, [
      organizationId,
    ]),
  );
}

/** A type and its ancestors, and the own rules of a parameter of this type. */
export interface Chain {
  readonly types: Types;
  readonly own: readonly Rule[];
}

/** What the values of a parameter are measured by, in one statement. */
export async function chainOf(
  em: EntityManager,
  organizationId: OrganizationId,
  { typeId, parameterId }: { readonly typeId: Uuid; readonly parameterId: ParameterId },
): Promise<Chain> {
  const rows = await em.query<(TypeNode & { own: readonly Rule[] })[]>(
    `with recursive chain as (
       select id, parent_id from parameter_type where organization_id = $1 and id = $2
       union
       select t.id, t.parent_id from chain c
         join parameter_type t on t.organization_id = $1 and t.id = c.parent_id)
     select ${COLUMNS},
            (select coalesce(json_agg(json_build_object('kind', r.kind, 'constraint', r.constraint_text) order by r.kind), '[]')
               from parameter_rule r where r.organization_id = $1 and r.parameter_id = $3) as own
       from parameter_type t where t.organization_id = $1 and t.id in (select id from chain)`,
    [organizationId, typeId, parameterId],
  );
  return { types: byId(rows), own: rows[0]?.own ?? [] };
}

/** 404 and not 400, as existing clients expect of an unknown type name (E32). */
export async function typeNamed(em: EntityManager, organizationId: OrganizationId, name: string): Promise<Uuid> {
  const [row] = await em.query<{ id: Uuid }[]>(
    'select id from parameter_type where organization_id = $1 and name = $2',
    [organizationId, name],
  );
  if (!row) throw Failure.notFound('ParameterType');
  return row.id;
}
