import {
  type ParameterDuality as ParameterDualityRow,
  ParameterQuery,
  type Parameter as ParameterRow,
} from '@strata/contract';
import { Failure } from '@strata/domain';
import { GraphQLBoolean, GraphQLList, GraphQLNonNull } from 'graphql';
import type { GatewayContext } from '../context.ts';
import { nullIfNotFound, type Query } from '../core.ts';
import { isInaccessible } from '../errors.ts';
import { valueForEnvironment } from '../loaders.ts';
import { parseLinkedId, type ReadContext } from '../node.ts';
import type { Assembly } from '../schema/assembly.ts';
import { addList } from '../schema/list-field.ts';
import type { ObjectSource } from '../schema/object-type.ts';
import { fillPath } from '../schema/operations.ts';
import { idArgs, queryArgs } from '../schema/query-args.ts';
import { type FieldArgs, field } from '../schema/schema-build.ts';
import { effectiveField, loadEffectiveValues, type ParameterView, REVEAL, type ValueArgs } from './effective-field.ts';

const PATH = 'projects/{projectId}/parameters/{id}/';

/** Without an environment no single value can be included. The `difference` filter needs all values. */
function withoutValues({ mask_secrets, ...rest }: Query): Query {
  return rest.environment || rest.difference ? { mask_secrets, ...rest } : { ...rest, values: false };
}

function parameterView(projectId: string, { environment, reveal }: FieldArgs, pointInTime: Query): ParameterView {
  return {
    projectId,
    reveal: reveal === true,
    pointInTime,
    ...(environment ? { environment: String(environment) } : {}),
  };
}

/** The effective value of a row that was read for one environment. */
function includedValue({ environment }: FieldArgs, row: ParameterRow): Pick<ParameterView, 'effective'> {
  return environment ? { effective: valueForEnvironment(row) } : {};
}

/** Each side is read at its own point in time, including its children. */
function comparedView(projectId: string, args: FieldArgs, row: ParameterDualityRow): ReadContext {
  const { environment } = args;
  const view = (asOf: unknown, tag: unknown, parameter: ParameterRow | null): ReadContext => {
    const pointInTime = {
      ...(asOf ? { as_of: String(asOf) } : {}),
      ...(tag ? { tag: String(tag), environment: String(environment) } : {}),
    };
    return parameter ? { ...parameterView(projectId, args, pointInTime), ...includedValue(args, parameter) } : {};
  };
  return { members: { t1: view(args.t1AsOf, args.t1Tag, row.t1), t2: view(args.t2AsOf, args.t2Tag, row.t2) } };
}

/** Adds the reads of parameters and of their children. */
export function addParameterViews(assembly: Assembly): void {
  addList(assembly, {
    operation: 'projects_parameters_list',
    of: 'Parameter',
    under: 'Project',
    about:
      'The parameters of the project, including inherited ones, sorted by name. `effective` refers to `environment`.',
    without: ['values'],
    query: withoutValues,
    createView: async (args, list) => {
      const { pointInTime, above, isCompleteList } = list;
      const rows = list.rows as readonly ParameterRow[];
      const commonView = { ...parameterView(above?.row.id ?? '', args, pointInTime), isCompleteList };
      const { effective } = assembly.shapeNamed('Parameter').type.getFields();
      const loadedValues = effective && (await loadEffectiveValues(effective, rows, commonView, list));
      return (row: ParameterRow) => ({ ...commonView, ...includedValue(args, row), loaded: loadedValues });
    },
  });
  addList(assembly, {
    operation: 'projects_parameters_duality_list',
    of: 'ParameterDuality',
    many: 'compare',
    under: 'Project',
    about: 'Compares its parameters at two points in time, sorted by name. `effective` refers to `environment`.',
    without: ['values'],
    createView:
      (args, { above }) =>
      (row: ParameterDualityRow) =>
        comparedView(above?.row.id ?? '', args, row),
  });
  assembly.build.add('Query', { parameter: oneParameter(assembly) });
  assembly.build.add('Parameter', { effective: effectiveField(assembly), values: valuesField(assembly) });
}

function oneParameter(assembly: Assembly) {
  const args = queryArgs(assembly.build, ParameterQuery, { without: ['values'] });
  const shape = assembly.shapeNamed('Parameter');
  return field<unknown, FieldArgs & { readonly projectId: string; readonly id: string }>({
    type: shape.type,
    description: 'One parameter as a project shows it; null if it does not exist or the caller cannot access it.',
    args: { ...idArgs(assembly.build, ['projectId', 'id']), ...args.config },
    reaches: ['projects_parameters_retrieve'],
    resolve: async (_source, variables, { core }: GatewayContext) => {
      const response = await nullIfNotFound(
        core.get<ParameterRow>(fillPath(PATH, variables), withoutValues(args.query(variables))),
      );
      if (!response) return null;
      const view = parameterView(variables.projectId, variables, args.pointInTime(variables));
      return shape.toSource(response.body, { ...view, ...includedValue(variables, response.body) });
    },
  });
}

function valuesField(assembly: Assembly) {
  const shape = assembly.shapeNamed('Value');
  return field<ObjectSource<ParameterRow>, ValueArgs>({
    type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(shape.type))),
    description:
      'The values that are set on this parameter, sorted by name of the environment. Empty for an inherited parameter whose project the caller cannot access. If a text cannot be evaluated, all values are shown as stored.',
    args: { reveal: { type: GraphQLBoolean, description: REVEAL } },
    resolve: async ({ row, view }, args, { loaders }: GatewayContext) => {
      const reveal = args.reveal ?? view.reveal === true;
      const pointInTime = await loaders.pinned(view.pointInTime);
      const key = { projectId: parseLinkedId(row.project), parameterId: row.id, reveal, pointInTime };
      const values = await loaders.explicit.load(key).catch((error: unknown) => {
        if (!(error instanceof Failure)) throw error;
        if (isInaccessible(error)) return [];
        if (error.kind !== 'unprocessable') throw error;
        return loaders.explicit.load({ ...key, pointInTime: { ...pointInTime, evaluate: false } });
      });
      return values.map((value) => shape.toSource(value, { pointInTime }));
    },
  });
}
