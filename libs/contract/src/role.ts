import { ROLES } from '@strata/domain';
import { vocabulary } from './vocabulary.ts';

export { ROLES };

/** Roles are upper case on the wire (behaviour.md §11.1). */
export const Role = vocabulary(ROLES, {
  name: 'Role',
  description: 'The role of a user or service account.',
  meaning: (role) =>
    ({
      OWNER: 'Has all permissions, including the organization itself.',
      ADMIN: 'Manages people, webhooks and integrations.',
      CONTRIB: 'Changes environments, projects, parameters and values.',
      VIEWER: 'Reads.',
    })[role],
}).meta({ id: 'RoleEnum' });
