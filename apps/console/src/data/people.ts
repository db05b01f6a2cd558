import type { Role } from '@strata/domain';
import { queryOptions } from '@tanstack/react-query';
import {
  ChangeInvitation,
  ChangeRole,
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
import { allPages, requestGraphql } from '../graphql/request.ts';
import { saved } from '../graphql/saved.ts';
import { queryKeys } from './query-keys.ts';

export type ListedPerson = PeopleQuery['users']['edges'][number]['node'];
export type OpenInvitation = OpenInvitationsQuery['invitations']['edges'][number]['node'];

export const membershipKeys = queryKeys('membership', { on: ['membership'] }, (all) => ({
  people: [...all, 'people'],
}));

export const invitationKeys = queryKeys('invitation', { on: ['invitation'] }, (all) => ({
  open: [...all, 'open'],
}));

/** Returns all members. An organization has few enough for one list. */
export const peopleQuery = queryOptions({
  queryKey: membershipKeys.people,
  queryFn: async ({ signal }) => allPages(async (after) => (await requestGraphql(People, { after }, signal)).users),
});

export const invitationsQuery = queryOptions({
  queryKey: invitationKeys.open,
  queryFn: async ({ signal }) =>
    allPages(async (after) => (await requestGraphql(OpenInvitations, { after }, signal)).invitations),
});

/** A membership or an invitation in the version that was read. */
export type RoleHolder = NonNullable<MembershipOfQuery['membership']>;

/** Changes the role, if the version is still the one that the user has seen. */
interface VersionedRole {
  readonly id: string;
  readonly role: Role;
  readonly expectedLedgerId: string;
}

/** The link of an invitation. It is in no cache, so the caller must keep it. */
export interface InvitationLink {
  readonly email: string;
  readonly link: string;
}

const linkOf = ({ id, email, token }: { readonly id: string; readonly email: string; readonly token: string }) => ({
  email,
  // The token is behind the #, so that it is sent to no server and is in no log.
  link: `${location.origin}/invitations/${id}#${token}`,
});

export async function invite(input: InviteMutationVariables['input']): Promise<InvitationLink> {
  return linkOf(saved((await requestGraphql(Invite, { input })).createInvitation).newInvitation);
}

/** Creates a new link. The previous one stops working. */
export async function renewInvitation(id: string): Promise<InvitationLink> {
  return linkOf(saved((await requestGraphql(RenewInvitation, { id })).resendInvitation).newInvitation);
}

/** Changes the role and creates a new link. The previous one, which was for another role, stops working. */
export async function changeInvitation(change: VersionedRole): Promise<void> {
  saved((await requestGraphql(ChangeInvitation, change)).updateInvitation);
}

export async function withdrawInvitation({ id, ledgerId }: OpenInvitation): Promise<void> {
  saved((await requestGraphql(WithdrawInvitation, { id, expectedLedgerId: ledgerId })).deleteInvitation);
}

export async function changeRole(change: VersionedRole): Promise<void> {
  saved((await requestGraphql(ChangeRole, change)).updateMembership);
}

/** Returns the current membership; null if it does not exist. */
export const membershipOf = async (id: string): Promise<RoleHolder | null> =>
  (await requestGraphql(MembershipOf, { id })).membership ?? null;

export async function endMembership({ id, ledgerId }: RoleHolder): Promise<void> {
  saved((await requestGraphql(EndMembership, { id, expectedLedgerId: ledgerId })).deleteMembership);
}

/** Returns the name of a user; the address if there is no name. */
export const nameOf = ({ name, email }: { readonly name: string | null; readonly email?: string | null }): string =>
  name || email || 'somebody';

/** Returns the name with the address, for users with the same name. */
export const fullNameOf = (one: { readonly name: string | null; readonly email?: string | null }): string =>
  one.name && one.email ? `${one.name} · ${one.email}` : nameOf(one);
