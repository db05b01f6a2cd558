// Made by tools/console/documents.mjs of people.graphql; not edited by hand.
import { type Document, document } from '../graphql/document.ts';

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** What an invitation is made of. */
type CreateInvitationInput = {
  /** Address of the invited person. */
  readonly email: string;
  /** The role they will have. */
  readonly role: Role;
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

export type PeopleQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type PeopleQuery = { readonly users: { readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly name: string | null, readonly email: string | null, readonly role: Role | null, readonly membershipId: string | null, readonly membership: { readonly createdAt: string } | null } }> } };

export type OpenInvitationsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type OpenInvitationsQuery = { readonly invitations: { readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly email: string, readonly role: Role, readonly inviterName: string, readonly tokenExpiresAt: string | null } }> } };

export type ChangeRoleMutationVariables = Exact<{
  id: string;
  role: Role;
}>;


export type ChangeRoleMutation = { readonly updateMembership:
    | { readonly __typename: 'Conflict', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'MembershipSaved' }
    | { readonly __typename: 'NotFound', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PermissionDenied', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PreconditionFailed', readonly code: string, readonly message: string }
    | { readonly __typename: 'ValidationProblem', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
   };

export type EndMembershipMutationVariables = Exact<{
  id: string;
}>;


export type EndMembershipMutation = { readonly deleteMembership:
    | { readonly __typename: 'Conflict', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'Deleted' }
    | { readonly __typename: 'NotFound', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PermissionDenied', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PreconditionFailed', readonly code: string, readonly message: string }
    | { readonly __typename: 'ValidationProblem', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
   };

export type InviteMutationVariables = Exact<{
  input: CreateInvitationInput;
}>;


export type InviteMutation = { readonly createInvitation:
    | { readonly __typename: 'Conflict', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'NewInvitationSaved', readonly newInvitation: { readonly id: string, readonly email: string, readonly token: string } }
    | { readonly __typename: 'NotFound', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PermissionDenied', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PreconditionFailed', readonly code: string, readonly message: string }
    | { readonly __typename: 'ValidationProblem', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
   };

export type RenewInvitationMutationVariables = Exact<{
  id: string;
}>;


export type RenewInvitationMutation = { readonly resendInvitation:
    | { readonly __typename: 'Conflict', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'NewInvitationSaved', readonly newInvitation: { readonly id: string, readonly email: string, readonly token: string } }
    | { readonly __typename: 'NotFound', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PermissionDenied', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PreconditionFailed', readonly code: string, readonly message: string }
    | { readonly __typename: 'ValidationProblem', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
   };

export type ChangeInvitationMutationVariables = Exact<{
  id: string;
  role: Role;
}>;


export type ChangeInvitationMutation = { readonly updateInvitation:
    | { readonly __typename: 'Conflict', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'InvitationSaved' }
    | { readonly __typename: 'NotFound', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PermissionDenied', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PreconditionFailed', readonly code: string, readonly message: string }
    | { readonly __typename: 'ValidationProblem', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
   };

export type WithdrawInvitationMutationVariables = Exact<{
  id: string;
}>;


export type WithdrawInvitationMutation = { readonly deleteInvitation:
    | { readonly __typename: 'Conflict', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'Deleted' }
    | { readonly __typename: 'NotFound', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PermissionDenied', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PreconditionFailed', readonly code: string, readonly message: string }
    | { readonly __typename: 'ValidationProblem', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
   };

export const People: Document<PeopleQuery, PeopleQueryVariables> = document(
  "query People($after:String){users(first:200 after:$after type:interactive){pageInfo{hasNextPage endCursor}edges{node{id name email role membershipId membership{createdAt}}}}}",
);

export const OpenInvitations: Document<OpenInvitationsQuery, OpenInvitationsQueryVariables> = document(
  "query OpenInvitations($after:String){invitations(first:200 after:$after state:pending tokenExpiry:true){pageInfo{hasNextPage endCursor}edges{node{id email role inviterName tokenExpiresAt}}}}",
);

export const ChangeRole: Document<ChangeRoleMutation, ChangeRoleMutationVariables> = document(
  "mutation ChangeRole($id:ID!$role:Role!){updateMembership(id:$id input:{role:$role}){__typename ...on Problem{code message ...on ValidationProblem{fields{field message}}...on NotFound{fields{field message}}...on Conflict{fields{field message}}...on PermissionDenied{fields{field message}}}}}",
);

export const EndMembership: Document<EndMembershipMutation, EndMembershipMutationVariables> = document(
  "mutation EndMembership($id:ID!){deleteMembership(id:$id){__typename ...on Problem{code message ...on ValidationProblem{fields{field message}}...on NotFound{fields{field message}}...on Conflict{fields{field message}}...on PermissionDenied{fields{field message}}}}}",
);

export const Invite: Document<InviteMutation, InviteMutationVariables> = document(
  "mutation Invite($input:CreateInvitationInput!){createInvitation(input:$input){__typename ...on NewInvitationSaved{newInvitation{id email token}}...on Problem{code message ...on ValidationProblem{fields{field message}}...on NotFound{fields{field message}}...on Conflict{fields{field message}}...on PermissionDenied{fields{field message}}}}}",
);

export const RenewInvitation: Document<RenewInvitationMutation, RenewInvitationMutationVariables> = document(
  "mutation RenewInvitation($id:ID!){resendInvitation(id:$id){__typename ...on NewInvitationSaved{newInvitation{id email token}}...on Problem{code message ...on ValidationProblem{fields{field message}}...on NotFound{fields{field message}}...on Conflict{fields{field message}}...on PermissionDenied{fields{field message}}}}}",
);

export const ChangeInvitation: Document<ChangeInvitationMutation, ChangeInvitationMutationVariables> = document(
  "mutation ChangeInvitation($id:ID!$role:Role!){updateInvitation(id:$id input:{role:$role}){__typename ...on Problem{code message ...on ValidationProblem{fields{field message}}...on NotFound{fields{field message}}...on Conflict{fields{field message}}...on PermissionDenied{fields{field message}}}}}",
);

export const WithdrawInvitation: Document<WithdrawInvitationMutation, WithdrawInvitationMutationVariables> = document(
  "mutation WithdrawInvitation($id:ID!){deleteInvitation(id:$id){__typename ...on Problem{code message ...on ValidationProblem{fields{field message}}...on NotFound{fields{field message}}...on Conflict{fields{field message}}...on PermissionDenied{fields{field message}}}}}",
);
