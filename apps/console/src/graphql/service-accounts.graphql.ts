// Made by tools/console/documents.mjs of service-accounts.graphql; not edited by hand.
import { type Document, document } from './document.ts';

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** What a service account is made of. */
type CreateServiceAccountInput = {
  /** What it is for; may be empty. */
  readonly description?: string | null | undefined;
  /** When its key ends; null for never. */
  readonly expireAt?: string | null | undefined;
  /** Its name. */
  readonly name: string;
  /** Who answers for it. */
  readonly owner?: string | null | undefined;
  /** What it may do; VIEWER when left out. */
  readonly role?: Role | null | undefined;
};

/** What `rekeyServiceAccount` takes. Gives a service account a new key, shown once; the old one stops working. */
type RekeyServiceAccountInput = {
  /** When the new key ends; null for never. */
  readonly expireAt?: string | null | undefined;
};

/** What a person or service account may do. */
type Role =
  /** Manages people, webhooks and integrations. */
  | 'ADMIN'
  /** Changes environments, projects, parameters and values. */
  | 'CONTRIB'
  /** Everything, including the organization itself. */
  | 'OWNER'
  /** Reads. */
  | 'VIEWER';

/** Changes of a service account; what is left out stays. */
type UpdateServiceAccountInput = {
  /** What it is for; may be empty. */
  readonly description?: string | null | undefined;
  /** Who answers for it. */
  readonly owner?: string | null | undefined;
};

export type ServiceAccountsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type ServiceAccountsQuery = { readonly serviceAccounts: { readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly ledgerId: string, readonly description: string, readonly role: Role, readonly owner: string | null, readonly lastUsedAt: string | null, readonly createdAt: string, readonly user: { readonly name: string | null, readonly membershipId: string | null, readonly membership: { readonly id: string, readonly ledgerId: string, readonly role: Role } | null }, readonly keys: ReadonlyArray<{ readonly prefix: string, readonly revoked: boolean, readonly hasExpired: boolean, readonly created: string, readonly expiryDate: string | null }> | null } }> } };

export type CreateServiceAccountMutationVariables = Exact<{
  input: CreateServiceAccountInput;
}>;


export type CreateServiceAccountMutation = { readonly createServiceAccount:
    | { readonly __typename: 'Conflict', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'NewServiceAccountSaved', readonly newServiceAccount: { readonly apikey: string } }
    | { readonly __typename: 'NotFound', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PermissionDenied', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PreconditionFailed', readonly code: string, readonly message: string }
    | { readonly __typename: 'ValidationProblem', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
   };

export type RekeyServiceAccountMutationVariables = Exact<{
  id: string;
  input: RekeyServiceAccountInput;
}>;


export type RekeyServiceAccountMutation = { readonly rekeyServiceAccount:
    | { readonly __typename: 'Conflict', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'NewServiceAccountSaved', readonly newServiceAccount: { readonly apikey: string } }
    | { readonly __typename: 'NotFound', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PermissionDenied', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PreconditionFailed', readonly code: string, readonly message: string }
    | { readonly __typename: 'ValidationProblem', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
   };

export type ChangeServiceAccountMutationVariables = Exact<{
  id: string;
  input: UpdateServiceAccountInput;
  expectedLedgerId: string;
}>;


export type ChangeServiceAccountMutation = { readonly updateServiceAccount:
    | { readonly __typename: 'Conflict', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'NotFound', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PermissionDenied', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PreconditionFailed', readonly code: string, readonly message: string }
    | { readonly __typename: 'ServiceAccountSaved' }
    | { readonly __typename: 'ValidationProblem', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
   };

export type DeleteServiceAccountMutationVariables = Exact<{
  id: string;
  expectedLedgerId: string;
}>;


export type DeleteServiceAccountMutation = { readonly deleteServiceAccount:
    | { readonly __typename: 'Conflict', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'Deleted' }
    | { readonly __typename: 'NotFound', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PermissionDenied', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PreconditionFailed', readonly code: string, readonly message: string }
    | { readonly __typename: 'ValidationProblem', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
   };

export const ServiceAccounts: Document<ServiceAccountsQuery, ServiceAccountsQueryVariables> = document(
  'ServiceAccounts',
  'c7dd250c9a3733502b1b7bb477a593b6a77d909c50952c988bd638bd0a8ed48d',
);

export const CreateServiceAccount: Document<CreateServiceAccountMutation, CreateServiceAccountMutationVariables> = document(
  'CreateServiceAccount',
  '1e3ec059e9dce36758b842705195a35c95bd4a4919d51ef5809e0d1087299250',
);

export const RekeyServiceAccount: Document<RekeyServiceAccountMutation, RekeyServiceAccountMutationVariables> = document(
  'RekeyServiceAccount',
  '32661fac9db938071a4d8f9d6e29ecea864e9b25add1315d36407e95b5c96007',
);

export const ChangeServiceAccount: Document<ChangeServiceAccountMutation, ChangeServiceAccountMutationVariables> = document(
  'ChangeServiceAccount',
  'bdd34af320f3122aecd7ddff82e5a722c7a9098063e70d6d7981862beecec4a7',
);

export const DeleteServiceAccount: Document<DeleteServiceAccountMutation, DeleteServiceAccountMutationVariables> = document(
  'DeleteServiceAccount',
  '86844227b21466b7dfc6316d9bed6cf8f92d95363a5ae5db3dd61b6e1295d1bd',
);
