import type { EnvironmentId, ParameterId } from './ids.ts';
import { findValue, type ValuePosition, valuesOfName } from './precedence.ts';
import type { EnvironmentNode } from './resolution.ts';

/** One name in one project at one point in time. */
interface ReachInputs<E extends EnvironmentNode = EnvironmentNode> {
  /** All environments of the organization, in any order. */
  readonly environments: readonly E[];
  /** Every parameter of that name along the project chain, nearest first. */
  readonly owners: readonly ParameterId[];
  /** The cells in which the owners have explicit values. */
  readonly values: readonly ValuePosition[];
}

/**
 * Returns the environments in which a value is effective: its own first, then the descendants that inherit it
 * (behaviour.md §5.2, §7.4). The effective value of these environments changes when the value is set, changed or
 * removed. Returns none if a value of a nearer parameter overrides it.
 */
export function listEnvironmentsReached<E extends EnvironmentNode>(
  { environments, owners, values }: ReachInputs<E>,
  setting: ValuePosition,
): readonly E[] {
  const index = new Map<ParameterId, Map<EnvironmentId, ValuePosition>>();
  for (const value of [...values, setting]) {
    const valuesOfParameter = index.get(value.parameterId) ?? new Map<EnvironmentId, ValuePosition>();
    index.set(value.parameterId, valuesOfParameter.set(value.environmentId, value));
  }
  const ofName = valuesOfName(
    owners.map((id) => ({ id })),
    index,
  );
  const start = environments.find(({ id }) => id === setting.environmentId);
  if (!start || findValue(ofName, start.id)?.parameterId !== setting.parameterId) return [];

  const children = Map.groupBy(environments, ({ parentId }) => parentId);
  const reachedEnvironments = [start];
  const seenIds = new Set([start.id]);
  for (const environment of reachedEnvironments) {
    for (const child of children.get(environment.id) ?? []) {
      if (seenIds.has(child.id) || findValue(ofName, child.id) !== null) continue;
      seenIds.add(child.id);
      reachedEnvironments.push(child);
    }
  }
  return reachedEnvironments;
}
