import { queryOptions } from '@tanstack/react-query';
import { requireSaved } from '../graphql/mutation-result.ts';
import {
  ChangeInvitation,
  type ChangeInvitationMutationVariables,
  ChangeMembership,
  type ChangeMembershipMutationVariables,
  EndMembership,
  Invite,
  type InviteMutationVariables,
  MembershipOf,
  type MembershipOfQuery,
  OpenInvitations,
  type OpenInvitationsQuery,
  People,
  type PeopleQuery,
  RenewInvitation,
  WithdrawInvitation,
} from '../graphql/people.graphql.ts';
import { readAllPages, requestGraphql } from '../graphql/request.ts';
import { queryKeys } from './query-keys.ts';

export type ListedPerson = PeopleQuery['users']['edges'][number]['node'];
export type OpenInvitation = OpenInvitationsQuery['invitations']['edges'][number]['node'];

export const membershipKeys = queryKeys('membership', { on: ['membership'] }, (all) => ({
  people: [...all, 'people'],
}));

export const invitationKeys = queryKeys('invitation', { on: ['invitation'] }, (all) => ({
  open: [...all, 'open'],
}));

/** The query for all members, without pages because there are few. */
export const peopleQuery = queryOptions({
  queryKey: membershipKeys.people,
  queryFn: async ({ signal }) => readAllPages(async (after) => (await requestGraphql(People, { after }, signal)).users),
});

export const invitationsQuery = queryOptions({
  queryKey: invitationKeys.open,
  queryFn: async ({ signal }) =>
    readAllPages(async (after) => (await requestGraphql(OpenInvitations, { after }, signal)).invitations),
});

/** A membership or an invitation with its version. */
export type PermissionHolder = NonNullable<MembershipOfQuery['membership']>;

/** The link of an invitation. It is not cached, so the caller must keep it. */
export interface InvitationLink {
  readonly email: string;
  readonly link: string;
}

const invitationLink = ({
  id,
  email,
  token,
}: {
  readonly id: string;
  readonly email: string;
  readonly token: string;
}) => ({
  email,
  // The token is in the fragment of the URL, which browsers never send, so it appears in no log.
  link: `${location.origin}/invitations/${id}#${token}`,
});

export async function invite(input: InviteMutationVariables['input']): Promise<InvitationLink> {
  return invitationLink(requireSaved((await requestGraphql(Invite, { input })).createInvitation).newInvitation);
}

/** Creates a new link. The previous one becomes invalid. */
export async function renewInvitation(id: string): Promise<InvitationLink> {
  return invitationLink(requireSaved((await requestGraphql(RenewInvitation, { id })).resendInvitation).newInvitation);
}

/** Changes the permissions. The link, which had other ones, becomes invalid. */
export async function changeInvitation(change: ChangeInvitationMutationVariables): Promise<void> {
  requireSaved((await requestGraphql(ChangeInvitation, change)).updateInvitation);
}

export async function withdrawInvitation({ id, ledgerId }: OpenInvitation): Promise<void> {
  requireSaved((await requestGraphql(WithdrawInvitation, { id, expectedLedgerId: ledgerId })).deleteInvitation);
}

/** Changes the role or the ability to reveal secrets, if the version is still current. */
export async function changeMembership(change: ChangeMembershipMutationVariables): Promise<void> {
  requireSaved((await requestGraphql(ChangeMembership, change)).updateMembership);
}

/** Returns the current membership; null if it does not exist. */
export const fetchMembership = async (id: string): Promise<PermissionHolder | null> =>
  (await requestGraphql(MembershipOf, { id })).membership ?? null;

export async function endMembership({ id, ledgerId }: PermissionHolder): Promise<void> {
  requireSaved((await requestGraphql(EndMembership, { id, expectedLedgerId: ledgerId })).deleteMembership);
}

/** Returns the name of a user, or the e-mail address if there is no name. */
export const displayName = ({
  name,
  email,
}: {
  readonly name: string | null;
  readonly email?: string | null;
}): string => name || email || 'Unnamed person';

/** Returns the name with the e-mail address, to distinguish users with the same name. */
export const fullName = (person: { readonly name: string | null; readonly email?: string | null }): string =>
  person.name && person.email ? `${person.name} · ${person.email}` : displayName(person);
