import { AuthToken, AuthTokenRequest } from './auth-token.ts';
import * as membership from './membership.ts';
import { noun, operation, operations, standardOperations } from './operation.ts';
import * as organization from './organization.ts';
import * as own from './own-account.ts';
import * as account from './service-account.ts';
import { User, UserListQuery, UserPage } from './user.ts';

const API = '/api/v1';

export const USERS = noun({
  tag: 'users',
  prefix: 'users',
  collection: `${API}/users/`,
  singular: 'a user',
  plural: 'people and service accounts',
  read: 'read',
  write: 'read',
  conditional: true,
  shapes: { item: User, page: UserPage, listQuery: UserListQuery },
});

export const MEMBERSHIPS = noun({
  tag: 'memberships',
  prefix: 'memberships',
  writes: 'Membership',
  collection: `${API}/memberships/`,
  singular: 'a membership',
  plural: 'memberships',
  addressing: { word: 'member', by: ['user'], links: { user: ['users'] } },
  // sorted by the user's name, which a membership does not contain
  sortedBy: null,
  read: 'read',
  write: 'change_membership',
  conditional: true,
  shapes: {
    item: membership.Membership,
    page: membership.MembershipPage,
    listQuery: membership.MembershipListQuery,
    create: membership.MembershipCreate,
    update: membership.MembershipUpdate,
    patch: membership.MembershipPatch,
  },
  // Every member may leave.
});

export const SERVICE_ACCOUNTS = noun({
  tag: 'serviceaccounts',
  prefix: 'serviceaccounts',
  collection: `${API}/serviceaccounts/`,
  singular: 'a service account',
  plural: 'service accounts',
  addressing: {
    by: ['user.name'],
    links: {
      only_projects: ['projects'],
      key_projects: ['projects'],
      key_environments: ['environments'],
      owner: ['users'],
    },
    freeLinks: ['owner'],
  },
  sortedBy: ['user.name', 'id'],
  read: 'read',
  write: 'create_service_account',
  conditional: true,
  // The response contains the new key only once. A repeated request does not return it.
  errorStatuses: { create: [409] },
  shapes: {
    item: account.ServiceAccount,
    page: account.ServiceAccountPage,
    listQuery: account.ServiceAccountListQuery,
    create: account.ServiceAccountCreate,
    created: account.ServiceAccountCreated,
    update: account.ServiceAccountUpdate,
    patch: account.ServiceAccountUpdate,
  },
});

export const ORGANIZATIONS = noun({
  tag: 'organizations',
  prefix: 'organizations',
  collection: `${API}/organizations/`,
  singular: 'an organization',
  plural: 'the organizations of the caller',
  read: 'read',
  write: 'change_organization',
  conditional: true,
  shapes: {
    item: organization.Organization,
    page: organization.OrganizationPage,
    listQuery: organization.OrganizationListQuery,
    create: organization.OrganizationCreate,
    update: organization.OrganizationUpdate,
    patch: organization.OrganizationPatch,
  },
});

export const READ_CALLER = operation({
  id: 'users_current_retrieve',
  method: 'get',
  path: `${API}/users/current/`,
  tag: 'users',
  summary: 'Read the caller',
  description: 'The role is the one that the credential permits: a workload has at most CONTRIB.',
  requires: 'read',
  status: 200,
  response: User,
  // The caller may have been deleted in the meantime.
  errorStatuses: [404],
});

const OWN = `${API}/users/current/`;

export const READ_ABILITIES = operation({
  id: 'users_current_abilities_retrieve',
  method: 'get',
  path: `${OWN}abilities/`,
  tag: 'users',
  summary: 'Read the permissions of the caller',
  requires: 'read',
  status: 200,
  response: own.CallerAbilities,
  errorStatuses: [],
});

export const CHANGE_OWN_ACCOUNT = operation({
  id: 'users_current_partial_update',
  method: 'patch',
  path: OWN,
  tag: 'users',
  summary: 'Change the name of the caller, in every organization',
  requires: 'read',
  body: own.OwnAccountPatch,
  status: 200,
  response: User,
  errorStatuses: [404],
});

export const READ_SIGN_IN_METHODS = operation({
  id: 'users_current_sign_in_retrieve',
  method: 'get',
  path: `${OWN}sign-in/`,
  tag: 'users',
  summary: 'Read how the caller can sign in',
  requires: 'read',
  status: 200,
  response: own.SignInMethods,
  errorStatuses: [],
});

export const CHANGE_PASSWORD = operation({
  id: 'users_current_password_create',
  method: 'post',
  path: `${OWN}password/`,
  tag: 'users',
  summary: 'Change the password of the caller and revoke all their tokens',
  requires: 'read',
  body: own.PasswordChange,
  status: 204,
  errorStatuses: [429, 503],
});

export const END_TOKENS = operation({
  id: 'users_current_tokens_destroy',
  method: 'delete',
  path: `${OWN}tokens/`,
  tag: 'users',
  summary: 'Sign out everywhere: revoke all tokens of the caller, in every organization',
  requires: 'read',
  status: 204,
  errorStatuses: [],
});

export const REKEY_SERVICE_ACCOUNT = operation({
  id: 'serviceaccounts_rekey_create',
  method: 'post',
  path: `${API}/serviceaccounts/{id}/rekey/`,
  tag: 'serviceaccounts',
  summary: 'Give a service account a new key, shown once',
  requires: 'create_service_account',
  body: account.ServiceAccountRekey,
  bodyOptional: true,
  status: 200,
  response: account.ServiceAccountCreated,
  errorStatuses: [409],
});

export const peopleOperations = operations([
  {
    id: 'auth_token_create',
    method: 'post',
    path: `${API}/auth/token/`,
    tag: 'auth',
    summary: 'Sign in, or exchange a token for one of another organization',
    requires: 'nothing',
    body: AuthTokenRequest,
    bodyAs: 'json',
    status: 200,
    response: AuthToken,
    errorStatuses: [403, 429, 503],
  },
  READ_CALLER,
  READ_ABILITIES,
  CHANGE_OWN_ACCOUNT,
  READ_SIGN_IN_METHODS,
  CHANGE_PASSWORD,
  END_TOKENS,
  ...standardOperations(USERS),
  ...standardOperations(MEMBERSHIPS).map((operation) =>
    operation.method === 'delete' ? { ...operation, requires: 'read' as const } : operation,
  ),
  ...standardOperations(SERVICE_ACCOUNTS),
  REKEY_SERVICE_ACCOUNT,
  // Every person can create an organization.
  ...standardOperations(ORGANIZATIONS).map((operation) =>
    operation.method === 'post' ? { ...operation, requires: 'read' as const } : operation,
  ),
]);
