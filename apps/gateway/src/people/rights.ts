import * as contract from '@strata/contract';
import { declareObject } from '../schema/object-type.ts';
import type { SchemaPart } from '../schema/schema-part.ts';

export const RIGHTS_PART: SchemaPart = {
  objects: [
    declareObject({ name: 'Group', of: contract.Group, at: 'groups/{id}/', members: { users: { to: 'User' } } }),
    declareObject({
      name: 'Grant',
      of: contract.Grant,
      at: 'grants/{id}/',
      members: { principal: { to: 'Principal' }, scope: { to: 'Scope' } },
    }),
  ],
  nouns: [
    { operations: 'groups', of: 'Group', about: 'The groups of the organization.' },
    { operations: 'grants', of: 'Grant', about: 'The grants of the organization.' },
  ],
  actions: [
    { operation: 'groups_add_create', name: 'addToGroup', about: 'Adds a user to a group.' },
    { operation: 'groups_remove_create', name: 'removeFromGroup', about: 'Removes a user from a group.' },
    {
      operation: 'grants_multi_destroy',
      name: 'deleteGrants',
      about: 'Removes all grants that match the filters and returns one of them. At least one filter is required.',
    },
  ],
};
