import * as contract from '@strata/contract';
import { object } from '../schema/object-type.ts';
import type { SchemaPart } from '../schema/schema-part.ts';

export const RIGHTS: SchemaPart = {
  objects: [
    object({ name: 'Group', of: contract.Group, at: 'groups/{id}/', members: { users: { to: 'User' } } }),
    object({
      name: 'Grant',
      of: contract.Grant,
      at: 'grants/{id}/',
      members: { principal: { to: 'Principal' }, scope: { to: 'Scope' } },
    }),
  ],
  nouns: [
    { operations: 'groups', of: 'Group', about: 'The groups of the organization.' },
    { operations: 'grants', of: 'Grant', about: 'Who was given which role where.' },
  ],
  actions: [
    { operation: 'groups_add_create', name: 'addToGroup', about: 'Puts somebody into a group.' },
    { operation: 'groups_remove_create', name: 'removeFromGroup', about: 'Takes somebody out of a group.' },
    {
      operation: 'grants_multi_destroy',
      name: 'deleteGrants',
      about: 'Removes all grants that match, or none; answers one of them. At least one filter is needed.',
    },
  ],
};
