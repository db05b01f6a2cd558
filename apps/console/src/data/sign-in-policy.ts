import { queryOptions } from '@tanstack/react-query';
import { requireSaved } from '../graphql/mutation-result.ts';
import {
  ChangeSignInPolicy,
  type ChangeSignInPolicyMutationVariables,
  SignInPolicy,
  type SignInPolicyQuery,
} from '../graphql/organization.graphql.ts';
import { requestGraphql } from '../graphql/request.ts';
import { queryKeys } from './query-keys.ts';

type Organization = NonNullable<SignInPolicyQuery['viewer']['organization']>;
export type OwnSignInPolicy = NonNullable<Organization['signInPolicy']>;
export type OrganizationProvider = OwnSignInPolicy['providers'][number];

export const signInPolicyKeys = queryKeys('sign-in-policy', { on: ['organization', 'membership'] }, () => ({}));

/** The query for how the members of the organization sign in. */
export const signInPolicyQuery = queryOptions({
  queryKey: signInPolicyKeys.all,
  queryFn: async ({ signal }) =>
    (await requestGraphql(SignInPolicy, {}, signal)).viewer.organization?.signInPolicy ?? null,
});

export async function changeSignInPolicy(change: ChangeSignInPolicyMutationVariables): Promise<void> {
  requireSaved((await requestGraphql(ChangeSignInPolicy, change)).updateSignInPolicy);
}
