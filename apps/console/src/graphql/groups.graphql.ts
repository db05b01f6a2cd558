// Made by tools/console/documents.mjs of groups.graphql; not edited by hand.
import { type Document, document } from './document.ts';

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


export type GroupsQuery = { readonly groups: { readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly ledgerId: string, readonly name: string, readonly description: string, readonly users: ReadonlyArray<{ readonly id: string, readonly type: UserKind, readonly name: string | null, readonly email: string | null }> } }> } };

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
  expectedLedgerId: string;
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
  expectedLedgerId: string;
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
  'Groups',
  '0d764231ac38321e436e8e93d5c9549e668a0c756c3fc1434d70ed6f8fba922b',
);

export const CreateGroup: Document<CreateGroupMutation, CreateGroupMutationVariables> = document(
  'CreateGroup',
  'a6da5354867a82e54e4b27996ff4ebe874634e3a2099a422952d1c6be4fba3d4',
);

export const ChangeGroup: Document<ChangeGroupMutation, ChangeGroupMutationVariables> = document(
  'ChangeGroup',
  '9b446a4ec213eaf35b6ff38ec8662e874dc0a852ad28dbd9cb8a132798688c79',
);

export const DeleteGroup: Document<DeleteGroupMutation, DeleteGroupMutationVariables> = document(
  'DeleteGroup',
  '37c4237337893335d2f5d02cb444cf9b2d6d60f8aaa782ee3e759f4a71044474',
);

export const AddToGroup: Document<AddToGroupMutation, AddToGroupMutationVariables> = document(
  'AddToGroup',
  'adc5f7555923b096cdf9af98a1a0a8442ea16cec39a3409022b1d81ccba83f4a',
);

export const RemoveFromGroup: Document<RemoveFromGroupMutation, RemoveFromGroupMutationVariables> = document(
  'RemoveFromGroup',
  'aedf922117d8c5bfaa69a3f3fcb3a3cffa6cbe12f4e62ea0f867e9a9bb2fb503',
);
