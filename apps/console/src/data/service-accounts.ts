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
  type RekeyServiceAccountMutationVariables,
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

/** Creates a new key and returns it. Previous keys become invalid, at once or after the overlap. */
export async function rekeyServiceAccount(
  id: string,
  input: RekeyServiceAccountMutationVariables['input'],
): Promise<string> {
  return requireSaved((await requestGraphql(RekeyServiceAccount, { id, input })).rekeyServiceAccount).newServiceAccount
    .apikey;
}

export async function changeServiceAccount(change: ChangeServiceAccountMutationVariables): Promise<void> {
  requireSaved((await requestGraphql(ChangeServiceAccount, change)).updateServiceAccount);
}

export async function deleteServiceAccount({ id, ledgerId }: ListedAccount): Promise<void> {
  requireSaved((await requestGraphql(DeleteServiceAccount, { id, expectedLedgerId: ledgerId })).deleteServiceAccount);
}

export type ListedApiKey = NonNullable<ListedAccount['keys']>[number];

/** Returns the valid keys, newest first, or else the last one that was valid. */
export function shownKeys({ keys }: ListedAccount): readonly ListedApiKey[] {
  const validKeys = (keys ?? []).filter(({ revoked, hasExpired }) => !revoked && !hasExpired);
  return validKeys.length > 0 ? validKeys : (keys ?? []).slice(0, 1);
}

/** Returns the id of the user who owns the account; null if the owner is only a text. */
export const parseMemberId = (owner: string): string | null => /\/users\/([^/]+)\/?$/.exec(owner)?.[1] ?? null;
