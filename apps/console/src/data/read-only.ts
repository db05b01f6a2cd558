import type { ViewerQuery } from '../graphql/viewer.graphql.ts';
import { roleWord } from '../lib/role-word.ts';
import { type AbilityOnScope, mayOnScope } from './write-access.ts';

/** The objects that a page changes. A route declares them, so that the frame of the page can say why a user only reads. */
export interface PageChanges {
  /** The project or environment in the address, every project and environment, or any of them. */
  readonly of: 'project' | 'environment' | 'organization' | 'any';
  readonly needs?: AbilityOnScope;
  /** Completes the sentence that begins with “You can”. */
  readonly otherwise: string;
}

type Viewer = Pick<ViewerQuery['viewer'], 'role' | 'abilities'>;

/**
 * Returns the reason why a user cannot change what a page shows; null if they can, or if they cannot read it either. `scopeId` is the id of
 * the project or environment; null for pages about several.
 */
export function readOnlyReason(viewer: Viewer, changes: PageChanges, scopeId: string | null): string | null {
  const { abilities, scopes } = viewer.abilities;
  const isRestricted = scopes.some((scope) => scope.scopeId === scopeId);
  if (scopeId !== null) {
    if (!mayOnScope(viewer.abilities, scopeId, 'read')) return null;
    if (mayOnScope(viewer.abilities, scopeId, changes.needs ?? 'write')) return null;
  } else {
    if (abilities.includes('write_content')) return null;
    if (changes.of === 'any' && scopes.some((scope) => scope.abilities.includes('write'))) return null;
  }
  const role = roleWord(viewer.role ?? 'none');
  const why = isRestricted
    ? `Access to this ${changes.of} is restricted, and you have no grant to change it.`
    : `Your role is ${role.slice(0, 1).toUpperCase()}${role.slice(1)}.`;
  return `You can ${changes.otherwise}. ${why}`;
}
