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

/** Whole: an organization has as many people as can know each other. */
export const peopleQuery = queryOptions({
  queryKey: membershipKeys.people,
  queryFn: async ({ signal }) => allPages(async (after) => (await requestGraphql(People, { after }, signal)).users),
});

export const invitationsQuery = queryOptions({
  queryKey: invitationKeys.open,
  queryFn: async ({ signal }) =>
    allPages(async (after) => (await requestGraphql(OpenInvitations, { after }, signal)).invitations),
});

/** What gives a role in the organization, in the version that was read. */
export type RoleHolder = NonNullable<MembershipOfQuery['membership']>;

/** Another role for what is still in the version that was seen. */
interface VersionedRole {
  readonly id: string;
  readonly role: Role;
  readonly expectedLedgerId: string;
}

/** What is handed over. It is in no cache: whoever shows it keeps it. */
export interface InvitationLink {
  readonly email: string;
  readonly link: string;
}

const linkOf = ({ id, email, token }: { readonly id: string; readonly email: string; readonly token: string }) => ({
  email,
  // Behind the #, so that it is sent to no server and stands in no log.
  link: `${location.origin}/invitations/${id}#${token}`,
});

export async function invite(input: InviteMutationVariables['input']): Promise<InvitationLink> {
  return linkOf(saved((await requestGraphql(Invite, { input })).createInvitation).newInvitation);
}

/** The link before is of no use from then on. */
export async function renewInvitation(id: string): Promise<InvitationLink> {
  return linkOf(saved((await requestGraphql(RenewInvitation, { id })).resendInvitation).newInvitation);
}

/** The link before is of no use from then on: it was handed out for another role. */
export async function changeInvitation(change: VersionedRole): Promise<void> {
  saved((await requestGraphql(ChangeInvitation, change)).updateInvitation);
}

export async function withdrawInvitation({ id, ledgerId }: OpenInvitation): Promise<void> {
  saved((await requestGraphql(WithdrawInvitation, { id, expectedLedgerId: ledgerId })).deleteInvitation);
}

export async function changeRole(change: VersionedRole): Promise<void> {
  saved((await requestGraphql(ChangeRole, change)).updateMembership);
}

/** As it is by now; null where it is gone. */
export const membershipOf = async (id: string): Promise<RoleHolder | null> =>
  (await requestGraphql(MembershipOf, { id })).membership ?? null;

export async function endMembership({ id, ledgerId }: RoleHolder): Promise<void> {
  saved((await requestGraphql(EndMembership, { id, expectedLedgerId: ledgerId })).deleteMembership);
}

/** As they are called; who has no name is called by the address. */
export const nameOf = ({ name, email }: { readonly name: string | null; readonly email?: string | null }): string =>
  name || email || 'somebody';

/** Where two of the same name have to be told apart. */
export const fullNameOf = (one: { readonly name: string | null; readonly email?: string | null }): string =>
  one.name && one.email ? `${one.name} · ${one.email}` : nameOf(one);
