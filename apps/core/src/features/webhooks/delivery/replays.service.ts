import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DESTINATION_LIMITS, type ReplayRequest, type ReplayResult } from '@strata/contract';
import { type DestinationFilter, Failure, type OrganizationId, type Position, sentence } from '@strata/domain';
import { DataSource, type EntityManager } from 'typeorm';
import type { Caller } from '../../../platform/caller.ts';
import { UnitOfWork } from '../../../platform/ledger/unit-of-work.ts';
import { poolOf } from '../../../platform/postgres/data-source.ts';
import { Backlog, type EventBatch } from './backlog.ts';
import type { Channel } from './channel.ts';
import { Channels, type TargetRow } from './channels.ts';
import { DeliveriesService, eventsGoneError, isOpen, readPositions } from './deliveries.service.ts';
import { DeliveryQueue } from './delivery-queue.ts';
import { DeliveryStore, type NewDelivery, toFilter } from './delivery-store.ts';

interface ReplayedDestination {
  readonly id: string;
  readonly filter: DestinationFilter;
  readonly channel: Channel;
}

const CONTENT_OF_ORIGINAL = `
update delivery set content = original.content, revision = original.revision, text = original.text
  from (select content, revision, text from delivery where organization_id = $1 and id = $2) as original
 where organization_id = $1 and id = $3`;

