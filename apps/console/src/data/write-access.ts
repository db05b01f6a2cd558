import type { ViewerQuery } from '../graphql/viewer.graphql.ts';

/**
 * Whether somebody may set values of a project in an environment, or in any that is open to all: the project decides, by a grant where its access is controlled
 * and by the role elsewhere; an environment whose access is controlled must allow it, too. The core decides; this only keeps
 * people from trying in vain.
 */
export function mayWrite(
  viewer: ViewerQuery['viewer'] | undefined,
  { projectId, environmentId }: { readonly projectId: string; readonly environmentId?: string },
): boolean {
  if (!viewer) return false;
  const { abilities, scopes } = viewer.abilities;
  const granted = (id: string | undefined) => scopes.find(({ scopeId }) => scopeId === id)?.abilities.includes('write');
  return (granted(projectId) ?? abilities.includes('write_content')) && (granted(environmentId) ?? true);
}
