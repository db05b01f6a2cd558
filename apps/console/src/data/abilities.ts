import { useQuery } from '@tanstack/react-query';
import type { ViewerQuery } from '../graphql/viewer.graphql.ts';
import { viewerQuery } from './session.ts';

export type OrganizationAbility = ViewerQuery['viewer']['abilities']['abilities'][number];

/** Returns whether the user may do something in the organization. The core decides; this only hides useless actions. */
export function useAbility(ability: OrganizationAbility): boolean {
  const { data: viewer } = useQuery(viewerQuery);
  return viewer?.abilities.abilities.includes(ability) ?? false;
}

/** The actions on a project or an environment. */
export type AbilityOnScope = ViewerQuery['viewer']['abilities']['scopes'][number]['abilities'][number];

/** The ability that each action requires without access control. */
const WHERE_OPEN: Readonly<Record<AbilityOnScope, OrganizationAbility>> = {
  read: 'read',
  write: 'write_content',
  manage: 'write_content',
  grant: 'manage_grants',
};

/** Returns whether the user may do something on one project or environment. With access control, the grant decides instead of the role. */
export function useScopeAbility(scopeId: string, ability: AbilityOnScope): boolean {
  const { data: viewer } = useQuery(viewerQuery);
  if (!viewer) return false;
  const { abilities, scopes } = viewer.abilities;
  const controlled = scopes.find((scope) => scope.scopeId === scopeId);
  return controlled ? controlled.abilities.includes(ability) : abilities.includes(WHERE_OPEN[ability]);
}

/** Returns whether the user may change anything, by their role or by a grant. */
export function useCanWriteAnyScope(): boolean {
  const { data: viewer } = useQuery(viewerQuery);
  if (!viewer) return false;
  const { abilities, scopes } = viewer.abilities;
  return abilities.includes('write_content') || scopes.some((scope) => scope.abilities.includes('write'));
}
