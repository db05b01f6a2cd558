import * as contract from '@strata/contract';
import { action } from '../graphql/action.ts';
import { resource } from '../graphql/resource.ts';
import { shape } from '../graphql/shape.ts';

export const User = shape(
  'User',
  'A person or a service account.',
  contract.User,
  {
    type: 'Whether this is a person.',
    name: 'Its name.',
    organization_name: 'Name of the organization it was looked at in.',
    membership_id: 'Id of its membership there.',
    role: { about: 'What it may do there.', kind: { is: 'word', words: contract.ROLES } },
    email: 'E-mail address; a synthetic one for service accounts.',
    picture_url: { about: 'Link of a picture.', kind: { is: 'text' } },
  },
  { at: 'users/{id}/' },
);

export const Organization = shape(
  'Organization',
  'The house that everything belongs to. Nothing of another one can be seen.',
  contract.Organization,
  {
    name: 'Its name.',
    project_name_pattern: 'Pattern that names of projects must match; empty for any.',
    maintenance: 'Whether it is closed for maintenance.',
    mfa_enabled: 'Whether its people need a second factor.',
    notification_config: 'Kept for programs that set it; webhooks do not look at it.',
    version: 'Version of its data.',
    current: 'Whether the credential is for it.',
    role: "The caller's role in it.",
    subscription_expires_at: 'When its subscription ends.',
    subscription_features: 'What its subscription includes.',
    subscription_id: 'Id of its subscription.',
    subscription_plan_id: 'Id of its plan.',
    subscription_plan_name: 'Name of its plan.',
  },
  { at: 'organizations/{id}/' },
);

const Membership = shape(
  'Membership',
  'What somebody may do in the organization.',
  contract.Membership,
  {
    user: { about: 'Id of the person or service account.', to: ['User', 'The person or service account.'] },
    organization: { about: 'Id of the organization.', to: ['Organization', 'The organization.'] },
    role: 'What they may do.',
  },
  { at: 'memberships/{id}/' },
);

const invitation = {
  email: 'Address of the invited person.',
  role: 'The role they will have.',
  inviter: { about: 'Id of who invited them.', to: ['User', 'Who invited them.'] },
  inviter_name: 'Name of who invited them.',
  state: 'How far it came.',
  state_detail: 'More about it.',
  membership: { about: 'Id of the membership it led to.', to: ['Membership', 'The membership it led to.'] },
  organization: { about: 'Id of the organization.', to: ['Organization', 'The organization.'] },
} as const;

const Invitation = shape('Invitation', 'A way into the organization for one person.', contract.Invitation, invitation, {
  at: 'invitations/{id}/',
});

shape(
  'NewInvitation',
  'An invitation with the token that lets the invited person accept.',
  contract.InvitationCreated,
  { ...invitation, token: 'Hand it to the invited person. Shown once; only a hash of it is kept.' },
);

shape('ApiKey', 'A key of a service account, without the key itself.', contract.ApiKey, {
  name: 'Its name.',
  prefix: 'Its first characters, by which it is known.',
  revoked: 'Whether it was taken back.',
  has_expired: 'Whether its time is over.',
  created: 'When it was made.',
  expiry_date: 'When its time is over; null for never.',
});

const account = {
  owner: 'Who answers for it.',
  user: 'The account as everybody sees it.',
  role: 'What it may do.',
  description: 'What it is for; may be empty.',
  last_used_at: 'When its key was used last.',
  keys: 'Its keys.',
} as const;

const ServiceAccount = shape('ServiceAccount', 'A program with a key of its own.', contract.ServiceAccount, account, {
  at: 'serviceaccounts/{id}/',
});

shape('NewServiceAccount', 'A service account with its key.', contract.ServiceAccountCreated, {
  ...account,
  apikey: 'The key. Shown once; only a hash of it is kept.',
});

shape('AuthToken', 'A credential for a while.', contract.AuthToken, {
  access_token: 'Send it as `Authorization: Bearer …`.',
  token_type: { about: 'Always Bearer.', kind: { is: 'text' } },
  expires_in: 'For how many seconds it holds.',
  organization: { about: 'Id of the organization it is for.', kind: { is: 'id' }, as: 'organizationId' },
});

const expiry = { expire_at: 'When the new key ends; null for never.' };

export const PEOPLE = [
  ...resource({ operations: 'users', of: User, about: 'People and service accounts, by name.' }).resolvers,
  ...resource({
    operations: 'organizations',
    of: Organization,
    about: 'The organizations that the caller belongs to.',
  }).resolvers,
  ...resource({
    operations: 'memberships',
    of: Membership,
    about: 'Who may do what.',
    inputs: { user: 'The person.', role: 'What they may do.' },
  }).resolvers,
  ...resource({
    operations: 'invitations',
    of: Invitation,
    about: 'The invitations of the organization.',
  }).resolvers,
  action({
    operation: 'invitations_accept_create',
    name: 'acceptInvitation',
    judgesCredentials: true,
    about: 'Accepts an invitation, as the invited person, or without a credential by token and a new password.',
    inputs: {
      token: 'The token of the invitation; needed without a credential.',
      password: 'The password to have; needed without a credential.',
      name: 'The name to have.',
    },
  }),
  action({
    operation: 'invitations_resend_create',
    name: 'resendInvitation',
    about: 'Renews an invitation: a new token, and the old one stops working.',
  }),
  ...resource({
    operations: 'serviceaccounts',
    of: ServiceAccount,
    about: 'The service accounts of the organization.',
    inputs: {
      name: 'Its name.',
      role: 'What it may do; VIEWER when left out.',
      owner: 'Who answers for it.',
    },
  }).resolvers,
  action({
    operation: 'serviceaccounts_rekey_create',
    name: 'rekeyServiceAccount',
    about: 'Gives a service account a new key, shown once; the old one stops working.',
    inputs: expiry,
  }),
  action({
    operation: 'auth_token_create',
    name: 'signIn',
    judgesCredentials: true,
    about:
      'Signs in with e-mail address and password, or exchanges the token of the caller for one of another organization.',
    inputs: {
      email: 'E-mail address.',
      password: 'Password.',
      organization: 'Id of the organization that the token shall be for.',
    },
  }),
];
