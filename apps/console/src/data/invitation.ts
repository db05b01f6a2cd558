import { AcceptInvitation, OfferOf, type OfferOfQuery } from '../graphql/invitation.graphql.ts';
import { requireSaved } from '../graphql/mutation-result.ts';
import { requestAnonymously, requestGraphql } from '../graphql/request.ts';
import { reloadConsole, signIn, switchOrganization } from './session.ts';

export type InvitationDetails = NonNullable<OfferOfQuery['invitationOffer']>;

/** The parts of an invitation link. */
export interface InvitationLinkParts {
  readonly id: string;
  readonly token: string;
}

/** Returns the invitation; null if the token is wrong. It requires no session. */
export async function readInvitation({ id, token }: InvitationLinkParts): Promise<InvitationDetails | null> {
  return (await requestAnonymously(OfferOf, { id, input: { token } })).invitationOffer;
}

interface NewAccount {
  readonly email: string;
  readonly name: string;
  readonly password: string;
}

/** Creates the account and the membership, and then signs in. This replaces the session of the browser. */
export async function joinAsNew(
  { id, token }: InvitationLinkParts,
  { email, name, password }: NewAccount,
): Promise<void> {
  const { acceptInvitation: result } = await requestAnonymously(AcceptInvitation, {
    id,
    input: { token, name, password },
  });
  await signIn({ email, password, organization: requireSaved(result).invitation.organizationId });
  await reloadConsole();
}

/** Signs in with an existing account, accepts the invitation, and opens its organization. */
export async function joinWithAccount(link: InvitationLinkParts, email: string, password: string): Promise<void> {
  await signIn({ email, password });
  await joinAsSignedIn(link);
}

/** Accepts the invitation with the current session. */
export async function joinAsSignedIn({ id, token }: InvitationLinkParts): Promise<void> {
  const { acceptInvitation: result } = await requestGraphql(AcceptInvitation, { id, input: { token } });
  await switchOrganization(requireSaved(result).invitation.organizationId);
}
