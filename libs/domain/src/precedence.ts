import type { EnvironmentId, ParameterId, ProjectId, ValueId } from './ids.ts';

/** A row is an explicit value. One that holds null is still a value: it hides what lies above it. */
export interface ValueRow {
  readonly id: ValueId;
  readonly parameterId: ParameterId;
  readonly environmentId: EnvironmentId;
}

/** Where a value is set. */
export type ValuePosition = Pick<ValueRow, 'parameterId' | 'environmentId'>;

/** Explicit values by parameter, then by environment. */
export type ValueIndex<V extends ValuePosition> = ReadonlyMap<ParameterId, ReadonlyMap<EnvironmentId, V>>;

/** The explicit values of one name: those of each of its owners that has any, nearest owner first. */
export type ValuesOfName<V> = readonly ReadonlyMap<EnvironmentId, V>[];

/** Built once per snapshot. Throws when a parameter has two values in one environment (domain.md §2.3). */
export function indexValues<V extends ValueRow>(values: readonly V[]): ValueIndex<V> {
  const index = new Map<ParameterId, Map<EnvironmentId, V>>();
  for (const value of values) {
    let ofParameter = index.get(value.parameterId);
    if (ofParameter === undefined) {
      ofParameter = new Map();
      index.set(value.parameterId, ofParameter);
    }
    if (ofParameter.has(value.environmentId)) {
      throw new Error(`Value ${value.id} is the second one of its parameter and environment.`);
    }
    ofParameter.set(value.environmentId, value);
  }
  return index;
}

/** What the owners of a name set, in the order of the owners. */
export function valuesOfName<V extends ValuePosition>(
  owners: readonly { readonly id: ParameterId }[],
  index: ValueIndex<V>,
): ValuesOfName<V> {
  return owners.flatMap(({ id }) => index.get(id) ?? []);
}

/** What is set for a name in this very environment: the nearest owner's value counts. */
export function valueSetIn<V>(values: ValuesOfName<V>, environmentId: EnvironmentId): V | null {
  for (const ofOwner of values) {
    const value = ofOwner.get(environmentId);
    if (value !== undefined) return value;
  }
  return null;
}

/**
 * Which value applies, in the words of behaviour.md §5.2: the environment and its ancestors outside, the owners of the name
 * inside, so that a parent project's value for `production` beats the project's own value for `default`. `environments` is
 * the lineage, nearest first. Nothing else in the service decides this.
 */
export function valueThatApplies<V>(values: ValuesOfName<V>, environments: readonly EnvironmentId[]): V | null {
  if (values.length === 0) return null;
  for (const environmentId of environments) {
    const value = valueSetIn(values, environmentId);
    if (value !== null) return value;
  }
  return null;
}

/**
 * What comes right behind a value in the order in which values are asked, seen from one project: what would apply where this one
 * does, if it were not there. `environments` is the lineage of the environment that it is set in; null when nothing is behind
 * it. Places that are closed stand for set and unset alike, whether they know the name or not: when one comes first, the answer
 * is `closed`.
 */
export function valueBehind<V extends ValuePosition>(
  { owners, index, projectChain }: SeenName<V>,
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

/** A name as one project sees it. */
export interface SeenName<V extends ValuePosition> {
  /** Nearest first. */
  readonly owners: readonly { readonly id: ParameterId; readonly projectId: ProjectId }[];
  readonly index: ValueIndex<V>;
  /** The project, then the one it depends on, and so on to the top. */
  readonly projectChain: readonly ProjectId[];
}
