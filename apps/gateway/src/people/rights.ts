import * as contract from '@strata/contract';
import { action } from '../graphql/action.ts';
import { resource } from '../graphql/resource.ts';
import { shape } from '../graphql/shape.ts';

const Group = shape(
  'Group',
  'Users who are given rights together.',
  contract.Group,
  {
    name: 'Unique in the organization.',
    description: 'What it is for; may be empty.',
    users: { about: 'Ids of its members.', to: ['User', 'Its members.'] },
  },
  { at: 'groups/{id}/' },
);

const Grant = shape(
  'Grant',
  'What a user or group may do in one project or environment.',
  contract.Grant,
  {
    principal: { about: 'Id of the user or group.', to: ['Principal', 'The user or group.'] },
    scope: { about: 'Id of the project or environment.', to: ['Scope', 'The project or environment.'] },
    role: 'What they may do there.',
  },
  { at: 'grants/{id}/' },
);

export const RIGHTS = [
  ...resource({
    operations: 'groups',
    of: Group,
    about: 'The groups of the organization.',
    inputs: { users: 'Ids of its members; the whole set.' },
  }).resolvers,
  action({ operation: 'groups_add_create', name: 'addToGroup', about: 'Puts somebody into a group.' }),
  action({ operation: 'groups_remove_create', name: 'removeFromGroup', about: 'Takes somebody out of a group.' }),
  ...resource({
    operations: 'grants',
    of: Grant,
    about: 'Who was given which role where.',
    inputs: {
      principal: 'Id of the user or group.',
      scope: 'Id of the project or environment.',
    },
  }).resolvers,
  action({
    operation: 'grants_multi_destroy',
    name: 'deleteGrants',
    about: 'Removes all grants that match, or none; answers one of them. At least one filter is needed.',
  }),
];
