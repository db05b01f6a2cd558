import { Injectable } from '@nestjs/common';
import type { DeliveryAttempt, DeliveryListQuery, WebhookListQuery } from '@strata/contract';
import { type EventType, Failure, forbiddenScopes, type OrganizationId, type Revision } from '@strata/domain';
import type { Caller } from '../../../platform/caller.ts';
import { nameFilters } from '../../../platform/http/filters.ts';
import { buildOrder, conditionAfter, NEWEST_FIRST_ORDER } from '../../../platform/http/list-order.ts';
import { offsetWindow } from '../../../platform/http/page.ts';
import { type PageResult, type RowResult, SnapshotReader } from '../../../platform/postgres/snapshot-reader.ts';
import { wireTime } from '../../../platform/postgres/versioned-table.ts';
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
const WEBHOOK_COLUMNS = `o.id, o.organization_id, o.name, o.event_types, o.channel, o.username, o.masked_token, o.state,
  o.state_reason, ${wireTime('o.created_at')} as created_at, ${wireTime('o.modified_at')} as modified_at`;

const DELIVERIES = `(select d.* from delivery d where d.organization_id = $1)`;
/**
 * SQL condition for messages about forbidden scopes ($5). Such a message dates from a time when the scopes were open.
 * Its text is hidden here, although readers of the channel have seen it.
 */
const REPORTS_ON_FORBIDDEN = `cardinality($5::uuid[]) > 0 and exists (
  select from change c
   where c.organization_id = $1 and c.event_type = any(o.event_types)
     and (c.revision, c.ordinal) > (o.from_revision, o.from_ordinal)
     and (c.revision, c.ordinal) <= (o.to_revision, o.to_ordinal)
     and (c.project_id = any($5) or c.environment_id = any($5)))`;
const DELIVERY_COLUMNS = `o.id, o.webhook_id, o.status, o.event_types, o.events, o.revision, o.attempts,
  case when ${REPORTS_ON_FORBIDDEN} then null else o.text end as text,
  ${wireTime('o.created_at')} as created_at, ${wireTime('o.modified_at')} as modified_at`;

/** Returns the source of the deliveries of one webhook, limited to what the caller may read. */
const deliveryList = (caller: Caller, webhookId: string) => ({
  from: DELIVERIES,
  columns: DELIVERY_COLUMNS,
  values: [forbiddenScopes(caller)],
  filters: [{ sql: 'o.webhook_id = ?::uuid', value: webhookId }],
});

@Injectable()
export class WebhooksReader {
  constructor(private readonly committed: SnapshotReader) {}

  page(organizationId: OrganizationId, query: WebhookListQuery): Promise<PageResult<WebhookRow>> {
    return this.committed.page(
      { organizationId, at: 'now' },
      {
        from: WEBHOOKS,
        columns: WEBHOOK_COLUMNS,
        filters: nameFilters(query),
        order: buildOrder(query.ordering),
        page: offsetWindow(query),
        after: conditionAfter(query.after),
      },
    );
  }

  /** Returns a webhook. Throws 404 if it does not exist or belongs to another organization. */
  readOne(organizationId: OrganizationId, id: string, reader = this.committed): Promise<RowResult<WebhookRow>> {
    const source = { from: WEBHOOKS, columns: WEBHOOK_COLUMNS };
    return reader.retrieve({ organizationId, at: 'now' }, source, id, () => Failure.notFound('Webhook'));
  }

  /** Lists the deliveries of a webhook, latest first. */
  deliveries(caller: Caller, webhookId: string, query: DeliveryListQuery): Promise<PageResult<DeliveryRow>> {
    const source = deliveryList(caller, webhookId);
    const filters = [...source.filters, ...nameFilters({ id__in: query.id__in })];
    if (query.status !== undefined) filters.push({ sql: 'o.status = ?', value: query.status });
    return this.committed.page(
      { organizationId: caller.organizationId, at: 'now' },
      {
        ...source,
        filters,
        order: 'o.created_at desc, o.id',
        page: offsetWindow(query),
        after: conditionAfter(query.after, NEWEST_FIRST_ORDER),
      },
    );
  }

  delivery(caller: Caller, webhookId: string, id: string): Promise<RowResult<DeliveryRow>> {
    const reading = { organizationId: caller.organizationId, at: 'now' } as const;
    return this.committed.retrieve(reading, deliveryList(caller, webhookId), id, () => Failure.notFound('Delivery'));
  }
}
