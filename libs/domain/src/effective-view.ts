import type { EnvironmentId, ParameterId } from './ids.ts';
import {
  type ParameterRow,
  type ProjectNode,
  type ValueRow,
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
  readonly places: ReadonlyMap<ParameterId, number>;
  /** Of each parameter the nearest value, as seen from the environment. */
  readonly nearest: ReadonlyMap<ParameterId, V>;
}

/** A value that was set or changed; null when it was removed. */
export interface ValueWrite<V extends ValueRow = ValueRow> {
  readonly parameterId: ParameterId;
  readonly environmentId: EnvironmentId;
  readonly value: V | null;
}

export interface EffectiveRows<P extends ParameterRow, V extends ValueRow> {
  readonly lineage: readonly EnvironmentId[];
  readonly projectChain: readonly ProjectNode[];
  /** Parameters of at least these projects. */
  readonly parameters: readonly P[];
  /** At least the nearest value of each of them, as seen from the environment. */
  readonly values: readonly V[];
}

/** The view of a project from the environment with which `lineage` begins. */
export function effectiveView<P extends ParameterRow, V extends ValueRow>({
  lineage,
  projectChain,
  parameters,
  values,
}: EffectiveRows<P, V>): EffectiveView<P, V> {
  const visible = visibleParameters(projectChain, parameters);
  const places = new Map(visible.flatMap(({ owners }, place) => owners.map(({ id }) => [id, place] as const)));
  const distance = distanceIn(lineage);
  const nearest = new Map<ParameterId, V>();
  for (const value of values) {
    if (distance(value) < distance(nearest.get(value.parameterId))) nearest.set(value.parameterId, value);
  }
  const found = visible.map(({ owners }) => effectiveOf(owners, nearest, distance));
  return { lineage, visible, found, places, nearest };
}

/**
 * The same view after some writes, in the order in which they were made: no more than the names that they touch is resolved
 * again. The very view it was given when they do not show in it, and null when it must be made anew, since what a removed
 * value covered is not known.
 */
export function afterWrites<P extends ParameterRow, V extends ValueRow>(
  view: EffectiveView<P, V>,
  writes: readonly ValueWrite<V>[],
): EffectiveView<P, V> | null {
  const distance = distanceIn(view.lineage);
  const written = new Map<ParameterId, V>();
  for (const write of writes) {
    const { parameterId, value } = write;
    if (!view.places.has(parameterId)) continue;
    const known = distance(written.get(parameterId) ?? view.nearest.get(parameterId));
    const here = distance(write);
    if (here === Number.POSITIVE_INFINITY || here > known) continue;
    if (value) written.set(parameterId, value);
    else if (here === known) return null;
  }
  if (written.size === 0) return view;
  const nearest = new Map(view.nearest);
  for (const [parameterId, value] of written) nearest.set(parameterId, value);
  const found = [...view.found];
  for (const parameterId of written.keys()) {
    const place = view.places.get(parameterId) ?? -1;
    found[place] = effectiveOf(view.visible[place]?.owners ?? [], nearest, distance);
  }
  return { ...view, nearest, found };
}

type Distance = (value: Pick<ValueRow, 'environmentId'> | undefined) => number;

/** How far above the environment a value is set; infinitely far when it is not set above at all. */
function distanceIn(lineage: readonly EnvironmentId[]): Distance {
  return (value) => {
    const steps = value ? lineage.indexOf(value.environmentId) : -1;
    return steps < 0 ? Number.POSITIVE_INFINITY : steps;
  };
}

/** Environments count before projects: among values that are equally near, the nearest owner's (behaviour.md §5.2). */
function effectiveOf<V extends ValueRow>(
  owners: readonly ParameterRow[],
  nearest: ReadonlyMap<ParameterId, V>,
  distance: Distance,
): V | null {
  let best: V | undefined;
  for (const { id } of owners) {
    const value = nearest.get(id);
    if (distance(value) < distance(best)) best = value;
  }
  return best ?? null;
}
