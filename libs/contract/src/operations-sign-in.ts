import { AuthToken } from './auth-token.ts';
import { operation, operations } from './operation.ts';
import * as session from './session.ts';
import * as policy from './sign-in-policy.ts';
import * as trust from './trust-rule.ts';

const API = '/api/v1';
const SESSIONS = `${API}/users/current/sessions/`;
const POLICY = `${API}/organizations/{id}/sign-in/`;
const TRUST_RULES = `${API}/serviceaccounts/{serviceaccount_pk}/trust-rules/`;

export const CREATE_SIGN_IN_CODE = operation({
  id: 'auth_code_create',
  method: 'post',
  path: `${API}/auth/code/`,
  tag: 'auth',
  summary: 'Create a code with which a program starts a session of the caller',
  requires: 'read',
  body: session.SignInCodeCreate,
  bodyAs: 'json',
  status: 201,
  response: session.SignInCode,
  errorStatuses: [409],
});

export const END_OWN_SESSION = operation({
  id: 'auth_session_destroy',
  method: 'delete',
  path: `${API}/auth/session/`,
  tag: 'auth',
  summary: 'Sign out: end the session of the request',
  requires: 'read',
  status: 200,
  response: session.SessionEnd,
  errorStatuses: [409],
});

export const LIST_SESSIONS = operation({
  id: 'users_current_sessions_list',
  method: 'get',
  path: SESSIONS,
  tag: 'users',
  summary: 'List the sessions of the caller',
  requires: 'read',
  status: 200,
  response: session.SessionPage,
  errorStatuses: [],
});

export const END_SESSION = operation({
  id: 'users_current_sessions_destroy',
  method: 'delete',
  path: `${SESSIONS}{session}/`,
  tag: 'users',
  summary: 'End a session of the caller',
  requires: 'read',
  status: 204,
  errorStatuses: [404],
});

export const READ_SIGN_IN_POLICY = operation({
  id: 'organizations_sign_in_retrieve',
  method: 'get',
  path: POLICY,
  tag: 'organizations',
  summary: 'Read how members sign in',
  requires: 'read',
  status: 200,
  response: policy.SignInPolicy,
  errorStatuses: [404],
});

export const CHANGE_SIGN_IN_POLICY = operation({
  id: 'organizations_sign_in_update',
  method: 'put',
  path: POLICY,
  tag: 'organizations',
  summary: 'Change how members sign in',
  requires: 'change_organization',
  body: policy.SignInPolicyUpdate,
  bodyAs: 'json',
  status: 200,
  response: policy.SignInPolicy,
  errorStatuses: [404],
});

export const LIST_TRUST_RULES = operation({
  id: 'serviceaccounts_trust_rules_list',
  method: 'get',
  path: TRUST_RULES,
  tag: 'serviceaccounts',
  summary: 'List the trust rules of a service account',
  requires: 'read',
  query: trust.TrustRuleListQuery,
  status: 200,
  response: trust.TrustRulePage,
  errorStatuses: [404],
});

export const CREATE_TRUST_RULE = operation({
  id: 'serviceaccounts_trust_rules_create',
  method: 'post',
  path: TRUST_RULES,
  tag: 'serviceaccounts',
  summary: 'Let workloads with tokens of an issuer act as a service account',
  requires: 'create_service_account',
  body: trust.TrustRuleCreate,
  bodyAs: 'json',
  status: 201,
  response: trust.TrustRule,
  errorStatuses: [404],
});

export const DELETE_TRUST_RULE = operation({
  id: 'serviceaccounts_trust_rules_destroy',
  method: 'delete',
  path: `${TRUST_RULES}{id}/`,
  tag: 'serviceaccounts',
  summary: 'Delete a trust rule, and end the sessions that it started',
  requires: 'create_service_account',
  status: 204,
  errorStatuses: [404],
});

export const signInOperations = operations([
  {
    id: 'auth_session_create',
    method: 'post',
    path: `${API}/auth/session/`,
    tag: 'auth',
    summary: 'Sign in: start a session with a password, a sign-in code or an API key',
    requires: 'nothing',
    body: session.SessionStart,
    bodyAs: 'json',
    status: 200,
    response: AuthToken,
    errorStatuses: [403, 429, 503],
  },
  {
    id: 'auth_exchange_create',
    method: 'post',
    path: `${API}/auth/exchange/`,
    tag: 'auth',
    summary: 'Exchange a token of an identity provider or a workload (RFC 8693)',
    requires: 'nothing',
    body: session.TokenExchange,
    status: 200,
    response: session.ExchangedToken,
    errorStatuses: [403, 429, 503],
  },
  CREATE_SIGN_IN_CODE,
  END_OWN_SESSION,
  LIST_SESSIONS,
  END_SESSION,
  READ_SIGN_IN_POLICY,
  CHANGE_SIGN_IN_POLICY,
  LIST_TRUST_RULES,
  CREATE_TRUST_RULE,
  DELETE_TRUST_RULE,
]);
