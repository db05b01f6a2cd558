import { CONTENT_TYPES, type ObjectType, TYPES_BESIDE_VALUES } from '@strata/domain';
import type { Caller } from '../../platform/caller.ts';
import type { Change } from '../../platform/ledger/change.ts';
import type { IgnoredLocation } from '../../platform/ledger/forbidden-values.ts';

/** Returns whether a value was deleted together with its parameter, project or environment. */
export function isCascaded({ objectType, action, eventType }: Change): boolean {
  return objectType === 'Value' && action === 'delete' && eventType === null;
}

/** Returns the location whose values are deleted with it, or null if the change deletes no such location. */
export function locationOfDeletion({ objectType, action, object, project }: Change): IgnoredLocation | null {
  if (action !== 'delete') return null;
  if (objectType === 'Parameter') return { project: project?.name ?? null, environment: null, name: object.name };
  return objectType === 'Environment' ? { project: null, environment: object.name, name: '*' } : null;
}

/** Types of objects that do not affect permissions. */
const TYPES_WITHOUT_PERMISSIONS: readonly ObjectType[] = [...CONTENT_TYPES, ...TYPES_BESIDE_VALUES, 'Tag'];

/**
 * Returns whether the changes may affect permissions. A created or moved project or environment affects them only if a
 * scope is controlled. A restored one needs no check of its own, because the same write also changes its grants.
 */
export function mayMovePermissions({ scopes }: Caller, changes: readonly Change[]): boolean {
  const types = changes.map(({ objectType }) => objectType).filter((type) => !TYPES_WITHOUT_PERMISSIONS.includes(type));
  return scopes.size > 0 ? types.length > 0 : types.some((type) => type !== 'Environment' && type !== 'Project');
}
