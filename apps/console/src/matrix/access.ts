import type { ViewerQuery } from '../session/viewer.graphql.ts';

/** Whether somebody may set values of a project in an environment. The core decides; this only keeps people from trying in vain. */
export function mayWrite(viewer: ViewerQuery['viewer'] | undefined, scopeIds: readonly string[]): boolean {
  if (!viewer) return false;
  const { abilities, scopes } = viewer.abilities;
  const controlled = scopes.filter(({ scopeId }) => scopeIds.includes(scopeId));
  return controlled.length > 0
    ? controlled.every((scope) => scope.abilities.includes('write'))
    : abilities.includes('write_content');
}
