/** The roles from the lowest to the highest. The API spells roles in upper case (behaviour.md §11.1). */
export const ROLES = ['VIEWER', 'CONTRIB', 'ADMIN', 'OWNER'] as const;
export type Role = (typeof ROLES)[number];

/**
 * The abilities that a request can require: the rows of the table in behaviour.md §11.1, and access to every scope
 * (§11.5).
 */
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
  'read_audit_stream',
  'invite',
  'change_membership',
  'change_organization',
  'enter_every_scope',
] as const;
export type Ability = (typeof ABILITIES)[number];

/**
 * Maps each ability to the lowest role that has it; higher roles have it too. `Record` makes the compiler require a
 * role for each new ability. Assigning a role (service account, invitation, membership) also requires `canGrantRole`.
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
  read_audit_stream: 'ADMIN',
  invite: 'ADMIN',
  change_membership: 'ADMIN',
  change_organization: 'OWNER',
  enter_every_scope: 'ADMIN',
};

/** Returns whether the text is a role. Only the exact upper-case names are roles (behaviour.md §11.3). */
export function isRole(text: string): text is Role {
  return ROLES.some((role) => role === text);
}

/** Returns whether `role` is the same as `other` or higher. */
export function atLeast(role: Role, minimum: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(minimum);
}

/**
 * Returns whether a role includes an ability. It describes roles. To decide what a caller may do, use `can`, which takes
 * the limits of the credential into account.
 */
export function roleIncludes(role: Role, ability: Ability): boolean {
  return atLeast(role, LOWEST_ROLE[ability]);
}
