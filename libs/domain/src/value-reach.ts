import type { EnvironmentId, ParameterId } from './ids.ts';
import type { EnvironmentNode, ValueRow } from './resolution.ts';

/** One name of one project at one point in time. */
export interface Scene<E extends EnvironmentNode = EnvironmentNode> {
  /** All environments of the organization, in any order. */
  readonly environments: readonly E[];
  /** Every parameter of that name along the project's chain, nearest first. */
  readonly owners: readonly ParameterId[];
  /** Where each owner has an explicit value. */
  readonly values: readonly Pick<ValueRow, 'parameterId' | 'environmentId'>[];
}

/** A value that is set, was changed, or is about to be removed. */
export type Setting = Pick<ValueRow, 'parameterId' | 'environmentId'>;

/**
 * The environments in which this value is the effective one, and so those that see it change: its own first, then the
 * descendants that inherit from there (behaviour.md §5.2, §7.4). None when a nearer parameter's value lies over it.
 */
export function environmentsReached<E extends EnvironmentNode>(
  { environments, owners, values }: Scene<E>,
  { parameterId, environmentId }: Setting,
): readonly E[] {
  const own = environments.find(({ id }) => id === environmentId);
  const known = new Set(owners);
  const setBy = new Map<EnvironmentId, Set<ParameterId>>();
  for (const value of values) {
    if (!known.has(value.parameterId)) continue;
    const setters = setBy.get(value.environmentId);
    if (setters) setters.add(value.parameterId);
    else setBy.set(value.environmentId, new Set([value.parameterId]));
  }
  const nearest = owners.find((owner) => owner === parameterId || setBy.get(environmentId)?.has(owner));
  if (!own || nearest !== parameterId) return [];

  const children = new Map<EnvironmentId, E[]>();
  for (const environment of environments) {
    if (environment.parentId === null) continue;
    const siblings = children.get(environment.parentId);
    if (siblings) siblings.push(environment);
    else children.set(environment.parentId, [environment]);
  }
  const reached = [own];
  const seen = new Set([own.id]);
  for (const environment of reached) {
    for (const child of children.get(environment.id) ?? []) {
      if (setBy.has(child.id) || seen.has(child.id)) continue;
      seen.add(child.id);
      reached.push(child);
    }
  }
  return reached;
}
