import { useQuery } from '@tanstack/react-query';
import { viewerQuery } from './session.ts';
import type { ViewerQuery } from './viewer.graphql.ts';

export type OwnAbility = ViewerQuery['viewer']['abilities']['abilities'][number];

/** Whether who is signed in may do something in the organization. The core decides; this keeps people from trying in vain. */
export function useMay(ability: OwnAbility): boolean {
  const { data: viewer } = useQuery(viewerQuery);
  return viewer?.abilities.abilities.includes(ability) ?? false;
}

/** Whether there is anything at all that who is signed in may change: by their role, or by a grant on a project or environment. */
export function useMayWriteSomewhere(): boolean {
  const { data: viewer } = useQuery(viewerQuery);
  if (!viewer) return false;
  const { abilities, scopes } = viewer.abilities;
  return abilities.includes('write_content') || scopes.some((scope) => scope.abilities.includes('write'));
}
