import type { ViewerQuery } from '../graphql/viewer.graphql.ts';

/**
 * Returns whether the user may set values of a project in an environment; without an environment, in any one without access control. If the
 * project has access control, the grant decides, otherwise the role. An environment with access control must also allow it. The core
 * enforces permissions; the console only hides actions that would fail.
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
