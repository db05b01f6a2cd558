import { canOnScope, type Permissions } from '@strata/domain';
import { findProjectChain } from '../snapshot/lookup.ts';
import type { AffectedByPlan } from './affected-areas.ts';
import type { RawState } from './effective-states.ts';

/**
 * Returns how many of the changed projects and environments, including their descendants, the caller may not read.
 * Leaves out projects that only refer to changed names, because their number would reveal references that the caller
 * may not know.
 */
export function forbiddenCells(
  { projects, environments }: Pick<AffectedByPlan, 'projects' | 'environments'>,
  states: readonly RawState[],
  permissions: Permissions,
): { readonly projects: number; readonly environments: number } {
  const isForbidden = (id: string) => !canOnScope(permissions, 'read', id);
  const snapshots = states.flatMap(({ areas }) => areas.map(({ snapshot }) => snapshot));
  const dependentProjects = snapshots.flatMap((snapshot) =>
    snapshot.projects.filter(
      ({ id }) => isForbidden(id) && findProjectChain(snapshot, id).some((ancestor) => projects.has(ancestor.id)),
    ),
  );
  return {
    projects: new Set(dependentProjects.map(({ id }) => id)).size,
    environments: [...environments].filter(isForbidden).length,
  };
}
