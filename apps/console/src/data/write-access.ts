import type { ViewerQuery } from '../graphql/viewer.graphql.ts';

/**
 * Returns whether the user may set values of a project in an environment, or in any environment without access control. The project
 * decides by a grant if it has access control, otherwise by the role. An environment with access control must allow it, too. The core
 * decides; this only hides useless actions.
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
