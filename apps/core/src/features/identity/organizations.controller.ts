import { ORGANIZATIONS, type Organization } from '@strata/contract';
import { pathId } from '../../platform/http/links.ts';
import type { Call } from '../../platform/http/request.ts';
import { resourceController } from '../../platform/http/resource-controller.ts';
import { type OrganizationRow, OrganizationsReader } from './organizations.reader.ts';
import { OrganizationsService } from './organizations.service.ts';

/** Callers can list all of their organizations, and change the one that their credential belongs to. */
export const OrganizationsController = resourceController(
  ORGANIZATIONS,
  { reader: OrganizationsReader, organizations: OrganizationsService },
  ({ reader, organizations }) => ({
    readKey: ({ id = '' }) => pathId('Organization', id),
    list: ({ caller, query }) => reader.page(caller, query),
    retrieve: ({ caller, key, reader: snapshotReader }) => reader.readOne(caller, key, snapshotReader),
    createOutsideLedger: async ({ caller, input }) => reader.readOne(caller, await organizations.create(caller, input)),
    change: ({ caller, key, input, precondition }) => organizations.change(caller, key, input, precondition),
    remove: ({ caller, key, precondition }) => organizations.remove(caller, key, precondition),
    presentItem: presentOrganization,
  }),
);

/** Presents an organization. Strata is self-hosted, so there is no subscription (behaviour.md §11.6). */
export function presentOrganization(row: OrganizationRow, { links, caller }: Call): Organization {
  const isCurrent = row.id === caller.organizationId;
  return {
    url: links.organization(row.id),
    id: row.id,
    name: row.name,
    project_name_pattern: row.project_name_pattern,
    read_protection_minutes: row.read_protection_minutes,
    viewers_reveal_secrets: row.viewers_reveal_secrets,
    maintenance: row.maintenance,
    mfa_enabled: false,
    notification_config: row.notification_config,
    version: 3,
    current: isCurrent,
    role: isCurrent ? caller.role : row.role,
    subscription_expires_at: null,
    subscription_features: [],
    subscription_id: null,
    subscription_plan_id: null,
    subscription_plan_name: null,
    created_at: row.created_at,
    modified_at: row.modified_at,
  };
}
