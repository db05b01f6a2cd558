import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { DELIVERY_STATUSES, DeliveryAttempt } from '@strata/contract';
import type { DestinationFilter, OrganizationId, Position } from '@strata/domain';
import type { ReminderValue } from '@strata/webhooks';
import { DataSource, type EntityManager } from 'typeorm';
import type { Caller } from '../../../platform/caller.ts';
import { UnitOfWork } from '../../../platform/ledger/unit-of-work.ts';
import { poolOf } from '../../../platform/postgres/data-source.ts';
import { Retry } from '../../../platform/postgres/retry.ts';
import type { Channel } from './channel.ts';
import { Channels, type TargetRow } from './channels.ts';
import { DeliverySettings } from './delivery-settings.ts';
import { deliveryStatements } from './delivery-statements.ts';
import type { DeliverJob, TargetTable } from './jobs.ts';

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
export type DeliveryKind = 'change' | 'test' | 'redelivery' | 'reminder';

/** A message that waits: a worker started but did not finish it, or it was requested. */
export interface OpenDelivery {
  readonly id: string;
  readonly messageId: string;
  readonly kind: DeliveryKind;
  readonly at: string;
  readonly filter: DestinationFilter;
  /** The events of the message; null for a reminder. */
  readonly from: Position | null;
  readonly to: Position | null;
  /** The contents of a reminder. */
  readonly values: readonly ReminderValue[];
}

/** A webhook or a destination that only this worker may process until the lease expires. */
export interface Claim {
  readonly table: TargetTable;
  readonly organizationId: OrganizationId;
  readonly id: string;
  readonly filter: DestinationFilter;
  readonly channel: Channel;
  readonly cursor: Position;
  readonly failures: number;
  /** The milliseconds since all attempts have failed; 0 if the last one succeeded. */
  readonly failingMs: number;
  readonly lease: string;
  /** Changes if a member changes the address, so that a result for the previous one does not suspend the target. */
  readonly fingerprint: string;
  readonly open: OpenDelivery | null;
  /** The trace that later attempts continue. */
  readonly traceparent: string | null;
}

export interface NewDelivery {
  readonly id: string;
  readonly kind: DeliveryKind;
  readonly eventTypes: readonly string[];
  readonly events: number;
  readonly from: Position | null;
  readonly to: Position | null;
  /** The last revision whose events the message contains. */
  readonly revision: number | null;
  readonly text: string;
  /** The id of the message, if it was sent before. */
  readonly messageId?: string;
  /** The filter of a destination that the message was created with. */
  readonly filter?: DestinationFilter;
}

/** The result of an attempt to send a message, and its effect on the webhook. */
export interface Completion {
  readonly status: DeliveryStatus;
  readonly attempts: readonly DeliveryAttempt[];
  /** The position to continue from. Null repeats this message. */
  readonly cursor: Position | null;
  readonly failures: number;
  /** Milliseconds until the next attempt, or null if none is planned. */
  readonly retryInMs: number | null;
  /** The reason to suspend the webhook until a person fixes it; null if it continues. */
  readonly suspendedBecause: string | null;
}

interface ProgressRow {
  readonly event_types: string[];
  readonly project_ids: string[] | null;
  readonly environment_ids: string[] | null;
  readonly parameter_names: string[] | null;
  readonly cursor_epoch: string;
  readonly cursor_revision: number;
  readonly cursor_ordinal: number;
  readonly failures: number;
  readonly failing_ms: number | null;
  readonly lease_token: string;
  readonly fingerprint: string;
  readonly delivery: DeliveryRecord | null;
}

/** The open delivery, as JSON. */
interface DeliveryRecord {
  readonly id: string;
  readonly message_id: string | null;
  readonly kind: DeliveryKind;
  readonly created_at: string;
  readonly event_types: string[];
  readonly filter: DestinationFilter | null;
  readonly content: readonly ReminderValue[] | null;
  readonly epoch: string | null;
  readonly from_revision: number;
  readonly from_ordinal: number;
  readonly to_revision: number;
  readonly to_ordinal: number;
}

/**
 * Stores the progress of each webhook and each destination. Each step is one statement that requires the lease and can
 * be repeated if the database failed meanwhile.
 */
@Injectable()
export class DeliveryStore {
  constructor(
    private readonly dataSource: DataSource,
    private readonly retry: Retry,
    private readonly settings: DeliverySettings,
    private readonly unitOfWork: UnitOfWork,
    private readonly channels: Channels,
  ) {}

  /**
   * Locks a webhook or a destination for this worker. Returns null if there is nothing to do now: it is suspended, not
   * due, locked by another worker, or deleted.
   */
  async claim(table: TargetTable, { organizationId, webhookId: id, traceparent }: DeliverJob): Promise<Claim | null> {
    const values = [organizationId, id, this.settings.leaseMs, randomUUID()];
    const [row] = await this.query<ProgressRow & TargetRow>(deliveryStatements[table].claim, values);
    if (!row) return null;
    return {
      table,
      organizationId,
      id,
      filter: toFilter(row),
      channel: this.channels.of(table, row),
      cursor: { epoch: row.cursor_epoch, revision: row.cursor_revision, ordinal: row.cursor_ordinal },
      failures: row.failures,
      failingMs: row.failing_ms ?? 0,
      lease: row.lease_token,
      fingerprint: row.fingerprint,
      traceparent: traceparent ?? null,
      open: row.delivery && toOpenDelivery(row.delivery),
    };
  }

