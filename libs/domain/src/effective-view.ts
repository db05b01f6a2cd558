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
  const visible = visibleParameters(projectChain, parameters);
  const positions = new Map(visible.flatMap(({ owners }, position) => owners.map(({ id }) => [id, position] as const)));
  const ancestors = new Set(lineage);
  const values = indexValues(rows.filter(({ environmentId }) => ancestors.has(environmentId)));
  const effective = visible.map(({ owners }) => effectiveValue(owners, lineage, values));
  return { lineage, visible, effective, positions, values };
}

/**
 * Returns the view after some writes, in the order of the writes. Only the names that they change are resolved again.
 * Returns the same object if the writes do not affect it.
 */
export function viewAfter<P extends ParameterRow, V extends ValueRow>(
  view: EffectiveView<P, V>,
  writes: readonly ValueWrite<V>[],
): EffectiveView<P, V> {
  const seen = writes.filter(
    ({ parameterId, environmentId }) => view.positions.has(parameterId) && view.lineage.includes(environmentId),
  );
  if (seen.length === 0) return view;
  const values = indexAfter(view.values, seen);
  const effective = [...view.effective];
  let isSame = true;
  for (const position of new Set(seen.map(({ parameterId }) => view.positions.get(parameterId) ?? -1))) {
    const value = effectiveValue(view.visible[position]?.owners ?? [], view.lineage, values);
    isSame &&= value === effective[position];
    effective[position] = value;
  }
  return { ...view, values, effective: isSame ? view.effective : effective };
}

/** Returns an index with some values set, changed or removed. The original index is not changed. */
export function indexAfter<V extends ValueRow>(index: ValueIndex<V>, writes: readonly ValueWrite<V>[]): ValueIndex<V> {
  const after = new Map(index);
  const touched = new Map<ParameterId, Map<EnvironmentId, V>>();
  for (const { parameterId, environmentId, value } of writes) {
    const ofParameter = touched.get(parameterId) ?? new Map(index.get(parameterId));
    touched.set(parameterId, ofParameter);
    after.set(parameterId, ofParameter);
    if (value === null) ofParameter.delete(environmentId);
    else ofParameter.set(environmentId, value);
  }
  return after;
}
