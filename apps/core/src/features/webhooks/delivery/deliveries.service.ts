import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Failure, type OrganizationId, type Position } from '@strata/domain';
import { type ChatMessage, RATE_LIMITED, render, renderTest } from '@strata/webhooks';
import { DataSource } from 'typeorm';
import type { Caller } from '../../../platform/caller.ts';
import { poolOf } from '../../../platform/postgres/data-source.ts';
import { Backlog } from './backlog.ts';
import { DeliverySettings } from './delivery-settings.ts';
import { type DeliveryStatus, DeliveryStore, type NewDelivery } from './delivery-store.ts';
import { type FinalOutcome, type Sender, SlackSender } from './slack-sender.ts';

interface SenderRow {
  readonly name: string;
  readonly channel: string;
  readonly username: string;
  readonly sealed_token: Buffer;
}

interface EventBatchRow {
  readonly kind: string;
  readonly status: DeliveryStatus;
  readonly event_types: string[];
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

/** Sends messages on request: immediately, only once, and independent of the webhook's queue. */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly store: DeliveryStore,
    private readonly backlog: Backlog,
    private readonly slack: SlackSender,
    private readonly settings: DeliverySettings,
  ) {}

  /** Sends a test message in the same way as a real one. Returns the id of the delivery, even if it failed. */
  async test(caller: Caller, webhookId: string): Promise<string> {
    const { name, sender } = await this.sender(caller.organizationId, webhookId);
    const message = renderTest(name);
    const nothing = { eventTypes: [], events: 0, from: null, to: null, revision: null };
    return this.deliver(caller, sender, message, { ...nothing, id: randomUUID(), kind: 'test', text: message.text });
  }

  /** Sends the events of a delivery again, in a new message. */
  async redeliver(caller: Caller, webhookId: string, deliveryId: string): Promise<string> {
    const { organizationId } = caller;
    const { name, sender } = await this.sender(organizationId, webhookId);
    const original = await this.original(organizationId, webhookId, deliveryId);
    if (original.epoch === null) return this.test(caller, webhookId);
    const { epoch, event_types: types } = original;
    const from: Position = { epoch, revision: original.from_revision, ordinal: original.from_ordinal };
    const to: Position = { epoch, revision: original.to_revision, ordinal: original.to_ordinal };
    const batch = await this.backlog.again(organizationId, from, to, types);
    if (!batch || batch.events.length === 0) {
      throw Failure.conflict('events_gone', 'The events of this message are no longer stored.');
    }
    const { events } = batch;
    const message = render(events, { webhookName: name });
    return this.deliver(caller, sender, message, {
      id: randomUUID(),
      kind: 'redelivery',
      eventTypes: types,
      events: events.length,
      from,
      to,
      revision: events.at(-1)?.revision ?? null,
      text: message.text,
    });
  }

  /**
   * Sends a message once. If it is a repeated request, the message was already sent or is being sent, so nothing is
   * sent.
   */
  private async deliver(caller: Caller, sender: Sender, message: ChatMessage, delivery: NewDelivery): Promise<string> {
    const { organizationId } = caller;
    const id = await this.store.beginRequested(caller, sender.id, delivery);
    if (id !== delivery.id) return id;
    const waitMs = await this.acquire(sender);
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
    const sent = await this.slack.send(sender, message);
    await this.store.completeRequested(organizationId, id, STATUS[sent.outcome.kind], sent.attempts);
    await this.slack.release(sender, sent);
    return id;
  }

  /** Returns 0 on success. If the channel stays busy for longer than a person would wait, returns for how long. */
  private async acquire(sender: Sender): Promise<number> {
    const until = performance.now() + this.settings.waitMs;
    for (;;) {
      const waitMs = await this.slack.acquire(sender);
      if (waitMs === 0 || performance.now() + waitMs > until) return waitMs;
      await sleep(waitMs);
    }
  }

  private async sender(organizationId: OrganizationId, id: string): Promise<{ name: string; sender: Sender }> {
    const { rows } = await poolOf(this.dataSource).query<SenderRow>(
      'select name, channel, username, sealed_token from webhook where organization_id = $1 and id = $2',
      [organizationId, id],
    );
    const [row] = rows;
    if (!row) throw Failure.notFound('Webhook');
    const { name, channel, username, sealed_token: sealedToken } = row;
    return { name, sender: { organizationId, id, channel, username, sealedToken } };
  }

  private async original(organizationId: OrganizationId, webhookId: string, id: string): Promise<EventBatchRow> {
    const { rows } = await poolOf(this.dataSource).query<EventBatchRow>(
      `select kind, status, event_types, epoch, from_revision, from_ordinal, to_revision, to_ordinal
         from delivery where organization_id = $1 and webhook_id = $2 and id = $3`,
      [organizationId, webhookId, id],
    );
    const [row] = rows;
    if (!row) throw Failure.notFound('Delivery');
    if (row.kind === 'change' && ['queued', 'sending', 'retrying'].includes(row.status)) {
      throw Failure.conflict(
        'delivery_in_progress',
        'This message is still being delivered. Wait until the delivery has failed.',
      );
    }
    return row;
  }
}

function wire(time: Date): string {
  return time.toISOString().replace('Z', '000Z');
}
