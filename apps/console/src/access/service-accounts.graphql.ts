// Made by tools/console/documents.mjs of service-accounts.graphql; not edited by hand.
import { type Document, document } from '../graphql/document.ts';

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


export type ServiceAccountsQuery = { readonly serviceAccounts: { readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly description: string, readonly role: Role, readonly owner: string | null, readonly lastUsedAt: string | null, readonly createdAt: string, readonly user: { readonly name: string | null, readonly membershipId: string | null }, readonly keys: ReadonlyArray<{ readonly prefix: string, readonly revoked: boolean, readonly hasExpired: boolean, readonly created: string, readonly expiryDate: string | null }> | null } }> } };

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
  "query ServiceAccounts($after:String){serviceAccounts(first:200 after:$after){pageInfo{hasNextPage endCursor}edges{node{id description role owner lastUsedAt createdAt user{name membershipId}keys{prefix revoked hasExpired created expiryDate}}}}}",
);

export const CreateServiceAccount: Document<CreateServiceAccountMutation, CreateServiceAccountMutationVariables> = document(
  "mutation CreateServiceAccount($input:CreateServiceAccountInput!){createServiceAccount(input:$input){__typename ...on NewServiceAccountSaved{newServiceAccount{apikey}}...on Problem{code message ...on ValidationProblem{fields{field message}}...on NotFound{fields{field message}}...on Conflict{fields{field message}}...on PermissionDenied{fields{field message}}}}}",
);

export const RekeyServiceAccount: Document<RekeyServiceAccountMutation, RekeyServiceAccountMutationVariables> = document(
  "mutation RekeyServiceAccount($id:ID!$input:RekeyServiceAccountInput!){rekeyServiceAccount(id:$id input:$input){__typename ...on NewServiceAccountSaved{newServiceAccount{apikey}}...on Problem{code message ...on ValidationProblem{fields{field message}}...on NotFound{fields{field message}}...on Conflict{fields{field message}}...on PermissionDenied{fields{field message}}}}}",
);

export const ChangeServiceAccount: Document<ChangeServiceAccountMutation, ChangeServiceAccountMutationVariables> = document(
  "mutation ChangeServiceAccount($id:ID!$input:UpdateServiceAccountInput!){updateServiceAccount(id:$id input:$input){__typename ...on Problem{code message ...on ValidationProblem{fields{field message}}...on NotFound{fields{field message}}...on Conflict{fields{field message}}...on PermissionDenied{fields{field message}}}}}",
);

export const DeleteServiceAccount: Document<DeleteServiceAccountMutation, DeleteServiceAccountMutationVariables> = document(
  "mutation DeleteServiceAccount($id:ID!){deleteServiceAccount(id:$id){__typename ...on Problem{code message ...on ValidationProblem{fields{field message}}...on NotFound{fields{field message}}...on Conflict{fields{field message}}...on PermissionDenied{fields{field message}}}}}",
);
