import type { EnvironmentId, ParameterId } from './ids.ts';
import { indexValues, type ValueIndex, type ValuePosition, type ValueRow } from './precedence.ts';
import {
  effectiveValue,
  type ParameterRow,
  type ProjectNode,
  type VisibleParameter,
  visibleParameters,
} from './resolution.ts';

/** What one project shows in one environment, with all that it takes to follow what is written there. */
export interface EffectiveView<P extends ParameterRow = ParameterRow, V extends ValueRow = ValueRow> {
  /** The environment, its parent, and so on to the root. */
  readonly lineage: readonly EnvironmentId[];
  /** One entry for each visible name, in human order. */
  readonly visible: readonly VisibleParameter<P>[];
  /** The effective values, in the order of `visible`. */
  readonly found: readonly (V | null)[];
  /** Where in `visible` the name of a parameter is, overridden parameters included. */
  readonly positions: ReadonlyMap<ParameterId, number>;
  /** What is set in the environments of the lineage. */
  readonly values: ValueIndex<V>;
}

/** A value that was set or changed; null when it was removed. */
export interface ValueWrite<V extends ValueRow = ValueRow> extends ValuePosition {
  readonly value: V | null;
}

export interface EffectiveRows<P extends ParameterRow, V extends ValueRow> {
  readonly lineage: readonly EnvironmentId[];
  readonly projectChain: readonly Pick<ProjectNode, 'id'>[];
  /** Parameters of at least these projects. */
  readonly parameters: readonly P[];
  /** Their values in at least the environments of the lineage. */
  readonly values: readonly V[];
}

/** The view of a project from the environment with which `lineage` begins. */
export function effectiveView<P extends ParameterRow, V extends ValueRow>({
  lineage,
  projectChain,
  parameters,
  values: rows,
}: EffectiveRows<P, V>): EffectiveView<P, V> {
  const visible = visibleParameters(projectChain, parameters);
  const positions = new Map(visible.flatMap(({ owners }, position) => owners.map(({ id }) => [id, position] as const)));
  const above = new Set(lineage);
  const values = indexValues(rows.filter(({ environmentId }) => above.has(environmentId)));
  const found = visible.map(({ owners }) => effectiveValue(owners, lineage, values));
  return { lineage, visible, found, positions, values };
}

/**
 * The same view after some writes, in the order in which they were made: no more than the names that they touch is resolved
 * again. The very view it was given when they do not show in it.
 */
export function afterWrites<P extends ParameterRow, V extends ValueRow>(
  view: EffectiveView<P, V>,
  writes: readonly ValueWrite<V>[],
): EffectiveView<P, V> {
  const seen = writes.filter(
    ({ parameterId, environmentId }) => view.positions.has(parameterId) && view.lineage.includes(environmentId),
  );
  if (seen.length === 0) return view;
  const values = indexAfter(view.values, seen);
  const found = [...view.found];
  let isSame = true;
  for (const position of new Set(seen.map(({ parameterId }) => view.positions.get(parameterId) ?? -1))) {
    const value = effectiveValue(view.visible[position]?.owners ?? [], view.lineage, values);
    isSame &&= value === found[position];
    found[position] = value;
  }
  return { ...view, values, found: isSame ? view.found : found };
}

/** An index with some values set, changed or removed. What it was made of stays as it is. */
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
