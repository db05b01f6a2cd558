import { INTEGRATIONS, type IntegrationTask, type ProviderName, type Pull, type Push } from '@strata/contract';
import { canOnScope } from '@strata/domain';
import type { Links } from '../../platform/http/links.ts';
import type { Call } from '../../platform/http/request.ts';
import type { SyncRow, TaskRow } from './sync-row.ts';

type SyncPath = Pick<SyncRow, 'provider' | 'integration_id' | 'direction' | 'id'>;

/** A core of a later release can store providers that this one does not know, and lists must still be readable. */
const providerPath = (provider: ProviderName): string =>
  (INTEGRATIONS as Partial<typeof INTEGRATIONS>)[provider]?.path ?? provider;

const toPath = ({ provider, integration_id: integration, direction, id }: SyncPath) =>
  `integrations/${providerPath(provider)}/${integration}/${direction === 'pull' ? 'pulls' : 'pushes'}/${id}`;

export const integrationLink = (links: Links, provider: ProviderName, id: string) =>
  links.to(`integrations/${providerPath(provider)}/${id}`);

export const syncLink = (links: Links, row: SyncPath) => links.to(toPath(row));

/** Presents a task. Its link is relative to the pull or push. */
export function presentTask(row: TaskRow, exchange: string): IntegrationTask {
  return {
    url: `${exchange}tasks/${row.id}/`,
    id: row.id,
    reason: row.reason,
    dry_run: row.dry_run,
    state: row.state,
    error_code: row.error_code,
    error_detail: row.error_detail,
    created_at: row.created_at,
    modified_at: row.modified_at,
    next_attempt_at: row.next_attempt_at,
  };
}

function head(row: SyncRow, links: Links) {
  const url = syncLink(links, row);
  return {
    url,
    id: row.id,
    name: row.name,
    description: row.description,
    latest_task: row.latest_task && presentTask(row.latest_task, url),
    latest_result: row.latest_result && presentTask(row.latest_result, url),
    created_at: row.created_at,
    modified_at: row.modified_at,
  };
}

/** Returns the region and service, which only some providers have. */
function location({ provider, region, service }: SyncRow) {
  return INTEGRATIONS[provider].hasLocation ? { region: region ?? '', service: service ?? '' } : {};
}

const isOn = ({ options }: SyncRow, option: string) => options[option] ?? false;

export function presentPull(row: SyncRow, links: Links): Pull {
  return {
    ...head(row, links),
    create_environments: isOn(row, 'create_environments'),
    create_projects: isOn(row, 'create_projects'),
    dry_run: isOn(row, 'dry_run'),
    mapped_values: [],
    mode: row.mode,
    ...location(row),
    ...(INTEGRATIONS[row.provider].open && { resource: row.resource }),
  };
}

/** Presents a push. Leaves out tags of forbidden environments. */
export function presentPush(row: SyncRow, { links, caller }: Call): Push {
  return {
    ...head(row, links),
    coerce_parameters: isOn(row, 'coerce_parameters'),
    include_parameters: isOn(row, 'include_parameters'),
    include_secrets: isOn(row, 'include_secrets'),
    include_templates: isOn(row, 'include_templates'),
    dry_run: isOn(row, 'dry_run'),
    force: isOn(row, 'force'),
    local: isOn(row, 'local'),
    projects: row.projects.map(links.project),
    tags: row.tags
      .filter(({ environment_id: environment }) => canOnScope(caller, 'read', environment))
      .map(({ id, environment_id: environment }) => links.tag(environment, id)),
    ...location(row),
    resource: row.resource,
  };
}

/**
 * Presents the pushes of a project or tag. The contract requires complete pushes of one provider only, and the links of
 * all pushes.
 */
export function presentPushes(rows: readonly SyncRow[], call: Call) {
  return {
    pushes: rows.filter(({ provider }) => provider === 'aws').map((row) => ({ ...presentPush(row, call) })),
    push_urls: rows.map((row) => syncLink(call.links, row)),
  };
}
