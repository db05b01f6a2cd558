import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { type DestinationFilter, Failure, type OrganizationId, type Position } from '@strata/domain';
import { type MessageContent, RATE_LIMITED } from '@strata/webhooks';
import { DataSource } from 'typeorm';
import type { Caller } from '../../../platform/caller.ts';
import { poolOf } from '../../../platform/postgres/data-source.ts';
import { Backlog } from './backlog.ts';
import type { Channel, FinalOutcome } from './channel.ts';
import { Channels, type TargetRow } from './channels.ts';
import { DeliverySettings } from './delivery-settings.ts';
import { type DeliveryKind, type DeliveryStatus, DeliveryStore, type NewDelivery, toFilter } from './delivery-store.ts';
import type { TargetTable } from './jobs.ts';

/** A delivery whose events can be sent again. */
export interface StoredDelivery {
  readonly id: string;
  readonly kind: DeliveryKind;
  readonly status: DeliveryStatus;
  readonly event_types: string[];
  readonly events: number;
  readonly message_id: string | null;
  readonly filter: DestinationFilter | null;
  readonly epoch: string | null;
  readonly from_revision: number;
  readonly from_ordinal: number;
  readonly to_revision: number;
  readonly to_ordinal: number;
}

const STATUS: Record<FinalOutcome['kind'], DeliveryStatus> = {
  delivered: 'delivered',
  park: 'parked',
  suspend: 'parked',
  retry: 'exhausted',
  ambiguous: 'unknown',
};
const OBJECTS: Readonly<Record<TargetTable, string>> = { webhook: 'Webhook', destination: 'Destination' };

/** Sends messages on request: immediately, only once, and independent of the queue. */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly store: DeliveryStore,
    private readonly backlog: Backlog,
    private readonly channels: Channels,
    private readonly settings: DeliverySettings,
  ) {}

  /** Sends a test message in the same way as a real one. Returns the id of the delivery, even if it failed. */
  async test(caller: Caller, table: TargetTable, targetId: string): Promise<string> {
    const emptyContent = { eventTypes: [], events: 0, from: null, to: null, revision: null };
    return this.deliver(caller, table, targetId, { kind: 'test' }, { ...emptyContent, id: randomUUID(), kind: 'test' });
  }

  /** Sends the events of a delivery to a webhook again, in a new message. */
  async redeliver(caller: Caller, webhookId: string, deliveryId: string): Promise<string> {
    const { organizationId } = caller;
    await this.channel(organizationId, 'webhook', webhookId);
    const original = await this.find(organizationId, 'webhook', webhookId, deliveryId);
    if (original.kind === 'change' && isOpen(original)) {
      throw Failure.conflict(
        'delivery_in_progress',
        'This message is still being delivered. Wait until the delivery has failed.',
      );
    }
    const positions = readPositions(original);
    if (positions === null) return this.test(caller, 'webhook', webhookId);
    const { from, to } = positions;
    const batch = await this.backlog.again(organizationId, from, to, toFilter(original));
    if (!batch || batch.events.length === 0) throw eventsGoneError();
    const { events } = batch;
    return this.deliver(
      caller,
      'webhook',
      webhookId,
      { kind: 'changes', events },
      {
        id: randomUUID(),
        kind: 'redelivery',
        eventTypes: original.event_types,
        events: events.length,
        from,
        to,
        revision: events.at(-1)?.revision ?? null,
      },
    );
  }

  /** Returns a delivery of a webhook or a destination. */
  async find(
    organizationId: OrganizationId,
    table: TargetTable,
    targetId: string,
    id: string,
  ): Promise<StoredDelivery> {
    const { rows } = await poolOf(this.dataSource).query<StoredDelivery>(
      `select id, message_id, kind, status, event_types, events, filter, epoch, from_revision, from_ordinal, to_revision, to_ordinal
         from delivery where organization_id = $1 and ${table}_id = $2 and id = $3`,
      [organizationId, targetId, id],
    );
    const [row] = rows;
    if (!row) throw Failure.notFound('Delivery');
    return row;
  }

  /**
   * Sends a message once. If it is a repeated request, the message was already sent or is being sent, so nothing is
   * sent.
   */
  private async deliver(
    caller: Caller,
    table: TargetTable,
    targetId: string,
    content: MessageContent,
    draft: Omit<NewDelivery, 'text'>,
  ): Promise<string> {
    const { organizationId } = caller;
    const channel = await this.channel(organizationId, table, targetId);
    const delivery = { ...draft, text: channel.describe(content) };
    const id = await this.store.beginRequested(caller, table, targetId, delivery);
    if (id !== delivery.id) return id;
    const waitMs = await this.acquire(channel);
    if (waitMs > 0) {
      const now = new Date();
      const attempt = {
        at: wire(now),
        duration_ms: null,
        http_status: null,
        error_code: RATE_LIMITED,
        retry_at: wire(new Date(now.getTime() + waitMs)),
      };
      await this.store.completeRequested(organizationId, id, 'skipped', [attempt]);
      return id;
    }
    const sendResult = await channel.send({ id, at: wire(new Date()), content });
    await this.store.completeRequested(organizationId, id, STATUS[sendResult.outcome.kind], sendResult.attempts);
    await channel.release(sendResult);
    return id;
  }

  /** Returns 0 on success. If the channel stays busy for longer than a person would wait, returns for how long. */
  private async acquire(channel: Channel): Promise<number> {
    const until = performance.now() + this.settings.waitMs;
    for (;;) {
      const waitMs = await channel.acquire();
      if (waitMs === 0 || performance.now() + waitMs > until) return waitMs;
      await sleep(waitMs);
    }
  }

  private async channel(organizationId: OrganizationId, table: TargetTable, id: string): Promise<Channel> {
    const { rows } = await poolOf(this.dataSource).query<TargetRow>(
      `select * from ${table} where organization_id = $1 and id = $2`,
      [organizationId, id],
    );
    const [row] = rows;
    if (!row) throw Failure.notFound(OBJECTS[table]);
    return this.channels.of(table, row);
  }
}

/** Returns whether a worker sends the delivery, now or later. */
export const isOpen = ({ status }: Pick<StoredDelivery, 'status'>): boolean =>
  ['queued', 'sending', 'retrying'].includes(status);

/** Returns the range of the events in a delivery; null if it contains none. */
export function readPositions(row: StoredDelivery): { readonly from: Position; readonly to: Position } | null {
  const { epoch } = row;
  if (epoch === null) return null;
  return {
    from: { epoch, revision: row.from_revision, ordinal: row.from_ordinal },
    to: { epoch, revision: row.to_revision, ordinal: row.to_ordinal },
  };
}

export const eventsGoneError = (): Failure =>
  Failure.conflict('events_gone', 'The events of this message are no longer stored.');

function wire(time: Date): string {
  return time.toISOString().replace('Z', '000Z');
}
