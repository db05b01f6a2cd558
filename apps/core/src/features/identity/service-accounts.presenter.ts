import type { ServiceAccount, ServiceAccountCreated } from '@strata/contract';
import type { Links } from '../../platform/http/links.ts';
import { presentUser } from './people.ts';
import type { ServiceAccountRow } from './service-accounts.reader.ts';
import type { ServiceAccountWithKey } from './service-accounts.service.ts';

export function presentServiceAccountWithKey(
  { row, apikey }: ServiceAccountWithKey,
  links: Links,
): ServiceAccountCreated {
  return { ...presentServiceAccount(row, links), apikey };
}

export function presentServiceAccount(row: ServiceAccountRow, links: Links): ServiceAccount {
  return {
    url: links.serviceAccount(row.id),
    id: row.id,
    owner: row.owner !== null && row.owner_is_member ? links.user(row.owner) : row.owner,
    user: presentUser(row.user, links),
    role: row.user.role,
    reveals_secrets: row.user.reveals_secrets,
    only_projects: row.only_project_ids?.map(links.project) ?? null,
    description: row.description,
    created_at: row.created_at,
    modified_at: row.modified_at,
    last_used_at: row.last_used_at,
    keys: row.keys.map(({ project_ids: projectIds, environment_ids: environmentIds, scopes, ...key }) => ({
      ...key,
      scopes: [...scopes],
      projects: projectIds?.map(links.project) ?? null,
      environments: environmentIds?.map(links.environment) ?? null,
    })),
  };
}
