// Made by tools/console/documents.mjs of grants.graphql; not edited by hand.
import { type Document, document } from './document.ts';

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** What a grant is made of. */
type CreateGrantInput = {
  /** Id of the user or group. */
  readonly principalId: string;
  /** What they may do there. */
  readonly role: Role;
  /** Id of the project or environment. */
  readonly scopeId: string;
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

/** Who stands behind a credential. */
type UserKind =
  /** A person. */
  | 'interactive'
  /** A service account with an API key. */
  | 'service';

export type GrantsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type GrantsQuery = { readonly grants: { readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly ledgerId: string, readonly role: Role, readonly principalId: string, readonly scopeId: string, readonly principal:
          | { readonly __typename: 'Group', readonly groupName: string }
          | { readonly __typename: 'User', readonly type: UserKind, readonly name: string | null, readonly email: string | null }
         | null } }> } };

export type ControlledProjectsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type ControlledProjectsQuery = { readonly projects: { readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly name: string, readonly accessControlled: boolean } }> } };

export type ControlledEnvironmentsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type ControlledEnvironmentsQuery = { readonly environments: { readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly name: string, readonly accessControlled: boolean } }> } };

export type GiveGrantMutationVariables = Exact<{
  input: CreateGrantInput;
}>;


export type GiveGrantMutation = { readonly createGrant:
    | { readonly __typename: 'Conflict', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'GrantSaved' }
    | { readonly __typename: 'NotFound', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PermissionDenied', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PreconditionFailed', readonly code: string, readonly message: string }
    | { readonly __typename: 'ValidationProblem', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
   };

export type ChangeGrantMutationVariables = Exact<{
  id: string;
  role: Role;
  expectedLedgerId: string;
}>;


export type ChangeGrantMutation = { readonly updateGrant:
    | { readonly __typename: 'Conflict', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'GrantSaved' }
    | { readonly __typename: 'NotFound', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PermissionDenied', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PreconditionFailed', readonly code: string, readonly message: string }
    | { readonly __typename: 'ValidationProblem', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
   };

export type TakeGrantMutationVariables = Exact<{
  id: string;
  expectedLedgerId: string;
}>;


export type TakeGrantMutation = { readonly deleteGrant:
    | { readonly __typename: 'Conflict', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'Deleted' }
    | { readonly __typename: 'NotFound', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PermissionDenied', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PreconditionFailed', readonly code: string, readonly message: string }
    | { readonly __typename: 'ValidationProblem', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
   };

export const Grants: Document<GrantsQuery, GrantsQueryVariables> = document(
  'Grants',
  'ac694809b5fe7945036d79ff575ed51d03c486f4ed9ff9ee8855b39821e2b0ef',
);

export const ControlledProjects: Document<ControlledProjectsQuery, ControlledProjectsQueryVariables> = document(
  'ControlledProjects',
  '8b989cacc8586c93dd0c540aab5c4c4954d03dc0cb88b33e4706b6142ae84a39',
);

export const ControlledEnvironments: Document<ControlledEnvironmentsQuery, ControlledEnvironmentsQueryVariables> = document(
  'ControlledEnvironments',
  '0718ea32cad892f5685207867ebeb14fd1292c39f94c7aa8e97c687e79db5519',
);

export const GiveGrant: Document<GiveGrantMutation, GiveGrantMutationVariables> = document(
  'GiveGrant',
  'eb452b596c9a2ac1a47809daffd7631a309416b7aa5088f91eaaca7bff78eacb',
);

export const ChangeGrant: Document<ChangeGrantMutation, ChangeGrantMutationVariables> = document(
  'ChangeGrant',
  '084d87102e2a3d5bfa229053d8af1ac45e8894a799eecd88e27d1edc771af198',
);

export const TakeGrant: Document<TakeGrantMutation, TakeGrantMutationVariables> = document(
  'TakeGrant',
  'f0e7624ae0d75d75680c5ff9576ae3e2284e15526d50e1c39ed10c3aa2e34979',
);
