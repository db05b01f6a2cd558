import { ROLES } from '@strata/domain';
import { vocabulary } from './vocabulary.ts';

export { ROLES };

/** Upper case on the wire (behaviour.md §11.1). */
export const Role = vocabulary(ROLES, {
  name: 'Role',
  description: 'What a person or service account may do.',
  meaning: (role) =>
    ({
      OWNER: 'Everything, including the organization itself.',
      ADMIN: 'Manages people, webhooks and integrations.',
      CONTRIB: 'Changes environments, projects, parameters and values.',
      VIEWER: 'Reads.',
    })[role],
}).meta({ id: 'RoleEnum' });
