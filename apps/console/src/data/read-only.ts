import { ROLES, roleIncludes } from '@strata/domain';
import type { ViewerQuery } from '../graphql/viewer.graphql.ts';
import { roleWord } from '../lib/role-word.ts';
import { type AbilityOnScope, abilityWhereOpen, mayOnScope, type OrganizationAbility } from './write-access.ts';

/** The objects that a page changes. A route declares them, so that the frame of the page can say why a user only reads. */
export type PageChanges = ChangesInScopes | ChangesInOrganization;

interface ChangesInScopes {
  /** The project or environment in the address, or any project or environment. */
  readonly of: 'project' | 'environment' | 'any';
  readonly needs?: AbilityOnScope;
  /** Completes the sentence that begins with “You can”. */
  readonly otherwise: string;
}

interface ChangesInOrganization {
  readonly of: 'organization';
  readonly needs?: OrganizationAbility;
  readonly otherwise: string;
}

type Viewer = Pick<ViewerQuery['viewer'], 'role' | 'abilities' | 'organization'>;

/**
 * Returns the reason why a user cannot change what a page shows; null if they can, or if they cannot read it either. `scopeId` is the id of
 * the project or environment; null for pages about several.
 */
export function readOnlyReason(viewer: Viewer, changes: PageChanges, scopeId: string | null): string | null {
  const { abilities, scopes } = viewer.abilities;
  const ability = abilityFor(changes);
  const isRestricted = scopes.some((scope) => scope.scopeId === scopeId);
  if (scopeId !== null && !mayOnScope(viewer.abilities, scopeId, 'read')) return null;
  const otherwise = `You can ${changes.otherwise}.`;
  if (viewer.organization?.maintenance) return `${otherwise} The organization is in maintenance.`;
  if (isRestricted) {
    const isGranted = changes.of !== 'organization' && mayOnScope(viewer.abilities, scopeId ?? '', neededOn(changes));
    return isGranted
      ? null
      : `${otherwise} Access to this ${changes.of} is restricted, and you have no grant to change it.`;
  }
  if (abilities.includes(ability)) return null;
  if (changes.of === 'any' && scopes.some((scope) => scope.abilities.includes(neededOn(changes)))) return null;
  return `${otherwise} Your role is ${capitalized(viewer.role ?? 'none')}. Changes require ${rolesWith(ability)}.`;
}

const neededOn = ({ needs = 'write' }: ChangesInScopes): AbilityOnScope => needs;

const abilityFor = (changes: PageChanges): OrganizationAbility =>
  changes.of === 'organization' ? (changes.needs ?? 'write_content') : abilityWhereOpen(neededOn(changes));

function rolesWith(ability: OrganizationAbility): string {
  const lowest = ROLES.find((role) => roleIncludes(role, ability)) ?? 'OWNER';
  return lowest === 'OWNER' ? capitalized(lowest) : `${capitalized(lowest)} or a higher role`;
}

function capitalized(role: string): string {
  const word = roleWord(role);
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
