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

/** The rules of one type or parameter, as JSON. */
const rulesOf = (noun: 'type' | 'parameter', id: string) => `
  (select coalesce(json_agg(json_build_object('kind', r.kind, 'constraint', r.constraint_text) order by r.kind), '[]')
     from ${noun === 'type' ? 'parameter_type_rule' : 'parameter_rule'} r
    where r.organization_id = $1 and r.${noun}_id = ${id})`;

/** What the values of a parameter are measured by, as columns `types` and `own` of any statement; $1 is the organization. */
export const chainColumns = (typeId: string, parameterId: string) => `
  (with recursive chain as (
     select id, name, parent_id from parameter_type where organization_id = $1 and id = ${typeId}
     union
     select t.id, t.name, t.parent_id from chain c
       join parameter_type t on t.organization_id = $1 and t.id = c.parent_id)
   select coalesce(json_agg(json_build_object(
            'id', id, 'name', name, 'parentId', parent_id, 'rules', ${rulesOf('type', 'chain.id')})), '[]')
     from chain) as types,
  ${rulesOf('parameter', parameterId)} as own`;

/** All types of an organization, in one statement. */
export async function allTypes(em: EntityManager, organizationId: OrganizationId): Promise<Types> {
  return byId(
    await em.query<TypeNode[]>(
      `select t.id, t.name, t.parent_id as "parentId", ${rulesOf('type', 't.id')} as rules
         from parameter_type t where t.organization_id = $1`,
      [organizationId],
    ),
  );
}

/** A type and its ancestors, and the own rules of a parameter of this type, as `chainColumns` read them. */
export interface Chain {
  readonly types: readonly TypeNode[];
  readonly own: readonly Rule[];
}

/** What the values of a parameter are measured by, in one statement. */
export async function chainOf(
  em: EntityManager,
  organizationId: OrganizationId,
  { typeId, parameterId }: { readonly typeId: Uuid; readonly parameterId: ParameterId },
): Promise<{ readonly types: Types; readonly own: readonly Rule[] }> {
  const [{ types, own } = { types: [], own: [] }] = await em.query<Chain[]>(
    `select ${chainColumns('$2::uuid', '$3::uuid')}`,
    [organizationId, typeId, parameterId],
  );
  return { types: byId(types), own };
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
