import type { Role } from '@strata/domain';
import { roleWord } from '../../lib/role-word.ts';

/** The roles, lowest first. */
export const ROLES: readonly Role[] = ['VIEWER', 'CONTRIB', 'ADMIN', 'OWNER'];

/** The permissions of each role in the organization. */
export const ROLE_DESCRIPTIONS: Readonly<Record<Role, string>> = {
  VIEWER: 'reads everything that is not restricted',
  CONTRIB: 'also changes projects, environments, parameters and values',
  ADMIN:
    'also manages people, groups, webhooks and integrations, and has access to every restricted project and environment',
  OWNER: 'also changes and deletes the organization',
};

/** The permissions of each role in one project or environment with access control. */
export const GRANT_PERMISSIONS: Readonly<Record<Role, string>> = {
  VIEWER: 'reads its contents',
  CONTRIB: 'also changes its contents',
  ADMIN: 'also changes and deletes it',
  OWNER: 'also gives others access to it',
};

/** Returns the roles that a user may assign: none above the highest one. */
export const rolesUpTo = (highest: string | null | undefined): readonly Role[] =>
  ROLES.slice(0, ROLES.indexOf(highest as Role) + 1);

/** Returns a sentence about a role, such as `An admin also changes and deletes it.` */
export const roleSentence = (role: Role, meanings: Readonly<Record<Role, string>>): string =>
  `${/^[AO]/.test(role) ? 'An' : 'A'} ${roleWord(role)} ${meanings[role]}.`;
