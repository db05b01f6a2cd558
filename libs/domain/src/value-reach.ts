import type { EnvironmentId, ParameterId } from './ids.ts';
import { type ValuePosition, valueSetIn, valuesOfName } from './precedence.ts';
import type { EnvironmentNode } from './resolution.ts';

/** One name of one project at one point in time. */
export interface ReachInputs<E extends EnvironmentNode = EnvironmentNode> {
  /** All environments of the organization, in any order. */
  readonly environments: readonly E[];
  /** Every parameter of that name along the project's chain, nearest first. */
  readonly owners: readonly ParameterId[];
  /** Where each owner has an explicit value. */
  readonly values: readonly ValuePosition[];
}

/**
 * The environments in which a value that is set, was changed or is about to be removed is the effective one, and so those that see it change: its own first, then the
 * descendants that inherit from there (behaviour.md §5.2, §7.4). None when a nearer parameter's value lies over it.
 */
export function environmentsReached<E extends EnvironmentNode>(
  { environments, owners, values }: ReachInputs<E>,
  setting: ValuePosition,
): readonly E[] {
  const index = new Map<ParameterId, Map<EnvironmentId, ValuePosition>>();
  for (const value of [...values, setting]) {
    const ofParameter = index.get(value.parameterId) ?? new Map<EnvironmentId, ValuePosition>();
    index.set(value.parameterId, ofParameter.set(value.environmentId, value));
  }
  const ofName = valuesOfName(
    owners.map((id) => ({ id })),
    index,
  );
  const own = environments.find(({ id }) => id === setting.environmentId);
  if (!own || valueSetIn(ofName, own.id)?.parameterId !== setting.parameterId) return [];

  const children = Map.groupBy(environments, ({ parentId }) => parentId);
  const reached = [own];
  const seen = new Set([own.id]);
  for (const environment of reached) {
    for (const child of children.get(environment.id) ?? []) {
      if (seen.has(child.id) || valueSetIn(ofName, child.id) !== null) continue;
      seen.add(child.id);
      reached.push(child);
    }
  }
  return reached;
}
