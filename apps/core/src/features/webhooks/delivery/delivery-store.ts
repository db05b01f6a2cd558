import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { DELIVERY_STATUSES, DeliveryAttempt } from '@strata/contract';
import type { OrganizationId, Position } from '@strata/domain';
import { DataSource } from 'typeorm';
import type { Caller } from '../../../platform/caller.ts';
import { UnitOfWork } from '../../../platform/ledger/unit-of-work.ts';
import { poolOf } from '../../../platform/postgres/data-source.ts';
import { Retry } from '../../../platform/postgres/retry.ts';
import { DeliverySettings } from './delivery-settings.ts';
import { addJob, type DeliverJob } from './jobs.ts';
import type { Sender } from './slack-sender.ts';

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** A message that a worker started but did not finish, because it failed or crashed. */
export interface OpenDelivery {
  readonly id: string;
  readonly eventTypes: readonly string[];
  readonly to: Position;
}

/** A webhook that only this worker may process until the lease expires. */
export interface Claim extends Sender {
  readonly name: string;
  readonly eventTypes: readonly string[];
  readonly cursor: Position;
  readonly failures: number;
  readonly lease: string;
  readonly open: OpenDelivery | null;
  /** The trace that later attempts continue. */
  readonly traceparent: string | null;
}

export interface NewDelivery {
  readonly id: string;
  readonly kind: 'change' | 'test' | 'redelivery';
  readonly eventTypes: readonly string[];
  readonly events: number;
  readonly from: Position | null;
  readonly to: Position | null;
  /** The last revision whose events the message contains. */
  readonly revision: number | null;
  readonly text: string;
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

interface ClaimRow {
  readonly name: string;
  readonly event_types: string[];
  readonly channel: string;
  readonly username: string;
  readonly sealed_token: Buffer;
  readonly cursor_epoch: string;
  readonly cursor_revision: number;
  readonly cursor_ordinal: number;
  readonly failures: number;
  readonly lease_token: string;
  readonly delivery_id: string | null;
  readonly delivery_types: string[] | null;
  readonly epoch: string;
  readonly to_revision: number;
  readonly to_ordinal: number;
}

const OWN_LEASE = 'organization_id = $1 and id = $2 and lease_token = $3';
const inMilliseconds = (parameter: string) => `clock_timestamp() + ${parameter}::float8 * interval '1 ms'`;

/** The caller chooses the lease token, so that it can repeat the statement if the response was lost. */
const CLAIM = `
with updated as (
  update webhook set lease_token = $4, lease_until = ${inMilliseconds('$3')}
   where organization_id = $1 and id = $2 and state = 'active' and next_attempt_at <= clock_timestamp()
     and (lease_until is null or lease_until < clock_timestamp() or lease_token = $4)
  returning *)
select webhook.*, delivery.id as delivery_id, delivery.event_types as delivery_types, delivery.epoch, delivery.to_revision, delivery.to_ordinal
  from updated webhook left join delivery on delivery.organization_id = webhook.organization_id and delivery.webhook_id = webhook.id
                             and delivery.kind = 'change' and delivery.status in ('queued', 'sending', 'retrying')`;

const RENEW = `update webhook set lease_until = ${inMilliseconds('$4')} where ${OWN_LEASE}`;

const MOVE = `
update webhook set lease_token = null, lease_until = null, cursor_epoch = $4, cursor_revision = $5, cursor_ordinal = $6
 where ${OWN_LEASE}`;

const POSTPONE = `
with updated as (
  update webhook set lease_token = null, lease_until = null, next_attempt_at = ${inMilliseconds('$4')}
   where ${OWN_LEASE} returning organization_id, id, next_attempt_at)
select ${addJob('replace', { runAt: 'webhook.next_attempt_at', trace: '$5::text' })} from updated webhook`;

const COLUMNS = `organization_id, webhook_id, id, kind, status, event_types, events, epoch, from_revision, from_ordinal,
  to_revision, to_ordinal, revision, text`;

const BEGIN = `
with updated as (update webhook set lease_until = ${inMilliseconds('$4')} where ${OWN_LEASE} returning organization_id, id)
insert into delivery (${COLUMNS})
select webhook.organization_id, webhook.id, $5, $6, 'sending', $7, $8, $9, $10, $11, $12, $13, $14, $15 from updated webhook
on conflict (organization_id, id) do update set status = 'sending', text = excluded.text, modified_at = clock_timestamp()
returning id`;

const BEGIN_ALONE = `insert into delivery (${COLUMNS})
values ($1, $2, $3, $4, 'sending', $5, $6, $7, $8, $9, $10, $11, $12, $13)`;

/** If the token or channel was changed while the message was being sent, the result does not suspend the webhook. */
const COMPLETE = `
with updated as (
  update webhook set lease_token = null, lease_until = null,
         cursor_epoch = coalesce($4, cursor_epoch), cursor_revision = coalesce($5, cursor_revision),
         cursor_ordinal = coalesce($6, cursor_ordinal),
         failures = $7, next_attempt_at = ${inMilliseconds('coalesce($8::float8, 0)')},
         state = case when $9::text is null or is_changed then state else 'suspended' end,
         state_reason = case when $9::text is null or is_changed then state_reason else $9 end
    from (select ($10 <> sealed_token or $11 <> channel) as is_changed
            from webhook where organization_id = $1 and id = $2) as seen
   where webhook.organization_id = $1 and webhook.id = $2 and webhook.lease_token = $3
  returning webhook.organization_id, webhook.id, webhook.next_attempt_at),
told as (
  update delivery set status = $12, modified_at = clock_timestamp(),
         attempts = delivery.attempts || case when $8::float8 is null then $13::jsonb else
           jsonb_set($13::jsonb, '{-1,retry_at}',
             to_jsonb(to_char(webhook.next_attempt_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))) end
    from updated webhook where delivery.organization_id = webhook.organization_id and delivery.id = $14)
select case when $8::float8 is not null then ${addJob('replace', { runAt: 'webhook.next_attempt_at', trace: '$15::text' })} end from updated webhook`;

const COMPLETE_ALONE = `
update delivery set status = $3, attempts = attempts || $4::jsonb, modified_at = clock_timestamp()
 where organization_id = $1 and id = $2`;

/**
 * Stores the progress of each webhook. Each step is one statement that requires the lease and can be repeated if the
 * database failed meanwhile.
 */
@Injectable()
export class DeliveryStore {
  constructor(
    private readonly dataSource: DataSource,
    private readonly retry: Retry,
    private readonly settings: DeliverySettings,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Locks a webhook for this worker. Returns null if there is nothing to do now: the webhook is suspended, not due,
   * locked by another worker, or deleted.
   */
  async claim({ organizationId, webhookId: id, traceparent }: DeliverJob): Promise<Claim | null> {
    const [row] = await this.query<ClaimRow>(CLAIM, [organizationId, id, this.settings.leaseMs, randomUUID()]);
    if (!row) return null;
    const { delivery_id: open, epoch, to_revision: revision, to_ordinal: ordinal } = row;
    return {
      organizationId,
      id,
      name: row.name,
      eventTypes: row.event_types,
      channel: row.channel,
      username: row.username,
      sealedToken: row.sealed_token,
      cursor: { epoch: row.cursor_epoch, revision: row.cursor_revision, ordinal: row.cursor_ordinal },
      failures: row.failures,
      lease: row.lease_token,
      traceparent: traceparent ?? null,
      open: open === null ? null : { id: open, eventTypes: row.delivery_types ?? [], to: { epoch, revision, ordinal } },
    };
  }

  async renew(claim: Claim): Promise<void> {
    await this.query(RENEW, [...claimKey(claim), this.settings.leaseMs]);
  }

  /** Advances the webhook past events that it does not report, and releases it. */
  async move(claim: Claim, { epoch, revision, ordinal }: Position): Promise<void> {
    await this.query(MOVE, [...claimKey(claim), epoch, revision, ordinal]);
  }

  async postpone(claim: Claim, delayMs: number): Promise<void> {
    await this.query(POSTPONE, [...claimKey(claim), delayMs, claim.traceparent]);
  }

  /**
   * Records a message before it is sent, so that the record exists even if the process crashes. Returns false if the
   * lease was lost.
   */
  async begin(claim: Claim, delivery: NewDelivery): Promise<boolean> {
    const values = [...claimKey(claim), this.settings.leaseMs, ...toColumns(delivery)];
    return (await this.query(BEGIN, values)).length === 1;
  }

  /** Stores the result and advances the webhook with one statement. Does nothing if the lease was lost meanwhile. */
  async complete(claim: Claim, deliveryId: string, completion: Completion): Promise<void> {
    const { status, attempts, cursor, failures, retryInMs, suspendedBecause } = completion;
    await this.query(COMPLETE, [
      ...claimKey(claim),
      cursor?.epoch ?? null,
      cursor?.revision ?? null,
      cursor?.ordinal ?? null,
      failures,
      retryInMs,
      suspendedBecause,
      claim.sealedToken,
      claim.channel,
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
  beginRequested(caller: Caller, webhookId: string, delivery: NewDelivery): Promise<string> {
    const values = [caller.organizationId, webhookId, ...toColumns(delivery)];
    return this.unitOfWork.once(caller, delivery.id, (em) => em.query(BEGIN_ALONE, values));
  }

  async completeRequested(
    organizationId: OrganizationId,
    deliveryId: string,
    status: DeliveryStatus,
    attempts: readonly DeliveryAttempt[],
  ): Promise<void> {
    await poolOf(this.dataSource).query(COMPLETE_ALONE, [organizationId, deliveryId, status, JSON.stringify(attempts)]);
  }

  private async query<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
    return this.retry.retryUntilAvailable(async () => (await poolOf(this.dataSource).query<Row>(text, values)).rows);
  }
}

function claimKey({ organizationId, id, lease }: Claim): string[] {
  return [organizationId, id, lease];
}

function toColumns({ id, kind, eventTypes, events, from, to, revision, text }: NewDelivery): unknown[] {
  const epoch = to?.epoch ?? null;
  const batch = [from?.revision, from?.ordinal, to?.revision, to?.ordinal].map((part) => part ?? null);
  return [id, kind, eventTypes, events, epoch, ...batch, revision, text];
}
