// Made by tools/console/documents.mjs of people.graphql; not edited by hand.
import { type Document, document } from './document.ts';

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


export type PeopleQuery = { readonly users: { readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly name: string | null, readonly email: string | null, readonly role: Role | null, readonly membershipId: string | null, readonly membership: { readonly id: string, readonly ledgerId: string, readonly role: Role, readonly createdAt: string } | null } }> } };

export type OpenInvitationsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type OpenInvitationsQuery = { readonly invitations: { readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly ledgerId: string | null, readonly email: string, readonly role: Role, readonly inviterName: string, readonly tokenExpiresAt: string | null } }> } };

export type MembershipOfQueryVariables = Exact<{
  id: string;
}>;


export type MembershipOfQuery = { readonly membership: { readonly id: string, readonly ledgerId: string, readonly role: Role } | null };

export type ChangeRoleMutationVariables = Exact<{
  id: string;
  role: Role;
  expectedLedgerId: string;
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
  expectedLedgerId: string;
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
  expectedLedgerId?: string | null | undefined;
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
  expectedLedgerId?: string | null | undefined;
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
  'People',
  '483a552524b662a878c42717b40aa3fa232c11e7dc8aaadf57a36f3c3fd2e5ce',
);

export const OpenInvitations: Document<OpenInvitationsQuery, OpenInvitationsQueryVariables> = document(
  'OpenInvitations',
  'fc0df6a3030aedc69d6c5a164472887c763449d579daaf8052dc82b1713e95bc',
);

export const MembershipOf: Document<MembershipOfQuery, MembershipOfQueryVariables> = document(
  'MembershipOf',
  'a16283a5de5797223e48dc91fa97fd10603b79f2a2b18e6ccd1a7b9f51e65e89',
);

export const ChangeRole: Document<ChangeRoleMutation, ChangeRoleMutationVariables> = document(
  'ChangeRole',
  'ed1743bae3cd12ade3ad5f935df602f64a2fc92b30ae71c09ee1893a4682523d',
);

export const EndMembership: Document<EndMembershipMutation, EndMembershipMutationVariables> = document(
  'EndMembership',
  'cf5179adf3db75a1cbdc0cf47de7bb13b8501140877c53cab7eb6a55ce485019',
);

export const Invite: Document<InviteMutation, InviteMutationVariables> = document(
  'Invite',
  'dc75cc5dc2650c15f8a76ca70d117536e5fcbee18bd723a5e029b1b7a4b7bf98',
);

export const RenewInvitation: Document<RenewInvitationMutation, RenewInvitationMutationVariables> = document(
  'RenewInvitation',
  'f250982a22c571e229dc1313e4baf5b533b12a016031cd7ab7fa6942f689a599',
);

export const ChangeInvitation: Document<ChangeInvitationMutation, ChangeInvitationMutationVariables> = document(
  'ChangeInvitation',
  '15d92339843a837e4856682f73bc7dd3d44241c325100d1836f9919820c402cf',
);

export const WithdrawInvitation: Document<WithdrawInvitationMutation, WithdrawInvitationMutationVariables> = document(
  'WithdrawInvitation',
  'd602b13d9327f0ddfe10d13d6db1b49778b2eca104556338e912c84c23d0fcbd',
);
