// Made by tools/console/documents.mjs of groups.graphql; not edited by hand.
import { type Document, document } from '../graphql/document.ts';

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** What a group is made of. */
type CreateGroupInput = {
  /** What it is for; may be empty. */
  readonly description?: string | null | undefined;
  /** Unique in the organization. */
  readonly name: string;
  /** Ids of its members; the whole set. */
  readonly userIds: ReadonlyArray<string>;
};

/** Changes of a group; what is left out stays. */
type UpdateGroupInput = {
  /** What it is for; may be empty. */
  readonly description?: string | null | undefined;
  /** Unique in the organization. */
  readonly name?: string | null | undefined;
  /** Ids of its members; the whole set. */
  readonly userIds?: ReadonlyArray<string> | null | undefined;
};

/** Who stands behind a credential. */
type UserKind =
  /** A person. */
  | 'interactive'
  /** A service account with an API key. */
  | 'service';

export type GroupsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type GroupsQuery = { readonly groups: { readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly name: string, readonly description: string, readonly users: ReadonlyArray<{ readonly id: string, readonly type: UserKind, readonly name: string | null, readonly email: string | null }> } }> } };

export type CreateGroupMutationVariables = Exact<{
  input: CreateGroupInput;
}>;


export type CreateGroupMutation = { readonly createGroup:
    | { readonly __typename: 'Conflict', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'GroupSaved', readonly group: { readonly id: string } }
    | { readonly __typename: 'NotFound', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PermissionDenied', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PreconditionFailed', readonly code: string, readonly message: string }
    | { readonly __typename: 'ValidationProblem', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
   };

export type ChangeGroupMutationVariables = Exact<{
  id: string;
  input: UpdateGroupInput;
}>;


export type ChangeGroupMutation = { readonly updateGroup:
    | { readonly __typename: 'Conflict', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'GroupSaved' }
    | { readonly __typename: 'NotFound', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PermissionDenied', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PreconditionFailed', readonly code: string, readonly message: string }
    | { readonly __typename: 'ValidationProblem', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
   };

export type DeleteGroupMutationVariables = Exact<{
  id: string;
}>;


export type DeleteGroupMutation = { readonly deleteGroup:
    | { readonly __typename: 'Conflict', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'Deleted' }
    | { readonly __typename: 'NotFound', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PermissionDenied', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PreconditionFailed', readonly code: string, readonly message: string }
    | { readonly __typename: 'ValidationProblem', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
   };

export type AddToGroupMutationVariables = Exact<{
  id: string;
  user: string;
}>;


export type AddToGroupMutation = { readonly addToGroup:
    | { readonly __typename: 'Conflict', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'GroupSaved' }
    | { readonly __typename: 'NotFound', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PermissionDenied', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PreconditionFailed', readonly code: string, readonly message: string }
    | { readonly __typename: 'ValidationProblem', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
   };

export type RemoveFromGroupMutationVariables = Exact<{
  id: string;
  user: string;
}>;


export type RemoveFromGroupMutation = { readonly removeFromGroup:
    | { readonly __typename: 'Conflict', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'GroupSaved' }
    | { readonly __typename: 'NotFound', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PermissionDenied', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PreconditionFailed', readonly code: string, readonly message: string }
    | { readonly __typename: 'ValidationProblem', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
   };

export const Groups: Document<GroupsQuery, GroupsQueryVariables> = document(
  "query Groups($after:String){groups(first:200 after:$after){pageInfo{hasNextPage endCursor}edges{node{id name description users{id type name email}}}}}",
);

export const CreateGroup: Document<CreateGroupMutation, CreateGroupMutationVariables> = document(
  "mutation CreateGroup($input:CreateGroupInput!){createGroup(input:$input){__typename ...on GroupSaved{group{id}}...on Problem{code message ...on ValidationProblem{fields{field message}}...on NotFound{fields{field message}}...on Conflict{fields{field message}}...on PermissionDenied{fields{field message}}}}}",
);

export const ChangeGroup: Document<ChangeGroupMutation, ChangeGroupMutationVariables> = document(
  "mutation ChangeGroup($id:ID!$input:UpdateGroupInput!){updateGroup(id:$id input:$input){__typename ...on Problem{code message ...on ValidationProblem{fields{field message}}...on NotFound{fields{field message}}...on Conflict{fields{field message}}...on PermissionDenied{fields{field message}}}}}",
);

export const DeleteGroup: Document<DeleteGroupMutation, DeleteGroupMutationVariables> = document(
  "mutation DeleteGroup($id:ID!){deleteGroup(id:$id){__typename ...on Problem{code message ...on ValidationProblem{fields{field message}}...on NotFound{fields{field message}}...on Conflict{fields{field message}}...on PermissionDenied{fields{field message}}}}}",
);

export const AddToGroup: Document<AddToGroupMutation, AddToGroupMutationVariables> = document(
  "mutation AddToGroup($id:ID!$user:String!){addToGroup(id:$id user:$user){__typename ...on Problem{code message ...on ValidationProblem{fields{field message}}...on NotFound{fields{field message}}...on Conflict{fields{field message}}...on PermissionDenied{fields{field message}}}}}",
);

export const RemoveFromGroup: Document<RemoveFromGroupMutation, RemoveFromGroupMutationVariables> = document(
  "mutation RemoveFromGroup($id:ID!$user:String!){removeFromGroup(id:$id user:$user){__typename ...on Problem{code message ...on ValidationProblem{fields{field message}}...on NotFound{fields{field message}}...on Conflict{fields{field message}}...on PermissionDenied{fields{field message}}}}}",
);
