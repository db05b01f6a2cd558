// Made by tools/console/documents.mjs of grants.graphql; not edited by hand.
import { type Document, document } from '../graphql/document.ts';

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


export type GrantsQuery = { readonly grants: { readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly role: Role, readonly principalId: string, readonly scopeId: string, readonly principal:
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
  '49d145ea60816e778fb2542ddc84fb2c7621de8dca50d3df27f152a0a3c9e8c7',
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
  '6321ee9d40b1b5de38ecbcf86cf0524a02279e479eef18a9d9170e9a01a673b2',
);

export const TakeGrant: Document<TakeGrantMutation, TakeGrantMutationVariables> = document(
  'TakeGrant',
  'b9c83bfaa72b35cd6d394e90145ee7fc01ef014ff1bd9a03d8f171dc981f1d49',
);
