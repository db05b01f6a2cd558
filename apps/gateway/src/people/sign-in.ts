import * as contract from '@strata/contract';
import { declareObject } from '../schema/object-type.ts';
import type { SchemaPart } from '../schema/schema-part.ts';

/** Sessions, and how the members of an organization sign in. */
export const SIGN_IN_PART: SchemaPart = {
  objects: [
    declareObject({ name: 'Session', of: contract.Session }),
    declareObject({ name: 'SignInProvider', of: contract.SignInProvider }),
    declareObject({
      name: 'SignInPolicy',
      of: contract.SignInPolicy,
      members: { break_glass_owner: { as: 'breakGlassOwnerId', kind: { is: 'id' } } },
      linked: [
        {
          name: 'breakGlassOwner',
          to: 'User',
          about: 'The OWNER who may still sign in with a password.',
          ids: ({ break_glass_owner: id }) => [id],
        },
      ],
    }),
  ],
  reads: [
    {
      operation: 'organizations_sign_in_retrieve',
      name: 'signInPolicy',
      under: 'Organization',
      about: 'How the members sign in. Null for organizations other than the one of the credential.',
    },
  ],
  actions: [
    {
      operation: 'users_current_sessions_destroy',
      name: 'endSession',
      about: 'Ends a session of the caller within one second, with its subscriptions.',
    },
    {
      operation: 'organizations_sign_in_update',
      name: 'updateSignInPolicy',
      about:
        'Changes how the members of the organization sign in. Requiring single sign-on rejects sessions with a password within one second, except those of the break-glass owner.',
    },
  ],
};
