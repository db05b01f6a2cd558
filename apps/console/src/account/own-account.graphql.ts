// Made by tools/console/documents.mjs of own-account.graphql; not edited by hand.
import { type Document, document } from '../graphql/document.ts';

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** What `changePassword` takes. Changes the password of the caller, and ends all tokens of theirs, this one included: sign in again. */
type ChangePasswordInput = {
  /** The password from now on. */
  readonly newPassword: string;
  /** The password until now. */
  readonly oldPassword: string;
};

export type ChangePasswordMutationVariables = Exact<{
  input: ChangePasswordInput;
}>;


export type ChangePasswordMutation = { readonly changePassword:
    | { readonly __typename: 'Conflict', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'Done' }
    | { readonly __typename: 'NotFound', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PermissionDenied', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PreconditionFailed', readonly code: string, readonly message: string }
    | { readonly __typename: 'ValidationProblem', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
   };

export type SignOutEverywhereMutationVariables = Exact<{ [key: string]: never; }>;


export type SignOutEverywhereMutation = { readonly signOutEverywhere:
    | { readonly __typename: 'Conflict', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'Done' }
    | { readonly __typename: 'NotFound', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PermissionDenied', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PreconditionFailed', readonly code: string, readonly message: string }
    | { readonly __typename: 'ValidationProblem', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
   };

export const ChangePassword: Document<ChangePasswordMutation, ChangePasswordMutationVariables> = document(
  "mutation ChangePassword($input:ChangePasswordInput!){changePassword(input:$input){__typename ...on Problem{code message ...on ValidationProblem{fields{field message}}...on NotFound{fields{field message}}...on Conflict{fields{field message}}...on PermissionDenied{fields{field message}}}}}",
);

export const SignOutEverywhere: Document<SignOutEverywhereMutation, SignOutEverywhereMutationVariables> = document(
  "mutation SignOutEverywhere{signOutEverywhere{__typename ...on Problem{code message ...on ValidationProblem{fields{field message}}...on NotFound{fields{field message}}...on Conflict{fields{field message}}...on PermissionDenied{fields{field message}}}}}",
);
