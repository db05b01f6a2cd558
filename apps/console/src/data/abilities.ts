import { useQuery } from '@tanstack/react-query';
import type { ViewerQuery } from '../graphql/viewer.graphql.ts';
import { viewerQuery } from './session.ts';

export type OwnAbility = ViewerQuery['viewer']['abilities']['abilities'][number];

/** Whether who is signed in may do something in the organization. The core decides; this keeps people from trying in vain. */
export function useMay(ability: OwnAbility): boolean {
  const { data: viewer } = useQuery(viewerQuery);
  return viewer?.abilities.abilities.includes(ability) ?? false;
}

/** What can be done on a project or an environment. */
export type OnScope = ViewerQuery['viewer']['abilities']['scopes'][number]['abilities'][number];

/** What it takes where access is not controlled. */
const WHERE_OPEN: Readonly<Record<OnScope, OwnAbility>> = {
  read: 'read',
  write: 'write_content',
  manage: 'write_content',
  grant: 'manage_grants',
};

/** The same on one project or environment: where its access is controlled a grant counts, for more and for less than the role. */
export function useMayOn(scopeId: string, ability: OnScope): boolean {
  const { data: viewer } = useQuery(viewerQuery);
  if (!viewer) return false;
  const { abilities, scopes } = viewer.abilities;
  const controlled = scopes.find((scope) => scope.scopeId === scopeId);
  return controlled ? controlled.abilities.includes(ability) : abilities.includes(WHERE_OPEN[ability]);
}

/** Whether there is anything at all that who is signed in may change: by their role, or by a grant on a project or environment. */
export function useMayWriteSomewhere(): boolean {
  const { data: viewer } = useQuery(viewerQuery);
  if (!viewer) return false;
  const { abilities, scopes } = viewer.abilities;
  return abilities.includes('write_content') || scopes.some((scope) => scope.abilities.includes('write'));
}
