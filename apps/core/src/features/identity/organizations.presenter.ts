import type { Organization } from '@strata/contract';
import type { Call } from '../../platform/http/request.ts';
import type { OrganizationRow } from './organizations.reader.ts';

/** Strata is self-hosted, so there is no subscription (behaviour.md §11.6). */
export function presentOrganization(row: OrganizationRow, { links, caller }: Call): Organization {
  return {
    url: links.organization(row.id),
    id: row.id,
    name: row.name,
    project_name_pattern: row.project_name_pattern,
    maintenance: row.maintenance,
    mfa_enabled: false,
    notification_config: row.notification_config,
    version: 3,
    current: row.id === caller.organizationId,
    role: row.role,
    subscription_expires_at: null,
    subscription_features: [],
    subscription_id: null,
    subscription_plan_id: null,
    subscription_plan_name: null,
    created_at: row.created_at,
    modified_at: row.modified_at,
  };
}
