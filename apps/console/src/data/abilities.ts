import { useQuery } from '@tanstack/react-query';
import { viewerQuery } from './session.ts';
import { type AbilityOnScope, mayOnScope, type OrganizationAbility } from './write-access.ts';

/**
 * Returns whether the user has an ability in the organization. The core enforces permissions; the console only hides actions that would
 * fail.
 */
export function useAbility(ability: OrganizationAbility): boolean {
  const { data: viewer } = useQuery(viewerQuery);
  return viewer?.abilities.abilities.includes(ability) ?? false;
}

/** Returns whether responses may show secrets to the user. */
export function useMayReveal(): boolean {
  const { data: viewer } = useQuery(viewerQuery);
  return viewer?.abilities.revealsSecrets ?? false;
}

/** Returns whether the user may run an action on a project or an environment. */
export function useScopeAbility(scopeId: string, ability: AbilityOnScope): boolean {
  const { data: viewer } = useQuery(viewerQuery);
  return viewer !== undefined && mayOnScope(viewer.abilities, scopeId, ability);
}

/** Returns whether the user may change anything, according to their role or a grant. */
export function useCanWriteAnyScope(): boolean {
  const { data: viewer } = useQuery(viewerQuery);
  if (!viewer) return false;
  const { abilities, scopes } = viewer.abilities;
  return abilities.includes('write_content') || scopes.some((scope) => scope.abilities.includes('write'));
}
