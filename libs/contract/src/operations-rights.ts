import { AccessExplanationPage, AccessExplanationQuery } from './access-explanation.ts';
import * as request from './access-request.ts';
import * as grant from './grant.ts';
import * as group from './group.ts';
import * as invitation from './invitation.ts';
import { NEWEST_FIRST } from './list-cursor.ts';
import { noun, operation, operations, standardOperations } from './operation.ts';
import { UnusedAccessPage, UnusedAccessQuery } from './unused-access.ts';

const API = '/api/v1';
const INVITATION = `${API}/invitations/{id}/`;
const GROUP = `${API}/groups/{id}/`;
const ACCESS_REQUEST = `${API}/access/requests/{id}/`;

export const INVITATIONS = noun({
  tag: 'invitations',
  prefix: 'invitations',
  collection: `${API}/invitations/`,
  singular: 'an invitation',
  plural: 'invitations',
  addressing: { by: ['email'] },
  sortedBy: ['email', 'id'],
  read: 'read',
  write: 'invite',
  conditional: true,
  // The response contains the token only once. A repeated request does not return it.
  errorStatuses: { create: [409] },
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
  writes: 'Group',
  collection: `${API}/groups/`,
  singular: 'a group',
  plural: 'groups',
  addressing: { links: { users: ['users'] } },
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
  writes: 'Grant',
  collection: `${API}/grants/`,
  singular: 'a grant',
  plural: 'grants',
  addressing: {
    by: ['principal', 'scope'],
    links: { principal: ['users', 'groups'], scope: ['projects', 'environments'] },
  },
  // sorted by the grantee's name, which a grant does not contain
  sortedBy: null,
  read: 'read',
  // The core checks the ownership of the scope after it has resolved the scope.
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

export const ACCESS_REQUESTS = noun({
  tag: 'access',
  prefix: 'access_requests',
  collection: `${API}/access/requests/`,
  singular: 'an access request',
  plural: 'access requests',
  sortedBy: NEWEST_FIRST,
  read: 'read',
  // The core checks who may decide after it has resolved the scope.
  write: 'read',
  conditional: true,
  bodyAs: 'json',
  shapes: {
    item: request.AccessRequest,
    page: request.AccessRequestPage,
    listQuery: request.AccessRequestListQuery,
    create: request.AccessRequestCreate,
  },
});

const decision = {
  method: 'post',
  tag: 'access',
  requires: 'read',
  bodyAs: 'json',
  status: 200,
  response: request.AccessRequest,
  errorStatuses: [409],
} as const;

export const APPROVE_ACCESS = operation({
  ...decision,
  id: 'access_requests_approve_create',
  path: `${ACCESS_REQUEST}approve/`,
  summary: 'Approve a request for access',
  description: 'Requires the right to grant the role. The access begins now and ends after the requested duration.',
  body: request.AccessRequestDecision,
});

export const DECLINE_ACCESS = operation({
  ...decision,
  id: 'access_requests_decline_create',
  path: `${ACCESS_REQUEST}decline/`,
  summary: 'Decline a request for access',
  description: 'Requires the right to grant the role.',
  body: request.AccessRequestDecision,
});

export const REVOKE_ACCESS = operation({
  ...decision,
  id: 'access_requests_revoke_create',
  path: `${ACCESS_REQUEST}revoke/`,
  summary: 'End approved access early',
  description: 'The requester may do this, too.',
  body: request.AccessRequestDecision,
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
  errorStatuses: [409],
});

/** Uses POST because URLs are logged and must not contain tokens. It changes nothing. */
export const READ_OFFER = operation({
  id: 'invitations_offer_create',
  method: 'post',
  path: `${INVITATION}offer/`,
  tag: 'invitations',
  summary: 'Read the details of an invitation by its token',
  requires: 'nothing',
  body: invitation.InvitationOfferRequest,
  bodyAs: 'json',
  status: 200,
  response: invitation.InvitationOffer,
  errorStatuses: [503],
});

export const REMOVE_GRANTS = operation({
  id: 'grants_multi_destroy',
  method: 'delete',
  path: `${API}/grants/multi/`,
  tag: 'grants',
  summary: 'Remove all grants that match, or none',
  description: 'At least one filter is required. Returns one of the removed grants, or null if none matched.',
  requires: 'read',
  query: grant.GrantMultiQuery,
  status: 200,
  response: grant.Grant.nullable(),
  errorStatuses: [],
});

export const EXPLAIN_ACCESS = operation({
  id: 'access_explain_list',
  method: 'get',
  path: `${API}/access/explain/`,
  tag: 'grants',
  summary: 'Explain who can read and change the values of a project in an environment, and why',
  description:
    'With `who`, returns the users that it names, also without access. Without `who`, returns a page of everyone who could read or write, sorted by name. Each result lists the roles, limits and grants that are checked, in order of precedence. With `as_of`, `tag` or `revision`, they are those of that time.',
  requires: 'manage_grants',
  query: AccessExplanationQuery,
  status: 200,
  response: AccessExplanationPage,
  errorStatuses: [400, 404],
  conditional: true,
  sortedBy: ['user_name', 'user_id'],
});

export const LIST_UNUSED_ACCESS = operation({
  id: 'access_unused_list',
  method: 'get',
  path: `${API}/access/unused/`,
  tag: 'access',
  summary: 'List rights that were not used, with the changes that remove them',
  description:
    'Each result contains an operation. Send the operations that you choose to `changesets/plan/`, and apply the plan.',
  requires: 'manage_grants',
  query: UnusedAccessQuery,
  status: 200,
  response: UnusedAccessPage,
  errorStatuses: [400],
  conditional: true,
  sortedBy: ['principal_name', 'id'],
});

const invitations = operations([
  ...standardOperations(INVITATIONS),
  {
    id: 'invitations_accept_create',
    method: 'post',
    path: `${INVITATION}accept/`,
    tag: 'invitations',
    summary: 'Accept an invitation',
    description:
      'A person with an account uses their own credential, and their e-mail address must be the invited one. A person without an account sends no credential; `token` and `password` are then required.',
    requires: 'nothing',
    body: invitation.InvitationAccept,
    bodyOptional: true,
    status: 200,
    response: invitation.Invitation,
    errorStatuses: [401, 403, 503],
  },
  READ_OFFER,
  RESEND_INVITATION,
]);

const membersOfGroup = {
  method: 'post',
  tag: 'groups',
  description: 'Idempotent. A request body is ignored.',
  requires: 'manage_groups',
  query: group.GroupMemberQuery,
  status: 200,
  response: group.Group,
  errorStatuses: [],
} as const;

export const ADD_TO_GROUP = operation({
  ...membersOfGroup,
  id: 'groups_add_create',
  path: `${GROUP}add/`,
  summary: 'Add a user to a group',
});

export const REMOVE_FROM_GROUP = operation({
  ...membersOfGroup,
  id: 'groups_remove_create',
  path: `${GROUP}remove/`,
  summary: 'Remove a user from a group',
});

const groups = operations([...standardOperations(GROUPS), ADD_TO_GROUP, REMOVE_FROM_GROUP]);

const grants = operations([EXPLAIN_ACCESS, REMOVE_GRANTS, ...standardOperations(GRANTS)]);

const accessRequests = operations([
  ...standardOperations(ACCESS_REQUESTS),
  APPROVE_ACCESS,
  DECLINE_ACCESS,
  REVOKE_ACCESS,
  LIST_UNUSED_ACCESS,
]);

export const rightsOperations = operations([...invitations, ...groups, ...grants, ...accessRequests]);
