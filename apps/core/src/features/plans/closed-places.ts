import { canOnScope, type Permissions } from '@strata/domain';
import { chainOf } from '../snapshot/lookup.ts';
import type { Affected } from './affected-areas.ts';
import type { RawState } from './effective-states.ts';

/**
 * How many projects and environments lie at or below what changes and are closed to who asks. Only what hangs below counts: what
 * says something of it there is not for who asks to know.
 */
export function closedPlaces(
  { projects, environments }: Pick<Affected, 'projects' | 'environments'>,
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
