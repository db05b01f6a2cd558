/** Lowest first. Upper case because that is how roles travel (behaviour.md §11.1). */
export const ROLES = ['VIEWER', 'CONTRIB', 'ADMIN', 'OWNER'] as const;
export type Role = (typeof ROLES)[number];

/** What a caller may be asked for: the lines of the table in behaviour.md §11.1, and being let in everywhere (§11.5). */
export const ABILITIES = [
  'read',
  'write_content',
  'create_service_account',
  'manage_service_accounts',
  'manage_groups',
  'manage_grants',
  'manage_integrations',
  'manage_webhooks',
  'back_up',
  'invite',
  'change_membership',
  'change_organization',
  'enter_every_scope',
] as const;
export type Ability = (typeof ABILITIES)[number];

/**
 * The lowest role that has the ability; higher roles have it too. `Record` makes the compiler ask for a role when an
 * ability is added. Giving a role (service account, invitation, membership) needs `mayGive` besides.
 */
const LOWEST_ROLE: Readonly<Record<Ability, Role>> = {
  read: 'VIEWER',
  write_content: 'CONTRIB',
  create_service_account: 'CONTRIB',
  manage_service_accounts: 'ADMIN',
  manage_groups: 'ADMIN',
  manage_grants: 'ADMIN',
  manage_integrations: 'ADMIN',
  manage_webhooks: 'ADMIN',
  back_up: 'ADMIN',
  invite: 'ADMIN',
  change_membership: 'ADMIN',
  change_organization: 'OWNER',
  enter_every_scope: 'ADMIN',
};

/** Whether the text names a role. Only the exact upper-case words do (behaviour.md §11.3). */
export function isRole(text: string): text is Role {
  return ROLES.some((role) => role === text);
}

/** Whether `role` is `other` or a higher one. */
export function atLeast(role: Role, other: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(other);
}

/** Whether somebody of this role may do this kind of thing at all. */
export function can(role: Role, ability: Ability): boolean {
  return atLeast(role, LOWEST_ROLE[ability]);
}

/** All that somebody of this role may do. */
export function abilitiesOf(role: Role): readonly Ability[] {
  return ABILITIES.filter((ability) => can(role, ability));
}

/**
 * Nobody gives more rights than they own (domain.md §2.11): creating, inviting or promoting somebody to `given`.
 * The same question decides whose membership may be changed: that of somebody of one's own rank or below.
 */
export function canGrantRole(own: Role, role: Role): boolean {
  return atLeast(own, role);
}
