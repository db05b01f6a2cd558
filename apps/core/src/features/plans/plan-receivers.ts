import type { NotifiedDestination, StartedPush, ToldWebhook } from '@strata/contract';
import { canReceive, contractEventType, nonContractEventType, type OrganizationId, passesFilter } from '@strata/domain';
import { readScopesWithoutMembership } from '../../platform/auth/scope-rows.ts';
import type { Change } from '../../platform/ledger/change.ts';
import type { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { findMovedPushes } from '../integrations/moved-pushes.ts';

/** Returns the webhooks that subscribe to the changes. It uses their configuration after the changes. */
export async function notifiedWebhooks(
  reader: SnapshotReader,
  organizationId: OrganizationId,
  changes: readonly Change[],
): Promise<readonly ToldWebhook[]> {
  const types = [...new Set(changes.flatMap(({ eventType }) => eventType ?? []))];
  if (types.length === 0) return [];
  return reader.query<ToldWebhook>(
    `select id, name from webhook
      where organization_id = $1 and state = 'active' and event_types && $2::text[] order by name, id`,
    [organizationId, types],
  );
}

interface DestinationRow extends NotifiedDestination {
  readonly event_types: readonly string[];
  readonly project_ids: readonly string[];
  readonly environment_ids: readonly string[];
  readonly parameter_names: readonly string[];
}

/** Returns the destinations whose filter selects one of the changes. Like messages, it leaves out controlled scopes. */
export async function notifiedDestinations(
  reader: SnapshotReader,
  organizationId: OrganizationId,
  changes: readonly Change[],
): Promise<readonly NotifiedDestination[]> {
  const destinations = await reader.query<DestinationRow>(
    `select id, name, type, event_types, project_ids, environment_ids, parameter_names from destination
      where organization_id = $1 and state = 'active' order by name, id`,
    [organizationId],
  );
  if (destinations.length === 0) return [];
  const outsider = {
    organizationId,
    role: 'VIEWER',
    scopes: await readScopesWithoutMembership(reader, organizationId),
  } as const;
  const events = changes.flatMap(({ objectType, action, project = null, environment = null, parameter = null }) => {
    if (action !== 'create' && action !== 'update' && action !== 'delete') return [];
    const type = contractEventType(objectType, action) ?? nonContractEventType(objectType, action);
    const event = { type: type ?? '', project, environment, parameter };
    return type !== null && canReceive(outsider, { organizationId, event }) ? [event] : [];
  });
  return destinations
    .filter(({ event_types: eventTypes, ...row }) => {
      const ids = { projectIds: row.project_ids, environmentIds: row.environment_ids };
      const filter = { eventTypes, ...ids, parameterNames: row.parameter_names };
      return events.some((event) => passesFilter(filter, event));
    })
    .map(({ id, name, type }) => ({ id, name, type }));
}

/** Returns the pushes that the changes start. */
export async function findStartedPushes(
  reader: SnapshotReader,
  organizationId: OrganizationId,
  changes: readonly Change[],
  at: string,
): Promise<readonly StartedPush[]> {
  const pushes = await findMovedPushes((sql, values) => reader.query(sql, values), organizationId, changes, at);
  return pushes.map(({ pushes_secrets: _, ...push }) => push);
}
