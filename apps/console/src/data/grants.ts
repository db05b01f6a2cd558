import type { Role } from '@strata/domain';
import { queryOptions } from '@tanstack/react-query';
import {
  ChangeGrant,
  GiveGrant,
  type GiveGrantMutationVariables,
  Grants,
  type GrantsQuery,
  TakeGrant,
} from '../graphql/grants.graphql.ts';
import { requireSaved } from '../graphql/mutation-result.ts';
import { PresentEnvironments, PresentProjects } from '../graphql/present.graphql.ts';
import { readAllPages, requestGraphql } from '../graphql/request.ts';
import { GrantsOn, type GrantsOnQuery } from '../graphql/scope-access.graphql.ts';
import { queryKeys } from './query-keys.ts';

export type ListedGrant = GrantsQuery['grants']['edges'][number]['node'];

export interface ControlledScope {
  readonly id: string;
  readonly name: string;
  readonly kind: 'environment' | 'project';
}

export const grantKeys = queryKeys('grant', { on: ['grant'] }, (all) => ({
  list: [...all, 'list'],
  scopes: [...all, 'scopes'],
  onScope: (scope: string) => [...all, 'on', scope],
}));

export const grantsQuery = queryOptions({
  queryKey: grantKeys.list,
  queryFn: async ({ signal }) =>
    readAllPages(async (after) => (await requestGraphql(Grants, { after }, signal)).grants),
});

/**
 * Returns the scopes with their grants: environments first, each kind sorted by name. Both are read together, because a grant can turn
 * access control on or off.
 */
export const controlledScopesQuery = queryOptions({
  queryKey: grantKeys.scopes,
  queryFn: async ({ signal }): Promise<readonly ControlledScope[]> => {
    const [environments, projects] = await Promise.all([
      readAllPages(async (after) => (await requestGraphql(PresentEnvironments, { after }, signal)).environments),
      readAllPages(async (after) => (await requestGraphql(PresentProjects, { after }, signal)).projects),
    ]);
    const controlledScopes = (rows: typeof environments, kind: ControlledScope['kind']) =>
      rows.filter(({ accessControlled }) => accessControlled).map(({ id, name }) => ({ id, name, kind }));
    return [...controlledScopes(environments, 'environment'), ...controlledScopes(projects, 'project')];
  },
});

export type GrantOnScope = GrantsOnQuery['grants']['edges'][number]['node'];

/** Returns all grants on one project or environment, without pages because there are few. */
export const grantsOnQuery = (scope: string) =>
  queryOptions({
    queryKey: grantKeys.onScope(scope),
    queryFn: async ({ signal }) =>
      readAllPages(async (after) => (await requestGraphql(GrantsOn, { scope, after }, signal)).grants),
  });

interface WantedGrant {
  readonly principalId: string;
  readonly scopeId: string;
  /** The current grant with the version that the user has seen. */
  readonly current: Pick<ListedGrant, 'id' | 'ledgerId'> | undefined;
  /** The new role; null to remove the grant. */
  readonly role: Role | null;
}

/** Creates a grant that ends at a time, beside other grants of the principal. */
export async function createTemporaryGrant(input: GiveGrantMutationVariables['input']): Promise<void> {
  requireSaved((await requestGraphql(GiveGrant, { input })).createGrant);
}

/** Creates, changes or removes one grant. */
export async function putGrant({ principalId, scopeId, current, role }: WantedGrant): Promise<void> {
  if (!current) {
    if (role !== null)
      requireSaved((await requestGraphql(GiveGrant, { input: { principalId, scopeId, role } })).createGrant);
    return;
  }
  const { id, ledgerId: expectedLedgerId } = current;
  if (role === null) requireSaved((await requestGraphql(TakeGrant, { id, expectedLedgerId })).deleteGrant);
  else requireSaved((await requestGraphql(ChangeGrant, { id, role, expectedLedgerId })).updateGrant);
}
