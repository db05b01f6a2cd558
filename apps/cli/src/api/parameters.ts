import type { Matrix, MatrixCell } from '@strata/contract';
import { buildValueType, type Rule, type TypeNode, type ValueType } from '@strata/domain';
import { readAllPages, readAllRows } from '@strata/rest-client';
import type { Client } from '../core/client.ts';

/** A parameter that a project owns or inherits, with its cells in the requested environments. */
export interface ParameterWithCells {
  readonly name: string;
  readonly description: string;
  readonly secret: boolean;
  readonly type: string;
  /** The rules of the parameter itself. */
  readonly rules: readonly Rule[];
  /** The base of its type, and all rules of the parameter and its types. */
  readonly valueType: ValueType;
  readonly cells: readonly MatrixCell[];
}

/** The types of an organization by name. */
export type Types = ReadonlyMap<string, TypeNode>;

export interface TypedParameters {
  readonly environments: Matrix['environments'];
  /** Sorted by name. */
  readonly parameters: readonly ParameterWithCells[];
  readonly types: Types;
}

/** Reads the parameters of a project with their types, rules and cells; of all environments unless some are given. */
export async function readParameters(
  client: Client,
  project: string,
  environments?: readonly string[],
): Promise<TypedParameters> {
  const path = { project_pk: await client.projectId(project) };
  const environmentQuery = environments && { environment: { repeated: environments } };
  const [pages, owners, types] = await Promise.all([
    readAllPages(client, 'projects_matrix_list', { path, query: environmentQuery }),
    readAllRows(client, 'projects_parameters_list', { path, query: { values: false } }),
    readTypes(client),
  ]);
  const rulesOf = new Map(owners.map(({ id, rules }) => [id, rules.map(toRule)]));
  const parameters = pages.flatMap(({ results }) =>
    results.map(({ name, description, secret, type, parameter_id: id, cells }) => {
      const rules = rulesOf.get(id) ?? [];
      return { name, description, secret, type, rules, cells, valueType: buildValueType(types, type, { name, rules }) };
    }),
  );
  return { environments: pages[0]?.environments ?? [], parameters: parameters.sort(byName), types };
}

/** Orders by code units, so that the order depends on no locale. */
const byName = (left: { readonly name: string }, right: { readonly name: string }): number =>
  left.name < right.name ? -1 : left.name > right.name ? 1 : 0;

async function readTypes(client: Client): Promise<Types> {
  const types = await readAllRows(client, 'types_list');
  return new Map(
    types.map(({ name, parent_name: parentId, rules }) => [
      name,
      { id: name, name, parentId, rules: rules.map(toRule) },
    ]),
  );
}

const toRule = ({ type: kind, constraint }: { readonly type: Rule['kind']; readonly constraint: string }): Rule => ({
  kind,
  constraint,
});
