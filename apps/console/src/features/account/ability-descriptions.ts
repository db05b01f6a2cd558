import type { Ability } from '@strata/domain';

/** Describes the permissions of a role. */
export const ABILITY_WORDS: Readonly<Record<Ability, string>> = {
  read: 'read',
  write_content: 'change environments, projects, parameters and values',
  create_service_account: 'create service accounts and their keys',
  manage_service_accounts: 'change and remove service accounts',
  manage_groups: 'manage groups',
  manage_grants: 'give access to projects and environments',
  manage_integrations: 'manage integrations',
  manage_webhooks: 'manage webhooks',
  back_up: 'take backups',
  read_audit_stream: 'send the audit to other systems',
  invite: 'invite people',
  change_membership: 'change roles of members and remove them',
  change_organization: 'change and delete the organization',
  enter_every_scope: 'see every project and environment, including restricted ones',
};
