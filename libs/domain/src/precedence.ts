import type { EnvironmentId, ParameterId, ProjectId, ValueId } from './ids.ts';

/** A row is an explicit value, even if it holds null: an explicit null overrides inherited values. */
export interface ValueRow {
  readonly id: ValueId;
  readonly parameterId: ParameterId;
  readonly environmentId: EnvironmentId;
}

/** The parameter and the environment of a value. */
export type ValuePosition = Pick<ValueRow, 'parameterId' | 'environmentId'>;

/** Explicit values by parameter, then by environment. */
export type ValueIndex<V extends ValuePosition> = ReadonlyMap<ParameterId, ReadonlyMap<EnvironmentId, V>>;

/** The explicit values of one name: those of each owner that has any, nearest owner first. */
export type ValuesOfName<V> = readonly ReadonlyMap<EnvironmentId, V>[];

/** Builds the index once per snapshot. Throws if a parameter has two values in one environment (domain.md §2.3). */
export function indexValues<V extends ValueRow>(values: readonly V[]): ValueIndex<V> {
  const index = new Map<ParameterId, Map<EnvironmentId, V>>();
  for (const value of values) {
    let valuesOfParameter = index.get(value.parameterId);
    if (valuesOfParameter === undefined) {
      valuesOfParameter = new Map();
      index.set(value.parameterId, valuesOfParameter);
    }
    if (valuesOfParameter.has(value.environmentId)) {
      throw new Error(`Value ${value.id} is the second one of its parameter and environment.`);
    }
    valuesOfParameter.set(value.environmentId, value);
  }
  return index;
}

/** Returns the explicit values of the owners of a name, in the order of the owners. */
export function valuesOfName<V extends ValuePosition>(
  owners: readonly { readonly id: ParameterId }[],
  index: ValueIndex<V>,
): ValuesOfName<V> {
  return owners.flatMap(({ id }) => index.get(id) ?? []);
}

/** Returns the explicit value of a name in this environment: that of the nearest owner. */
export function findValue<V>(values: ValuesOfName<V>, environmentId: EnvironmentId): V | null {
  for (const ofOwner of values) {
    const value = ofOwner.get(environmentId);
    if (value !== undefined) return value;
  }
  return null;
}

/**
 * Returns the effective value as behaviour.md §5.2 defines it. The outer loop visits the environment and its ancestors,
 * the inner one the owners of the name. A parent project's value for `production` therefore takes precedence over the
 * project's own value for `default`. `environments` is the lineage, nearest first. No other code in the service decides
 * this.
 */
export function effectiveValueOfName<V>(values: ValuesOfName<V>, environments: readonly EnvironmentId[]): V | null {
  if (values.length === 0) return null;
  for (const environmentId of environments) {
    const value = findValue(values, environmentId);
    if (value !== null) return value;
  }
  return null;
}

/**
 * Yields the cells that resolution checks for a name, in the order of `effectiveValueOfName`. Code that needs the cells
 * themselves must use this order and not define another one.
 */
export function* locationsInOrder(
  environments: readonly EnvironmentId[],
  projectChain: readonly ProjectId[],
): Generator<{ readonly environmentId: EnvironmentId; readonly projectId: ProjectId }, void> {
  for (const environmentId of environments) {
    for (const projectId of projectChain) yield { environmentId, projectId };
  }
}

/**
 * Returns the value that would become effective for one project if a value were removed. `environments` is the lineage
 * of the value's environment. Returns null if there is no other value. Returns `closed` if a forbidden scope is checked
 * first, whether or not it has a value for the name, so that the result does not reveal it.
 */
export function nextEffectiveValue<V extends ValuePosition>(
  { owners, index, projectChain }: NameOwners<V>,
  environments: readonly EnvironmentId[],
  parameterId: ParameterId,
  isClosed: (scope: EnvironmentId | ProjectId) => boolean,
): V | 'closed' | null {
  const ownerIn = new Map(owners.map(({ id, projectId }) => [projectId, id]));
  const farther = projectChain.slice(projectChain.findIndex((projectId) => ownerIn.get(projectId) === parameterId) + 1);
  for (const [distance, environmentId] of environments.entries()) {
    for (const projectId of distance === 0 ? farther : projectChain) {
      if (isClosed(environmentId) || isClosed(projectId)) return 'closed';
      const value = index.get(ownerIn.get(projectId) ?? '')?.get(environmentId);
      if (value !== undefined) return value;
    }
  }
  return null;
}

/** A name of one project, with its owners. */
export interface NameOwners<V extends ValuePosition> {
  /** The owners, nearest first. */
  readonly owners: readonly { readonly id: ParameterId; readonly projectId: ProjectId }[];
  readonly index: ValueIndex<V>;
  /** The project, then the one it depends on, and so on to the top. */
  readonly projectChain: readonly ProjectId[];
}
