import type { ViewerQuery } from '../graphql/viewer.graphql.ts';

type Abilities = ViewerQuery['viewer']['abilities'];
export type OrganizationAbility = Abilities['abilities'][number];

/** The actions on a project or an environment. */
export type AbilityOnScope = Abilities['scopes'][number]['abilities'][number];

/** The ability that each action requires if the scope has no access control. */
const WHERE_OPEN: Readonly<Record<AbilityOnScope, OrganizationAbility>> = {
  read: 'read',
  write: 'write_content',
  manage: 'write_content',
  grant: 'manage_grants',
};

/**
 * Returns whether a user may run an action on a project or an environment. With access control, the grant decides instead of the role.
 */
export function mayOnScope({ abilities, scopes }: Abilities, scopeId: string, ability: AbilityOnScope): boolean {
  const controlledScope = scopes.find((scope) => scope.scopeId === scopeId);
  return controlledScope ? controlledScope.abilities.includes(ability) : abilities.includes(abilityWhereOpen(ability));
}

/** Returns the ability in the organization that an action on a scope without access control requires. */
export const abilityWhereOpen = (ability: AbilityOnScope): OrganizationAbility => WHERE_OPEN[ability];

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
  const canWriteScope = (id: string | undefined) =>
    scopes.find(({ scopeId }) => scopeId === id)?.abilities.includes('write');
  return (canWriteScope(projectId) ?? abilities.includes('write_content')) && (canWriteScope(environmentId) ?? true);
}
