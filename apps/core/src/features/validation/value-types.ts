import {
  buildValueType,
  indexById,
  type OrganizationId,
  type ParameterId,
  type Rule,
  type TypeNode,
  type Uuid,
  type ValueType,
} from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Statement } from '../../platform/postgres/prepared-client.ts';
import type { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import type { ParameterText, TypedParameter } from './validation-inputs.ts';

/** Types by id, with their own rules. */
export type TypesById = ReadonlyMap<Uuid, TypeNode>;

/** A type with its ancestors, and the rules of a parameter with this type. `chainColumns` selects it. */
export interface Chain {
  readonly types: readonly TypeNode[];
  readonly ownRules: readonly Rule[];
}

/** SQL for the rules of one type or parameter as JSON. */
const selectRules = (noun: 'type' | 'parameter', id: string) => `
  (select coalesce(json_agg(json_build_object('kind', rule.kind, 'constraint', rule.constraint_text) order by rule.kind), '[]')
     from ${noun === 'type' ? 'parameter_type_rule' : 'parameter_rule'} rule
    where rule.organization_id = $1 and rule.${noun}_id = ${id})`;

/**
 * SQL columns `types` and `ownRules`, for any statement: the type of a parameter with its ancestors, and the rules of the
 * parameter. $1 is the organization.
 */
export const chainColumns = (typeId: string, parameterId: string) => `
  (with recursive chain as (
     select id, name, parent_id from parameter_type where organization_id = $1 and id = ${typeId}
     union
     select type.id, type.name, type.parent_id from chain
       join parameter_type type on type.organization_id = $1 and type.id = chain.parent_id)
   select coalesce(json_agg(json_build_object(
            'id', id, 'name', name, 'parentId', parent_id, 'rules', ${selectRules('type', 'chain.id')})), '[]')
     from chain) as types,
  ${selectRules('parameter', parameterId)} as "ownRules"`;

/** SQL for the rules of a parameter as JSON, for any statement. $1 is the organization. */
export const ownRules = (parameterId: string) => selectRules('parameter', parameterId);

/**
 * Returns the statement that selects the types of some parameters and all of their ancestors, as rows of `TypeNode`. It
 * looks up each row by its key. Without statistics, PostgreSQL would otherwise read all parameters of the organization.
 */
export function typesOfParameters(organizationId: OrganizationId, ids: readonly ParameterId[]): Statement {
  return {
    text: `
  with recursive chain (id, name, parent_id) as (
    select type.* from unnest($2::uuid[]) input(parameter_id)
     cross join lateral (
       select parameter.type_id from parameter where parameter.organization_id = $1 and parameter.id = input.parameter_id offset 0) parameter
     cross join lateral (${selectType('parameter.type_id')}) type
    union
    select type.* from chain cross join lateral (${selectType('chain.parent_id')}) type where chain.parent_id is not null)
  select id, name, parent_id as "parentId", ${selectRules('type', 'chain.id')} as rules from chain`,
    values: [organizationId, ids],
  };
}

const selectType = (id: string) => `
       select type.id, type.name, type.parent_id from parameter_type type where type.organization_id = $1 and type.id = ${id} offset 0`;

/** Reads all types of an organization. Runs one statement. */
export async function readAllTypes(em: EntityManager, organizationId: OrganizationId): Promise<TypesById> {
  return indexById(
    await em.query<TypeNode[]>(
      `select type.id, type.name, type.parent_id as "parentId", ${selectRules('type', 'type.id')} as rules
         from parameter_type type where type.organization_id = $1`,
      [organizationId],
    ),
  );
}

/** Reads an existing type and all of its ancestors, in their committed state. */
export async function chainOfType(
  reader: SnapshotReader,
  organizationId: OrganizationId,
  id: Uuid,
): Promise<TypesById> {
  const [{ types } = { types: [] }] = await reader.query<Pick<Chain, 'types'>>(
    `select ${chainColumns('$2::uuid', 'null::uuid')}`,
    [organizationId, id],
  );
  return indexById(types);
}

/** Reads the type of a parameter with its ancestors, and the rules of the parameter. Runs one statement. */
export async function loadTypeChain(
  em: EntityManager,
  { organizationId, id, typeId }: TypedParameter,
): Promise<{ readonly types: TypesById; readonly ownRules: readonly Rule[] }> {
  const [{ types, ownRules } = { types: [], ownRules: [] }] = await em.query<Chain[]>(
    `select ${chainColumns('$2::uuid', '$3::uuid')}`,
    [organizationId, typeId, id],
  );
  return { types: indexById(types), ownRules };
}

/** Returns the type and the rules that the values of a parameter must satisfy. */
export async function loadValueType(em: EntityManager, parameter: TypedParameter): Promise<ValueType> {
  const { types, ownRules } = await loadTypeChain(em, parameter);
  return buildValueType(types, parameter.typeId, { name: parameter.name, rules: ownRules });
}

interface OwnRule extends Rule {
  readonly parameterId: ParameterId;
}

/**
 * Returns the type and the rules for each text, in the given order. Runs two statements, however many texts there are.
 */
export async function loadValueTypes(
  em: EntityManager,
  organizationId: OrganizationId,
  texts: readonly ParameterText[],
): Promise<readonly ValueType[]> {
  const types = await readAllTypes(em, organizationId);
  const idsByName = new Map([...types.values()].map(({ id, name }) => [name, id]));
  const rules = await em.query<OwnRule[]>(
    `select parameter_id as "parameterId", kind, constraint_text as "constraint" from parameter_rule
      where organization_id = $1 and parameter_id = any($2::uuid[]) order by kind`,
    [organizationId, texts.flatMap(({ parameterId }) => parameterId ?? [])],
  );
  const rulesByParameter = Map.groupBy(rules, ({ parameterId }) => parameterId);
  return texts.map(({ name, type, parameterId }) =>
    buildValueType(types, idsByName.get(type) ?? '', {
      name,
      rules: parameterId === null ? [] : (rulesByParameter.get(parameterId) ?? []),
    }),
  );
}
