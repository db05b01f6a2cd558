import { canOnScope, type Permissions } from '@strata/domain';
import { chainOf } from '../snapshot/lookup.ts';
import type { AffectedByPlan } from './affected-areas.ts';
import type { RawState } from './effective-states.ts';

/**
 * Returns how many projects and environments at or below the changed ones the caller may not read. Other projects that depend on the
 * changes do not count, because their number would reveal references that the caller may not know.
 */
export function forbiddenCells(
  { projects, environments }: Pick<AffectedByPlan, 'projects' | 'environments'>,
  states: readonly RawState[],
  permissions: Permissions,
): { readonly projects: number; readonly environments: number } {
  const isClosed = (id: string) => !canOnScope(permissions, 'read', id);
  const snapshots = states.flatMap(({ areas }) => areas.map(({ snapshot }) => snapshot));
  const below = snapshots.flatMap((snapshot) =>
    snapshot.projects.filter(({ id }) => isClosed(id) && chainOf(snapshot, id).some((above) => projects.has(above.id))),
  );
  return {
    projects: new Set(below.map(({ id }) => id)).size,
    environments: [...environments].filter(isClosed).length,
  };
}
