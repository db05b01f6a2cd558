import { queryOptions } from '@tanstack/react-query';
import { allPages, requestGraphql } from '../graphql/request.ts';
import { saved } from '../graphql/saved.ts';
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
    allPages(async (after) => (await requestGraphql(ServiceAccounts, { after }, signal)).serviceAccounts),
});

/** Answers the key, which is in no cache: whoever shows it keeps it. */
export async function createServiceAccount(input: CreateServiceAccountMutationVariables['input']): Promise<string> {
  return saved((await requestGraphql(CreateServiceAccount, { input })).createServiceAccount).newServiceAccount.apikey;
}

/** The same; every key before stops working. */
export async function rekeyServiceAccount(id: string, expireAt: string | null): Promise<string> {
  return saved((await requestGraphql(RekeyServiceAccount, { id, input: { expireAt } })).rekeyServiceAccount)
    .newServiceAccount.apikey;
}

export async function changeServiceAccount(change: ChangeServiceAccountMutationVariables): Promise<void> {
  saved((await requestGraphql(ChangeServiceAccount, change)).updateServiceAccount);
}

export async function deleteServiceAccount({ id, ledgerId }: ListedAccount): Promise<void> {
  saved((await requestGraphql(DeleteServiceAccount, { id, expectedLedgerId: ledgerId })).deleteServiceAccount);
}

/** The key that works, or the last one that did. */
export const latestKey = ({ keys }: ListedAccount) => keys?.find(({ revoked }) => !revoked) ?? keys?.[0] ?? null;

/** Null for a free text: who answers for an account may be nobody here. */
export const memberIn = (owner: string): string | null => /\/users\/([^/]+)\/?$/.exec(owner)?.[1] ?? null;