/** Queues messages to a destination again. A worker sends them in order, and repeats them like any other message. */
@Injectable()
export class ReplaysService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly store: DeliveryStore,
    private readonly backlog: Backlog,
    private readonly channels: Channels,
    private readonly deliveries: DeliveriesService,
    private readonly queue: DeliveryQueue,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Sends a delivery again. One that waits for another attempt is sent at once; otherwise a new one with the same
   * message id is queued. Returns the id of the delivery.
   */
  async redeliver(caller: Caller, destinationId: string, deliveryId: string): Promise<string> {
    const { organizationId } = caller;
    const { channel } = await this.destination(organizationId, destinationId);
    const original = await this.deliveries.find(organizationId, 'destination', destinationId, deliveryId);
    if (original.kind === 'test') return this.deliveries.test(caller, 'destination', destinationId);
    if (isOpen(original)) {
      await this.retryNow(organizationId, destinationId);
      return original.id;
    }
    const messageId = original.message_id ?? original.id;
    const commonColumns = { id: randomUUID(), messageId, eventTypes: original.event_types };
    const positions = readPositions(original);
    if (positions === null) {
      const text = { events: original.events, from: null, to: null, revision: null, text: '' };
      return this.enqueue(caller, destinationId, { ...commonColumns, ...text, kind: 'reminder' }, (em, id) =>
        em.query(CONTENT_OF_ORIGINAL, [organizationId, original.id, id]),
      );
    }
    const filter = original.filter ?? toFilter(original);
    const batch = await this.backlog.again(organizationId, positions.from, positions.to, filter);
    if (!batch || batch.events.length === 0) throw eventsGoneError();
    return this.enqueue(caller, destinationId, {
      ...commonColumns,
      ...describeBatch(batch, channel),
      kind: 'redelivery',
      filter,
    });
  }

  /** Sends the events of a range of revisions again, in new messages. */
  async replay(caller: Caller, destinationId: string, range: ReplayRequest): Promise<ReplayResult> {
    const { organizationId } = caller;
    const destination = await this.destination(organizationId, destinationId);
    const { filter, channel } = destination;
    const batches = await this.batches(organizationId, destination, range);
    const deliveries = batches.map(
      (batch): NewDelivery => ({ id: randomUUID(), kind: 'redelivery', filter, ...describeBatch(batch, channel) }),
    );
    const [first] = deliveries;
    if (!first) return { messages: 0, events: 0 };
    await this.unitOfWork.once(caller, first.id, async (em) => {
      for (const delivery of deliveries) await this.store.enqueue(em, organizationId, destinationId, delivery);
      await this.queue.enqueueNow(em, 'destination', organizationId, destinationId);
    });
    return { messages: deliveries.length, events: deliveries.reduce((sum, { events }) => sum + events, 0) };
  }

  private async batches(
    organizationId: OrganizationId,
    { id, filter, channel }: ReplayedDestination,
    { from_revision: fromRevision, to_revision: toRevision }: ReplayRequest,
  ): Promise<readonly EventBatch[]> {
    const head = await this.backlog.head(organizationId);
    assertRange(fromRevision, toRevision ?? head.revision, head.revision);
    const end = toRevision ?? head.revision;
    const limit = DESTINATION_LIMITS.replayMessages - (await this.waitingReplays(organizationId, id));
    const batches: EventBatch[] = [];
    let from: Position = { ...head, revision: fromRevision, ordinal: 0 };
    for (;;) {
      const batch = await this.batchAfter(organizationId, from, filter, channel);
      const events = batch.events.filter(({ revision }) => revision <= end);
      if (events.length === 0) return batches;
      if (batches.length >= limit) throw tooLongError();
      const isLast = events.length < batch.events.length;
      batches.push({ events, from, to: isLast ? { ...batch.to, revision: end + 1, ordinal: 0 } : batch.to });
      if (isLast) return batches;
      from = batch.to;
    }
  }

  private async batchAfter(
    organizationId: OrganizationId,
    from: Position,
    filter: DestinationFilter,
    { batchSize }: Channel,
  ): Promise<EventBatch> {
    try {
      return await this.backlog.waiting(organizationId, from, filter, batchSize);
    } catch (error) {
      if (error instanceof Failure && error.kind === 'cursor_gone') throw eventsGoneError();
      throw error;
    }
  }

  private async waitingReplays(organizationId: OrganizationId, id: string): Promise<number> {
    const { rows } = await poolOf(this.dataSource).query<{ count: number }>(
      `select count(*)::int as count from delivery
        where organization_id = $1 and destination_id = $2 and kind = 'redelivery'
          and status in ('queued', 'sending', 'retrying')`,
      [organizationId, id],
    );
    return rows[0]?.count ?? 0;
  }

  private enqueue(
    caller: Caller,
    destinationId: string,
    delivery: NewDelivery,
    completeReplay: (em: EntityManager, id: string) => Promise<unknown> = () => Promise.resolve(),
  ): Promise<string> {
    const { organizationId } = caller;
    return this.unitOfWork.once(caller, delivery.id, async (em) => {
      await this.store.enqueue(em, organizationId, destinationId, delivery);
      await completeReplay(em, delivery.id);
      await this.queue.enqueueNow(em, 'destination', organizationId, destinationId);
    });
  }

  /** Moves the next attempt to now. */
  private async retryNow(organizationId: OrganizationId, id: string): Promise<void> {
    await this.dataSource.transaction(async (em) => {
      await em.query(
        `update destination set next_attempt_at = clock_timestamp() where organization_id = $1 and id = $2`,
        [organizationId, id],
      );
      await this.queue.enqueueNow(em, 'destination', organizationId, id);
    });
  }

  private async destination(organizationId: OrganizationId, id: string): Promise<ReplayedDestination> {
    const { rows } = await poolOf(this.dataSource).query<
      TargetRow & Parameters<typeof toFilter>[0] & { state: string }
    >('select * from destination where organization_id = $1 and id = $2', [organizationId, id]);
    const [row] = rows;
    if (!row) throw Failure.notFound('Destination');
    if (row.state === 'suspended') {
      throw Failure.conflict(
        'destination_suspended',
        'This destination is suspended. Resolve the reason, enable the destination, then send the messages again.',
      );
    }
    return { id, filter: toFilter(row), channel: this.channels.of('destination', row) };
  }
}

function describeBatch({ events, from, to }: EventBatch, channel: Channel) {
  return {
    eventTypes: [...new Set(events.map(({ type }) => type))],
    events: events.length,
    from,
    to,
    revision: events.at(-1)?.revision ?? null,
    text: channel.describe({ kind: 'changes', events }),
  };
}

function assertRange(from: number, to: number, latest: number): void {
  for (const [field, revision] of [
    ['from_revision', from],
    ['to_revision', to],
  ] as const) {
    if (revision <= latest) continue;
    throw Failure.field(
      'unknown_revision',
      field,
      sentence`Revision ${{ revision }} does not exist yet. The latest one is ${{ latest_revision: latest }}.`,
    );
  }
  if (from > to) throw Failure.field('invalid', 'to_revision', 'This is before the first revision of the range.');
}

const tooLongError = (): Failure =>
  Failure.field(
    'replay_too_long',
    'from_revision',
    sentence`At most ${{ limit: DESTINATION_LIMITS.replayMessages }} messages can wait to be sent again. Choose fewer revisions.`,
  );
