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
    declareObject({
      name: 'AccessRequest',
      of: contract.AccessRequest,
      at: 'access/requests/{id}/',
      members: { requester: { to: 'User' }, scope: { to: 'Scope' }, decided_by: { to: 'User' } },
    }),
    declareObject({
      name: 'AccessExplanation',
      of: contract.AccessExplanation,
      linked: [
        {
          name: 'user',
          to: 'User',
          about: 'The person or the service account; null for a former member.',
          ids: ({ user_id: id }) => [id],
        },
      ],
    }),
    declareObject({ name: 'UnusedAccess', of: contract.UnusedAccess }),
    declareObject({ name: 'ExplainedScopeAccess', of: contract.ExplainedScopeAccess }),
    declareObject({ name: 'ExplainedAccessCandidate', of: contract.ExplainedAccessCandidate }),
  ],
  lists: [
    {
      operation: 'access_unused_list',
      of: 'UnusedAccess',
      many: 'unusedAccess',
      about:
        'Rights that were not used for some time, each with the operation of a changeset that removes it, sorted by name.',
    },
    {
      operation: 'access_explain_list',
      of: 'AccessExplanation',
      many: 'explainAccess',
      about:
        'Explains who can read and change the values of a project in an environment, or could at a time. With `who`, the users that it names, also without access; otherwise everyone with access, sorted by name.',
    },
  ],
  nouns: [
    { operations: 'groups', of: 'Group', about: 'The groups of the organization.' },
    { operations: 'grants', of: 'Grant', about: 'The grants of the organization.' },
    {
      operations: 'access_requests',
      of: 'AccessRequest',
      about: 'The access requests of the caller, and those that the caller may decide, newest first.',
    },
  ],
  actions: [
    {
      operation: 'access_requests_approve_create',
      name: 'approveAccess',
      about: 'Approves a request for access. Requires the right to grant the role.',
    },
    {
      operation: 'access_requests_decline_create',
      name: 'declineAccess',
      about: 'Declines a request for access. Requires the right to grant the role.',
    },
    { operation: 'access_requests_revoke_create', name: 'revokeAccess', about: 'Ends approved access early.' },
    { operation: 'groups_add_create', name: 'addToGroup', about: 'Adds a user to a group.' },
    { operation: 'groups_remove_create', name: 'removeFromGroup', about: 'Removes a user from a group.' },
    {
      operation: 'grants_multi_destroy',
      name: 'deleteGrants',
      about: 'Removes all grants that match the filters and returns one of them. At least one filter is required.',
    },
  ],
};
