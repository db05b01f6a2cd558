import type { Parameter as ParameterRow } from '@strata/contract';
import { GraphQLBoolean, type GraphQLField, GraphQLString, getArgumentValues } from 'graphql';
import type { GatewayContext } from '../context.ts';
import type { Query } from '../core.ts';
import { parseLinkedId, type ReadContext } from '../node.ts';
import type { Assembly } from '../schema/assembly.ts';
import type { ListContext } from '../schema/list-field.ts';
import type { ObjectSource } from '../schema/object-type.ts';
import { field } from '../schema/schema-build.ts';
import { listSelections, selectedFields } from '../schema/selection.ts';
import type { EffectiveValueKey, EffectiveValueRow, EffectiveValues } from './effective-batch-loader.ts';

/** How a parameter was reached: its values differ between projects that inherit it. */
export interface ParameterView extends ReadContext {
  /** The project that was read. */
  readonly projectId: string;
  /** The environment and masking of the list that contained it, for fields without arguments of their own. */
  readonly environment?: string;
  readonly reveal: boolean;
  /** The effective value that the list included. */
  readonly effective?: EffectiveValueRow | null;
  /** Whether the list contains all parameters of its project. */
  readonly isCompleteList?: boolean;
  /** The values that were loaded for all rows of the list at once. */
  readonly loaded?: LoadedValues;
}

interface LoadedValues {
  readonly pointInTime: Query;
  /** The key is whether secrets are revealed. */
  readonly values: ReadonlyMap<boolean, EffectiveValues>;
}

export interface ValueArgs {
  readonly environment?: string | null;
  readonly reveal?: boolean | null;
}

const ENVIRONMENT = 'Name or id of the environment. Defaults to that of the surrounding list, or to `default`.';
export const REVEAL = 'Reveal the value of a secret instead of `*****`. Defaults to that of the surrounding list.';

type Which = Pick<EffectiveValueKey, 'environment' | 'reveal'>;

/** An empty name counts as absent, as in the REST API. */
function whichValue({ environment, reveal }: ValueArgs, view: Partial<ParameterView>): Which {
  return { environment: environment || view.environment || 'default', reveal: reveal ?? view.reveal ?? false };
}

function isIncluded({ environment, reveal }: Which, view: Partial<ParameterView>): boolean {
  return environment === view.environment && reveal === view.reveal;
}

function requestedValue(
  row: ParameterRow,
  { projectId = parseLinkedId(row.project), isCompleteList = false }: Partial<ParameterView>,
  keyMembers: Pick<EffectiveValueKey, 'environment' | 'reveal' | 'pointInTime' | 'selected'>,
): EffectiveValueKey {
  return { ...keyMembers, projectId, isCompleteList, parameterId: row.id, name: row.name };
}

export function effectiveField(assembly: Assembly) {
  const shape = assembly.shapeNamed('Value');
  return field<ObjectSource<ParameterRow>, ValueArgs>({
    type: shape.type,
    description: 'The effective value in an environment; null if no value is set or inherited.',
    args: {
      environment: { type: GraphQLString, description: ENVIRONMENT },
      reveal: { type: GraphQLBoolean, description: REVEAL },
    },
    resolve: ({ row, view }, args, { loaders }: GatewayContext, info) => {
      const parameterView = view as Partial<ParameterView>;
      const toSource = (valueRow: EffectiveValueRow | null) =>
        valueRow && shape.toSource(valueRow, { pointInTime: view.pointInTime });
      const which = whichValue(args, parameterView);
      if (parameterView.effective !== undefined && isIncluded(which, parameterView))
        return toSource(parameterView.effective);
      const selectedMembers = selectedFields(info);
      const keyAt = (pointInTime: Query) =>
        requestedValue(row, parameterView, { ...which, pointInTime, selected: selectedMembers });
      const load = async (): Promise<EffectiveValueRow | null> => {
        const key = keyAt(await loaders.pinned(view.pointInTime));
        return (await loaders.effectiveBatches.load(key)).row(key);
      };
      const values = parameterView.loaded?.values.get(which.reveal);
      const valueRow = parameterView.loaded && values ? values.row(keyAt(parameterView.loaded.pointInTime)) : load();
      return valueRow instanceof Promise ? valueRow.then(toSource) : toSource(valueRow);
    },
  });
}

/**
 * Loads the values that a document selects below a list of parameters, so that their fields need not wait: hundreds of
 * promises would take longer than the values.
 */
export async function loadEffectiveValues(
  effectiveField: GraphQLField<unknown, unknown>,
  rows: readonly ParameterRow[],
  view: ParameterView,
  { loaders, info }: Pick<ListContext, 'loaders' | 'info'>,
): Promise<LoadedValues | undefined> {
  const nodes = listSelections(info, ['edges', 'node', effectiveField.name]);
  const selections = nodes.flatMap((node) => {
    const requestedValue = whichValue(getArgumentValues(effectiveField, node, info.variableValues), view);
    const selectedMembers = selectedFields({ ...info, fieldNodes: [node] });
    return isIncluded(requestedValue, view) ? [] : [{ which: requestedValue, selected: selectedMembers }];
  });
  if (selections.length === 0 || rows.length === 0) return undefined;
  const pointInTime = await loaders.pinned(view.pointInTime);
  const values = new Map<boolean, Promise<EffectiveValues>>();
  for (const { which, selected } of selections)
    for (const row of rows)
      values.set(
        which.reveal,
        loaders.effectiveBatches.load(requestedValue(row, view, { ...which, pointInTime, selected })),
      );
  const loadedBatches = [...values].map(async ([reveal, batch]) => [reveal, await batch] as const);
  return { pointInTime, values: new Map(await Promise.all(loadedBatches)) };
}
