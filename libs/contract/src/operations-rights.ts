import * as grant from './grant.ts';
import * as group from './group.ts';
import * as invitation from './invitation.ts';
import { noun, type Operation, operation, operationsOf } from './operation.ts';

const API = '/api/v1';
const INVITATION = `${API}/invitations/{id}/`;
const GROUP = `${API}/groups/{id}/`;

export const INVITATIONS = noun({
  tag: 'invitations',
  prefix: 'invitations',
  collection: `${API}/invitations/`,
  singular: 'an invitation',
  plural: 'invitations',
  sortedBy: ['email', 'id'],
  read: 'read',
  write: 'invite',
  conditional: true,
  // The token is shown once: not when its write is sent again.
  refusals: { create: [409] },
  shapes: {
    item: invitation.Invitation,
    page: invitation.InvitationPage,
    listQuery: invitation.InvitationListQuery,
    create: invitation.InvitationCreate,
    created: invitation.InvitationCreated,
    update: invitation.InvitationUpdate,
    patch: invitation.InvitationPatch,
  },
});

export const GROUPS = noun({
  tag: 'groups',
  prefix: 'groups',
  collection: `${API}/groups/`,
  singular: 'a group',
  plural: 'groups',
  read: 'read',
  write: 'manage_groups',
  conditional: true,
  shapes: {
    item: group.Group,
    page: group.GroupPage,
    listQuery: group.GroupListQuery,
    create: group.GroupCreate,
    update: group.GroupUpdate,
    patch: group.GroupPatch,
  },
});

export const GRANTS = noun({
  tag: 'grants',
  prefix: 'grants',
  collection: `${API}/grants/`,
  singular: 'a grant',
  plural: 'grants',
  // by the names of who has them, which a grant does not show
  sortedBy: null,
  read: 'read',
  // Owners of the scope give and take; whether somebody is one shows only when the scope is known.
  write: 'read',
  conditional: true,
  shapes: {
    item: grant.Grant,
    page: grant.GrantPage,
    listQuery: grant.GrantListQuery,
    create: grant.GrantCreate,
    update: grant.GrantUpdate,
    patch: grant.GrantPatch,
  },
});

export const RESEND_INVITATION = operation({
  id: 'invitations_resend_create',
  method: 'post',
  path: `${INVITATION}resend/`,
  tag: 'invitations',
  summary: 'Renew an invitation: a new token, and the old one stops working',
  requires: 'invite',
  status: 200,
  response: invitation.InvitationCreated,
  refusals: [409],
});

/** By POST, since what lets somebody in must not stand in addresses, which are logged. It changes nothing. */
export const READ_OFFER = operation({
  id: 'invitations_offer_create',
  method: 'post',
  path: `${INVITATION}offer/`,
  tag: 'invitations',
  summary: 'Read what an invitation offers, by its token',
  requires: 'nothing',
  body: invitation.InvitationOfferRequest,
  bodyAs: 'json',
  status: 200,
  response: invitation.InvitationOffer,
  refusals: [503],
});

export const REMOVE_GRANTS = operation({
  id: 'grants_multi_destroy',
  method: 'delete',
  path: `${API}/grants/multi/`,
  tag: 'grants',
  summary: 'Remove all grants that match, or none',
  description: 'At least one filter is required. Answers one of the removed grants, or null when none matched.',
  requires: 'read',
  query: grant.GrantMultiQuery,
  status: 200,
  response: grant.Grant.nullable(),
  refusals: [],
});

const invitations: readonly Operation[] = [
  ...operationsOf(INVITATIONS),
  {
    id: 'invitations_accept_create',
    method: 'post',
    path: `${INVITATION}accept/`,
    tag: 'invitations',
    summary: 'Accept an invitation',
    description:
      'With the credential of a person whose e-mail address is the invited one; or without any, by somebody who has no account: then `token` and a `password` are required.',
    requires: 'nothing',
    body: invitation.InvitationAccept,
    bodyOptional: true,
    status: 200,
    response: invitation.Invitation,
    refusals: [401, 403, 503],
  },
  READ_OFFER,
  RESEND_INVITATION,
];

const membersOfGroup = {
  method: 'post',
  tag: 'groups',
  description: 'Idempotent. A body is ignored.',
  requires: 'manage_groups',
  query: group.GroupMemberQuery,
  status: 200,
  response: group.Group,
  refusals: [],
} as const;

export const ADD_TO_GROUP = operation({
  ...membersOfGroup,
  id: 'groups_add_create',
  path: `${GROUP}add/`,
  summary: 'Put somebody into a group',
});

export const REMOVE_FROM_GROUP = operation({
  ...membersOfGroup,
  id: 'groups_remove_create',
  path: `${GROUP}remove/`,
  summary: 'Take somebody out of a group',
});

const groups: readonly Operation[] = [...operationsOf(GROUPS), ADD_TO_GROUP, REMOVE_FROM_GROUP];

const grants: readonly Operation[] = [REMOVE_GRANTS, ...operationsOf(GRANTS)];

/** Who is let in, and on what. */
export const rights: readonly Operation[] = [...invitations, ...groups, ...grants];