  async renew(claim: Claim): Promise<void> {
    await this.query(deliveryStatements[claim.table].renew, [...claimKey(claim), this.settings.leaseMs]);
  }

  /** Advances the webhook past events that it does not report, and releases it. */
  async move(claim: Claim, { epoch, revision, ordinal }: Position): Promise<void> {
    await this.query(deliveryStatements[claim.table].move, [...claimKey(claim), epoch, revision, ordinal]);
  }

  async postpone(claim: Claim, delayMs: number): Promise<void> {
    const values = [...claimKey(claim), delayMs, claim.traceparent];
    await this.query(deliveryStatements[claim.table].postpone, values);
  }

  /**
   * Records a message before it is sent, so that the record exists even if the process crashes. Returns false if the
   * lease was lost.
   */
  async begin(claim: Claim, delivery: NewDelivery): Promise<boolean> {
    const values = [...claimKey(claim), this.settings.leaseMs, ...toColumns(delivery)];
    return (await this.query(deliveryStatements[claim.table].begin, values)).length === 1;
  }

  /** Stores the result and advances the webhook with one statement. Does nothing if the lease was lost meanwhile. */
  async complete(claim: Claim, deliveryId: string, completion: Completion): Promise<void> {
    const { status, attempts, cursor, failures, retryInMs, suspendedBecause } = completion;
    await this.query(deliveryStatements[claim.table].complete, [
      ...claimKey(claim),
      cursor?.epoch ?? null,
      cursor?.revision ?? null,
      cursor?.ordinal ?? null,
      failures,
      retryInMs,
      suspendedBecause,
      claim.fingerprint,
      status,
      JSON.stringify(attempts),
      deliveryId,
      claim.traceparent,
    ]);
  }

  /**
   * Records a requested message, which is independent of the webhook's queue and does not advance it. Returns its id,
   * or the id of an earlier message if the request is repeated.
   */
  beginRequested(caller: Caller, table: TargetTable, targetId: string, delivery: NewDelivery): Promise<string> {
    const values = [caller.organizationId, targetId, ...toColumns(delivery)];
    return this.unitOfWork.once(caller, delivery.id, (em) => em.query(deliveryStatements[table].beginAlone, values));
  }

  /** Queues a message to a destination. A worker sends it later. */
  async enqueue(
    em: EntityManager,
    organizationId: OrganizationId,
    destinationId: string,
    delivery: NewDelivery,
  ): Promise<void> {
    await em.query(deliveryStatements.destination.enqueue, [organizationId, destinationId, ...toColumns(delivery)]);
  }

  async completeRequested(
    organizationId: OrganizationId,
    deliveryId: string,
    status: DeliveryStatus,
    attempts: readonly DeliveryAttempt[],
  ): Promise<void> {
    await poolOf(this.dataSource).query(
      `update delivery set status = $3, attempts = attempts || $4::jsonb, modified_at = clock_timestamp()
        where organization_id = $1 and id = $2`,
      [organizationId, deliveryId, status, JSON.stringify(attempts)],
    );
  }

  private async query<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
    return this.retry.retryUntilAvailable(async () => (await poolOf(this.dataSource).query<Row>(text, values)).rows);
  }
}

/** Returns the filter in a row. Webhooks select only event types. */
export function toFilter(row: Pick<ProgressRow, 'event_types'> & Partial<ProgressRow>): DestinationFilter {
  return {
    eventTypes: row.event_types,
    projectIds: row.project_ids ?? [],
    environmentIds: row.environment_ids ?? [],
    parameterNames: row.parameter_names ?? [],
  };
}

function toOpenDelivery(row: DeliveryRecord): OpenDelivery {
  const position = (revision: number, ordinal: number): Position | null =>
    row.epoch === null ? null : { epoch: row.epoch, revision, ordinal };
  return {
    id: row.id,
    messageId: row.message_id ?? row.id,
    kind: row.kind,
    at: new Date(row.created_at).toISOString(),
    filter: row.filter ?? toFilter(row),
    from: position(row.from_revision, row.from_ordinal),
    to: position(row.to_revision, row.to_ordinal),
    values: row.content ?? [],
  };
}

function claimKey({ organizationId, id, lease }: Claim): string[] {
  return [organizationId, id, lease];
}

function toColumns(delivery: NewDelivery): unknown[] {
  const { id, kind, eventTypes, events, from, to, revision, text, messageId = null, filter } = delivery;
  const epoch = to?.epoch ?? null;
  const batch = [from?.revision, from?.ordinal, to?.revision, to?.ordinal].map((part) => part ?? null);
  return [
    id,
    kind,
    eventTypes,
    events,
    epoch,
    ...batch,
    revision,
    text,
    messageId,
    filter ? JSON.stringify(filter) : null,
  ];
}
