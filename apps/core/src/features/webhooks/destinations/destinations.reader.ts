import { Injectable } from '@nestjs/common';
import type {
  DeliveryAttempt,
  Destination,
  DestinationDelivery,
  DestinationDeliveryListQuery,
  DestinationListQuery,
} from '@strata/contract';
import { Failure, forbiddenScopes, type OrganizationId } from '@strata/domain';
import type { Caller } from '../../../platform/caller.ts';
import { nameFilters } from '../../../platform/http/filters.ts';
import { newestPage, requestedPage } from '../../../platform/http/page.ts';
import { type PageResult, type RowResult, SnapshotReader } from '../../../platform/postgres/snapshot-reader.ts';
import { wireTimeSql } from '../../../platform/postgres/versioned-table.ts';
import { reportsOnForbidden } from './webhooks.reader.ts';

/** A row of a destination. It contains no credentials. */
export interface ShownDestination
  extends Pick<
    Destination,
    | 'id'
    | 'name'
    | 'type'
    | 'event_types'
    | 'parameter_names'
    | 'recipients'
    | 'envelope'
    | 'signing'
    | 'public_keys'
    | 'previous_secret_until'
    | 'expiry_days'
    | 'state'
    | 'state_reason'
    | 'failing_since'
    | 'created_at'
  > {
  readonly masked_address: string | null;
  /** The scopes of the filter, including deleted ones. */
  readonly project_ids: readonly string[];
  readonly environment_ids: readonly string[];
  /** The owner, if they are a member. */
  readonly owner_id: string | null;
  readonly modified_at: string;
}

export interface DestinationDeliveryRow
  extends Pick<
    DestinationDelivery,
    | 'id'
    | 'message_id'
    | 'kind'
    | 'status'
    | 'event_types'
    | 'events'
    | 'revision'
    | 'text'
    | 'created_at'
    | 'modified_at'
  > {
  readonly destination_id: string;
  readonly attempts: DeliveryAttempt[];
  /** When the destination makes its next attempt; null if it is suspended. */
  readonly next_attempt_at: string | null;
}

const DESTINATIONS = '(select * from destination where organization_id = $1)';
/** The scopes of the filter. They include deleted ones, because a filter without ids selects all scopes. */
const selected = (table: string) =>
  `array(select selected.id from unnest(object.${table}_ids) selected(id)
    left join ${table} on ${table}.organization_id = $1 and ${table}.id = selected.id
   order by ${table}.name, selected.id) as ${table}_ids`;
const COLUMNS = `object.id, object.name, object.type, object.event_types, ${selected('project')}, ${selected('environment')}, object.parameter_names,
  object.masked_address, object.recipients, object.envelope, object.signing, object.expiry_days, object.state, object.state_reason,
  array_remove(array[object.public_key,
    case when object.previous_secret_until > clock_timestamp() then object.previous_public_key end], null) as public_keys,
  case when object.previous_secret_until > clock_timestamp()
       then ${wireTimeSql('object.previous_secret_until')} end as previous_secret_until,
  (select person_id from membership where membership.organization_id = $1 and person_id = object.owner_id) as owner_id,
  ${wireTimeSql('object.failing_since')} as failing_since,
  ${wireTimeSql('object.created_at')} as created_at, ${wireTimeSql('object.modified_at')} as modified_at`;

const DELIVERIES = `(
  select delivery.*, destination.state, destination.next_attempt_at from delivery
    join destination on destination.organization_id = delivery.organization_id and destination.id = delivery.destination_id
   where delivery.organization_id = $1)`;
/** The ledger stores no event type for the types beyond the contract, so every such change counts as reported. */
const REPORTS_ON_FORBIDDEN = reportsOnForbidden(
  '(change.event_type is null or change.event_type = any(object.event_types))',
);
/** The same condition for reminders, whose contents are not changes. */
const REMINDS_OF_FORBIDDEN = `exists (
  select from jsonb_array_elements(object.content) expiring
   where (expiring #>> '{project,id}')::uuid = any($5) or (expiring #>> '{environment,id}')::uuid = any($5))`;
const DELIVERY_COLUMNS = `object.id, object.destination_id, coalesce(object.message_id, object.id) as message_id, object.kind, object.status, object.event_types,
  object.events, object.revision, object.attempts,
  case when ${REPORTS_ON_FORBIDDEN} or ${REMINDS_OF_FORBIDDEN} then null else object.text end as text,
  case when object.status in ('queued', 'retrying') and object.state = 'active'
       then ${wireTimeSql('object.next_attempt_at')} end as next_attempt_at,
  ${wireTimeSql('object.created_at')} as created_at, ${wireTimeSql('object.modified_at')} as modified_at`;

/** Returns the source of the deliveries of one destination, limited to what the caller may read. */
const deliveryList = (caller: Caller, destinationId: string) => ({
  from: DELIVERIES,
  columns: DELIVERY_COLUMNS,
  values: [forbiddenScopes(caller)],
  filters: [{ sql: 'object.destination_id = ?::uuid', value: destinationId }],
});

@Injectable()
export class DestinationsReader {
  constructor(private readonly snapshotReader: SnapshotReader) {}

  page(organizationId: OrganizationId, query: DestinationListQuery): Promise<PageResult<ShownDestination>> {
    const filters = [...nameFilters(query)];
    if (query.type !== undefined) filters.push({ sql: 'object.type = ?', value: query.type });
    return this.snapshotReader.page(
      { organizationId, at: 'now' },
      {
        from: DESTINATIONS,
        columns: COLUMNS,
        filters,
        ...requestedPage(query),
      },
    );
  }

  /** Returns a destination. Throws 404 if it does not exist or belongs to another organization. */
  readOne(
    organizationId: OrganizationId,
    id: string,
    reader = this.snapshotReader,
  ): Promise<RowResult<ShownDestination>> {
    return reader.retrieve({ organizationId, at: 'now' }, { from: DESTINATIONS, columns: COLUMNS }, id, () =>
      Failure.notFound('Destination'),
    );
  }

  /** Lists the deliveries of a destination, latest first. */
  deliveries(
    caller: Caller,
    destinationId: string,
    query: DestinationDeliveryListQuery,
  ): Promise<PageResult<DestinationDeliveryRow>> {
    const source = deliveryList(caller, destinationId);
    const filters = [...source.filters, ...nameFilters({ id__in: query.id__in })];
    if (query.status !== undefined) filters.push({ sql: 'object.status = ?', value: query.status });
    return this.snapshotReader.page(
      { organizationId: caller.organizationId, at: 'now' },
      {
        ...source,
        filters,
        ...newestPage(query),
      },
    );
  }

  delivery(caller: Caller, destinationId: string, id: string): Promise<RowResult<DestinationDeliveryRow>> {
    const readOptions = { organizationId: caller.organizationId, at: 'now' } as const;
    return this.snapshotReader.retrieve(readOptions, deliveryList(caller, destinationId), id, () =>
      Failure.notFound('Delivery'),
    );
  }
}
