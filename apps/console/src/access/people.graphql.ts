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
  'People',
  'e69c158c50746c9618a8b377a42b399ec1349cbff10b9819b6fcaeb8bbe389ac',
);

export const OpenInvitations: Document<OpenInvitationsQuery, OpenInvitationsQueryVariables> = document(
  'OpenInvitations',
  '46e2e46544743893072989a4655bbf3a736d32abb6a3b4650bc684e471540f07',
);

export const ChangeRole: Document<ChangeRoleMutation, ChangeRoleMutationVariables> = document(
  'ChangeRole',
  '1592e24be42d131000a34100cfeca7bec05e9efd9b735588c1e6ae0b0d6f0e50',
);

export const EndMembership: Document<EndMembershipMutation, EndMembershipMutationVariables> = document(
  'EndMembership',
  'ba2931ffb7dc73763b77f537d03dbffba31dbda0baed18c9ab4b91cdbb2977a9',
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
  '141405fcc55fa2cf8fe140c92781e2da7e4aa55cd762c75263e6331b8f5b9175',
);

export const WithdrawInvitation: Document<WithdrawInvitationMutation, WithdrawInvitationMutationVariables> = document(
  'WithdrawInvitation',
  'dc01bc2f25260e6d37bb16753b9726d820b1fa561f9903d43d0cadf6726fd934',
);
