import * as contract from '@strata/contract';
import { enumKind } from '../schema/member.ts';
import { declareObject } from '../schema/object-type.ts';
import type { SchemaPart } from '../schema/schema-part.ts';

const invitation = {
  inviter: { to: 'User' },
  membership: { to: 'Membership' },
  organization: { to: 'Organization' },
} as const;

export const PEOPLE_PART: SchemaPart = {
  objects: [
    declareObject({
      name: 'User',
      of: contract.User,
      at: 'users/{id}/',
      members: { role: { kind: enumKind(contract.Role) } },
      linked: [
        {
          name: 'membership',
          to: 'Membership',
          about: 'The membership in the current organization.',
          ids: (row) => [row.membership_id],
        },
      ],
    }),
    declareObject({ name: 'Organization', of: contract.Organization, at: 'organizations/{id}/' }),
    declareObject({
      name: 'Membership',
      of: contract.Membership,
      at: 'memberships/{id}/',
      members: { user: { to: 'User' }, organization: { to: 'Organization' } },
    }),
    declareObject({ name: 'Invitation', of: contract.Invitation, at: 'invitations/{id}/', members: invitation }),
    declareObject({ name: 'NewInvitation', of: contract.InvitationCreated, members: invitation }),
    declareObject({ name: 'InvitationOffer', of: contract.InvitationOffer }),
    declareObject({ name: 'ApiKey', of: contract.ApiKey }),
    declareObject({ name: 'ServiceAccount', of: contract.ServiceAccount, at: 'serviceaccounts/{id}/' }),
    declareObject({ name: 'TrustRule', of: contract.TrustRule }),
    declareObject({ name: 'NewServiceAccount', of: contract.ServiceAccountCreated }),
    declareObject({ name: 'LinkedProvider', of: contract.SignInMethods.shape.providers.element }),
    declareObject({ name: 'SignInMethods', of: contract.SignInMethods }),
    declareObject({
      name: 'ScopeAbilities',
      of: contract.ScopeAbilities,
      members: { scope: { as: 'scopeId', kind: { is: 'id' } } },
    }),
    declareObject({ name: 'CallerAbilities', of: contract.CallerAbilities }),
    declareObject({
      name: 'AuthToken',
      of: contract.AuthToken,
      members: { organization: { as: 'organizationId', kind: { is: 'id' } } },
    }),
  ],
  nouns: [
    { operations: 'users', of: 'User', about: 'People and service accounts, by name.' },
    { operations: 'organizations', of: 'Organization', about: 'The organizations that the caller belongs to.' },
    { operations: 'memberships', of: 'Membership', about: 'The memberships of the organization.' },
    { operations: 'invitations', of: 'Invitation', about: 'The invitations of the organization.' },
    { operations: 'serviceaccounts', of: 'ServiceAccount', about: 'The service accounts of the organization.' },
    {
      operations: 'serviceaccounts_trust_rules',
      of: 'TrustRule',
      under: 'ServiceAccount',
      except: ['one'],
      about: 'The trust rules of the service account, oldest first.',
    },
  ],
  reads: [
    {
      operation: 'invitations_offer_create',
      name: 'invitationOffer',
      about: 'The details of an invitation, for the holder of its token; null if the token is wrong.',
    },
  ],
  actions: [
    {
      operation: 'invitations_accept_create',
      name: 'acceptInvitation',
      judgesCredentials: true,
      about:
        'Accepts an invitation with the credential of the invited person, or without a credential by token and a new password.',
    },
    {
      operation: 'invitations_resend_create',
      name: 'resendInvitation',
      about: 'Renews an invitation with a new token. The old token stops working.',
    },
    {
      operation: 'serviceaccounts_rekey_create',
      name: 'rekeyServiceAccount',
      about:
        'Creates a new key for a service account, which is shown once. The old key stops working at once, or after the overlap.',
    },
    {
      operation: 'auth_token_create',
      name: 'signIn',
      judgesCredentials: true,
      about:
        'Signs in with e-mail address and password, or exchanges the token of the caller for one of another organization.',
    },
    {
      operation: 'users_current_partial_update',
      name: 'changeOwnName',
      about: 'Changes the name of the caller, in every organization.',
    },
    {
      operation: 'users_current_password_create',
      name: 'changePassword',
      about:
        'Changes the password of the caller and revokes all their tokens, including the current one. Sign in again afterwards.',
    },
    {
      operation: 'users_current_tokens_destroy',
      name: 'signOutEverywhere',
      about:
        'Revokes all tokens of the caller in every organization within one second. Their sessions and subscriptions end as well.',
    },
  ],
};
