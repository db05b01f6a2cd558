import { queryOptions } from '@tanstack/react-query';
import { requireSaved } from '../graphql/mutation-result.ts';
import { readAllPages, requestGraphql } from '../graphql/request.ts';
import {
  ChangeServiceAccount,
  type ChangeServiceAccountMutationVariables,
  CreateServiceAccount,
  type CreateServiceAccountMutationVariables,
  DeleteServiceAccount,
  RekeyServiceAccount,
  ServiceAccounts,
  type ServiceAccountsQuery,
} from '../graphql/service-accounts.graphql.ts';
import { queryKeys } from './query-keys.ts';

export type ListedAccount = ServiceAccountsQuery['serviceAccounts']['edges'][number]['node'];

export const serviceAccountKeys = queryKeys('service_account', { on: ['service_account'] }, (all) => ({
  list: [...all, 'list'],
}));

export const serviceAccountsQuery = queryOptions({
  queryKey: serviceAccountKeys.list,
  queryFn: async ({ signal }) =>
    readAllPages(async (after) => (await requestGraphql(ServiceAccounts, { after }, signal)).serviceAccounts),
});

/** Creates the account and returns its key. The key is not cached, so the caller must keep it. */
export async function createServiceAccount(input: CreateServiceAccountMutationVariables['input']): Promise<string> {
  return requireSaved((await requestGraphql(CreateServiceAccount, { input })).createServiceAccount).newServiceAccount
    .apikey;
}

/** Creates a new key and returns it. All previous keys become invalid. */
export async function rekeyServiceAccount(id: string, expireAt: string | null): Promise<string> {
  return requireSaved((await requestGraphql(RekeyServiceAccount, { id, input: { expireAt } })).rekeyServiceAccount)
    .newServiceAccount.apikey;
}

export async function changeServiceAccount(change: ChangeServiceAccountMutationVariables): Promise<void> {
  requireSaved((await requestGraphql(ChangeServiceAccount, change)).updateServiceAccount);
}

export async function deleteServiceAccount({ id, ledgerId }: ListedAccount): Promise<void> {
  requireSaved((await requestGraphql(DeleteServiceAccount, { id, expectedLedgerId: ledgerId })).deleteServiceAccount);
}

/** Returns the valid key, or else the last one that was valid. */
export const latestKey = ({ keys }: ListedAccount) => keys?.find(({ revoked }) => !revoked) ?? keys?.[0] ?? null;

/** Returns the id of the user who owns the account; null if the owner is only a text. */
export const parseMemberId = (owner: string): string | null => /\/users\/([^/]+)\/?$/.exec(owner)?.[1] ?? null;
