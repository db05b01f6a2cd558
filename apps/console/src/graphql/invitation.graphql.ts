// Made by tools/console/documents.mjs of invitation.graphql; not edited by hand.
import { type Document, document } from './document.ts';

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** What `acceptInvitation` takes. Accepts an invitation, as the invited person, or without a credential by token and a new password. */
type AcceptInvitationInput = {
  /** The name to have. */
  readonly name?: string | null | undefined;
  /** The password to have; needed without a credential. */
  readonly password?: string | null | undefined;
  /** The token of the invitation; needed without a credential. */
  readonly token?: string | null | undefined;
};

/** What `invitationOffer` takes. What an invitation offers to who holds its token; null where the token is not that of the invitation. */
type InvitationOfferInput = {
  /** The token of the invitation. */
  readonly token: string;
};

/** Whether a token still lets somebody in. */
type InvitationOfferState =
  /** It was accepted already. */
  | 'accepted'
  /** Its time is over; the organization can send it again. */
  | 'expired'
  /** It can be accepted. */
  | 'open';

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

export type OfferOfQueryVariables = Exact<{
  id: string;
  input: InvitationOfferInput;
}>;


export type OfferOfQuery = { readonly invitationOffer: { readonly state: InvitationOfferState, readonly organizationName: string, readonly inviterName: string, readonly email: string, readonly role: Role, readonly hasAccount: boolean, readonly expiresAt: string | null } | null };

export type AcceptInvitationMutationVariables = Exact<{
  id: string;
  input: AcceptInvitationInput;
}>;


export type AcceptInvitationMutation = { readonly acceptInvitation:
    | { readonly __typename: 'Conflict', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'InvitationSaved', readonly invitation: { readonly organizationId: string } }
    | { readonly __typename: 'NotFound', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PermissionDenied', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PreconditionFailed', readonly code: string, readonly message: string }
    | { readonly __typename: 'ValidationProblem', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
   };

export const OfferOf: Document<OfferOfQuery, OfferOfQueryVariables> = document(
  'OfferOf',
  '195223abef0e4316f3ec74c81c9c888223ccbef598da3fbd631831905f98ffdb',
);

export const AcceptInvitation: Document<AcceptInvitationMutation, AcceptInvitationMutationVariables> = document(
  'AcceptInvitation',
  'cabe5900e9f97237ff709a8fc69543f8a80b8c8028f821c836bc2384ca061b21',
);
