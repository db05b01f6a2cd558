import { Injectable } from '@nestjs/common';
import type { DeliveryAttempt, DeliveryListQuery, WebhookListQuery } from '@strata/contract';
import { type EventType, Failure, forbiddenScopes, type OrganizationId, type Revision } from '@strata/domain';
import type { Caller } from '../../../platform/caller.ts';
import { nameFilters } from '../../../platform/http/filters.ts';
import { newestPage, requestedPage } from '../../../platform/http/page.ts';
import { type PageResult, type RowResult, SnapshotReader } from '../../../platform/postgres/snapshot-reader.ts';
import { wireTimeSql } from '../../../platform/postgres/versioned-table.ts';
import type { DeliveryStatus } from '../delivery/delivery-store.ts';

/** A row of a webhook. It contains the masked token only. */
export interface WebhookRow {
  readonly id: string;
  readonly organization_id: OrganizationId;
  readonly name: string;
  readonly event_types: EventType[];
  readonly channel: string;
  readonly username: string;
  readonly masked_token: string;
  readonly state: 'active' | 'suspended';
  readonly state_reason: string | null;
  readonly created_at: string;
  readonly modified_at: string;
}

export interface DeliveryRow {
  readonly id: string;
  readonly webhook_id: string;
  readonly status: DeliveryStatus;
  readonly event_types: EventType[];
  readonly events: number;
  readonly revision: Revision | null;
  /** Null if the message reports on a scope that the caller may not read. */
  readonly text: string | null;
  readonly attempts: DeliveryAttempt[];
  readonly created_at: string;
  readonly modified_at: string;
}

const WEBHOOKS = `(select organization_id, id, name, event_types, channel, username, masked_token, state, state_reason,
                          created_at, modified_at from webhook where organization_id = $1)`;
const WEBHOOK_COLUMNS = `object.id, object.organization_id, object.name, object.event_types, object.channel, object.username, object.masked_token, object.state,
  object.state_reason, ${wireTimeSql('object.created_at')} as created_at, ${wireTimeSql('object.modified_at')} as modified_at`;

const DELIVERIES = `(select delivery.* from delivery where delivery.organization_id = $1)`;
/**
 * SQL condition for messages about forbidden scopes ($5). Such a message dates from a time when the scopes were open.
 * Its text is hidden here, although readers of the channel have seen it.
 */
const REPORTS_ON_FORBIDDEN = reportsOnForbidden('change.event_type = any(object.event_types)');

/** Returns the condition, with another one that selects the changes that a message reports. */
export function reportsOnForbidden(isReported: string): string {
  return `cardinality($5::uuid[]) > 0 and exists (
  select from change
   where change.organization_id = $1 and ${isReported}
     and (change.revision, change.ordinal) > (object.from_revision, object.from_ordinal)
     and (change.revision, change.ordinal) <= (object.to_revision, object.to_ordinal)
     and (change.project_id = any($5) or change.environment_id = any($5)))`;
}
const DELIVERY_COLUMNS = `object.id, object.webhook_id, object.status, object.event_types, object.events, object.revision, object.attempts,
  case when ${REPORTS_ON_FORBIDDEN} then null else object.text end as text,
  ${wireTimeSql('object.created_at')} as created_at, ${wireTimeSql('object.modified_at')} as modified_at`;

/** Returns the source of the deliveries of one webhook, limited to what the caller may read. */
const deliveryList = (caller: Caller, webhookId: string) => ({
  from: DELIVERIES,
  columns: DELIVERY_COLUMNS,
  values: [forbiddenScopes(caller)],
  filters: [{ sql: 'object.webhook_id = ?::uuid', value: webhookId }],
});

@Injectable()
export class WebhooksReader {
  constructor(private readonly snapshotReader: SnapshotReader) {}

  page(organizationId: OrganizationId, query: WebhookListQuery): Promise<PageResult<WebhookRow>> {
    return this.snapshotReader.page(
      { organizationId, at: 'now' },
      {
        from: WEBHOOKS,
        columns: WEBHOOK_COLUMNS,
        filters: nameFilters(query),
        ...requestedPage(query),
      },
    );
  }

  /** Returns a webhook. Throws 404 if it does not exist or belongs to another organization. */
  readOne(organizationId: OrganizationId, id: string, reader = this.snapshotReader): Promise<RowResult<WebhookRow>> {
    const source = { from: WEBHOOKS, columns: WEBHOOK_COLUMNS };
    return reader.retrieve({ organizationId, at: 'now' }, source, id, () => Failure.notFound('Webhook'));
  }

  /** Lists the deliveries of a webhook, latest first. */
  deliveries(caller: Caller, webhookId: string, query: DeliveryListQuery): Promise<PageResult<DeliveryRow>> {
    const source = deliveryList(caller, webhookId);
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

  delivery(caller: Caller, webhookId: string, id: string): Promise<RowResult<DeliveryRow>> {
    const readOptions = { organizationId: caller.organizationId, at: 'now' } as const;
    return this.snapshotReader.retrieve(readOptions, deliveryList(caller, webhookId), id, () =>
      Failure.notFound('Delivery'),
    );
  }
}
