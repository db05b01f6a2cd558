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
  "query Grants($after:String){grants(first:200 after:$after){pageInfo{hasNextPage endCursor}edges{node{id role principalId principal{__typename ...on User{type name email}...on Group{groupName:name}}scopeId}}}}",
);

export const ControlledProjects: Document<ControlledProjectsQuery, ControlledProjectsQueryVariables> = document(
  "query ControlledProjects($after:String){projects(first:200 after:$after){pageInfo{hasNextPage endCursor}edges{node{id name accessControlled}}}}",
);

export const ControlledEnvironments: Document<ControlledEnvironmentsQuery, ControlledEnvironmentsQueryVariables> = document(
  "query ControlledEnvironments($after:String){environments(first:200 after:$after){pageInfo{hasNextPage endCursor}edges{node{id name accessControlled}}}}",
);

export const GiveGrant: Document<GiveGrantMutation, GiveGrantMutationVariables> = document(
  "mutation GiveGrant($input:CreateGrantInput!){createGrant(input:$input){__typename ...on Problem{code message ...on ValidationProblem{fields{field message}}...on NotFound{fields{field message}}...on Conflict{fields{field message}}...on PermissionDenied{fields{field message}}}}}",
);

export const ChangeGrant: Document<ChangeGrantMutation, ChangeGrantMutationVariables> = document(
  "mutation ChangeGrant($id:ID!$role:Role!){updateGrant(id:$id input:{role:$role}){__typename ...on Problem{code message ...on ValidationProblem{fields{field message}}...on NotFound{fields{field message}}...on Conflict{fields{field message}}...on PermissionDenied{fields{field message}}}}}",
);

export const TakeGrant: Document<TakeGrantMutation, TakeGrantMutationVariables> = document(
  "mutation TakeGrant($id:ID!){deleteGrant(id:$id){__typename ...on Problem{code message ...on ValidationProblem{fields{field message}}...on NotFound{fields{field message}}...on Conflict{fields{field message}}...on PermissionDenied{fields{field message}}}}}",
);
