import type { EnvironmentId, ParameterId } from './ids.ts';
import { indexValues, type ValueIndex, type ValuePosition, type ValueRow } from './precedence.ts';
import {
  effectiveValue,
  type ParameterRow,
  type ProjectNode,
  type VisibleParameter,
  visibleParameters,
} from './resolution.ts';

/** The effective values of one project in one environment, with everything that is needed to apply later writes. */
export interface EffectiveView<P extends ParameterRow = ParameterRow, V extends ValueRow = ValueRow> {
  /** The environment, then its parent, and so on to the root. */
  readonly lineage: readonly EnvironmentId[];
  /** One entry per visible name, in human order. */
  readonly visible: readonly VisibleParameter<P>[];
  /** The effective values, in the order of `visible`. */
  readonly effective: readonly (V | null)[];
  /** The index in `visible` of each parameter's name. Overridden parameters are included. */
  readonly positions: ReadonlyMap<ParameterId, number>;
  /** The explicit values in the environments of the lineage. */
  readonly values: ValueIndex<V>;
}

/** A value that was set or changed; null if it was removed. */
export interface ValueWrite<V extends ValueRow = ValueRow> extends ValuePosition {
  readonly value: V | null;
}

interface EffectiveRows<P extends ParameterRow, V extends ValueRow> {
  readonly lineage: readonly EnvironmentId[];
  readonly projectChain: readonly Pick<ProjectNode, 'id'>[];
  /** Must include the parameters of these projects; parameters of other projects are ignored. */
  readonly parameters: readonly P[];
  /** Must include the values of these projects in the environments of the lineage; other values are ignored. */
  readonly values: readonly V[];
}

/** Returns the view of a project in the first environment of `lineage`. */
export function effectiveView<P extends ParameterRow, V extends ValueRow>({
  lineage,
  projectChain,
  parameters,
  values: rows,
}: EffectiveRows<P, V>): EffectiveView<P, V> {
  const visibleRows = visibleParameters(projectChain, parameters);
  const positions = new Map(
    visibleRows.flatMap(({ owners }, position) => owners.map(({ id }) => [id, position] as const)),
  );
  const ancestors = new Set(lineage);
  const values = indexValues(rows.filter(({ environmentId }) => ancestors.has(environmentId)));
  const effectiveValues = visibleRows.map(({ owners }) => effectiveValue(owners, lineage, values));
  return { lineage, visible: visibleRows, effective: effectiveValues, positions, values };
}

/**
 * Returns the view after some writes, in the order of the writes. Only the names that they change are resolved again.
 * Returns the same object if the writes do not affect it.
 */
export function viewAfter<P extends ParameterRow, V extends ValueRow>(
  view: EffectiveView<P, V>,
  writes: readonly ValueWrite<V>[],
): EffectiveView<P, V> {
  const visibleWrites = writes.filter(
    ({ parameterId, environmentId }) => view.positions.has(parameterId) && view.lineage.includes(environmentId),
  );
  if (visibleWrites.length === 0) return view;
  const values = indexAfter(view.values, visibleWrites);
  const effectiveValues = [...view.effective];
  let isSame = true;
  for (const position of new Set(visibleWrites.map(({ parameterId }) => view.positions.get(parameterId) ?? -1))) {
    const value = effectiveValue(view.visible[position]?.owners ?? [], view.lineage, values);
    isSame &&= value === effectiveValues[position];
    effectiveValues[position] = value;
  }
  return { ...view, values, effective: isSame ? view.effective : effectiveValues };
}

/** Returns an index with some values set, changed or removed. The original index is not changed. */
export function indexAfter<V extends ValueRow>(index: ValueIndex<V>, writes: readonly ValueWrite<V>[]): ValueIndex<V> {
  const after = new Map(index);
  const touchedValues = new Map<ParameterId, Map<EnvironmentId, V>>();
  for (const { parameterId, environmentId, value } of writes) {
    const valuesOfParameter = touchedValues.get(parameterId) ?? new Map(index.get(parameterId));
    touchedValues.set(parameterId, valuesOfParameter);
    after.set(parameterId, valuesOfParameter);
    if (value === null) valuesOfParameter.delete(environmentId);
    else valuesOfParameter.set(environmentId, value);
  }
  return after;
}
