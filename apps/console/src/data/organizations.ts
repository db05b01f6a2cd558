import { queryOptions } from '@tanstack/react-query';
import { requireSaved } from '../graphql/mutation-result.ts';
import {
  ChangeOrganization,
  type ChangeOrganizationMutationVariables,
  CreateOrganization,
  DeleteOrganization,
  OwnOrganizations,
  type OwnOrganizationsQuery,
} from '../graphql/organization.graphql.ts';
import { readAllPages, requestGraphql } from '../graphql/request.ts';
import { queryKeys } from './query-keys.ts';
import { switchOrganization } from './session.ts';

export type OwnOrganization = OwnOrganizationsQuery['organizations']['edges'][number]['node'];

export const organizationKeys = queryKeys('organization', { on: ['organization'] }, (all) => ({
  own: [...all, 'own'],
}));

/** The query for all organizations of the user. */
export const ownOrganizationsQuery = queryOptions({
  queryKey: organizationKeys.own,
  queryFn: async ({ signal }) =>
    readAllPages(async (after) => (await requestGraphql(OwnOrganizations, { after }, signal)).organizations),
});

/** Changes an organization if it still has the expected version. */
export async function changeOrganization(change: ChangeOrganizationMutationVariables): Promise<void> {
  requireSaved((await requestGraphql(ChangeOrganization, change)).updateOrganization);
}

/** Creates an organization with the user as its owner, and opens it. */
export async function createOrganization(name: string): Promise<void> {
  const { organization } = requireSaved(
    (await requestGraphql(CreateOrganization, { input: { name } })).createOrganization,
  );
  await switchOrganization(organization.id);
}

export async function deleteOrganization({ id, ledgerId }: OwnOrganization): Promise<void> {
  requireSaved((await requestGraphql(DeleteOrganization, { id, expectedLedgerId: ledgerId })).deleteOrganization);
}
