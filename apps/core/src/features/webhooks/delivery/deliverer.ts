import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { EXPIRES_SOON, Failure, type Position } from '@strata/domain';
import { type MessageContent, nextAttempt, outcomeCode, RATE_LIMITED } from '@strata/webhooks';
import { Retry } from '../../../platform/postgres/retry.ts';
import { Backlog } from './backlog.ts';
import type { ChannelMessage, FinalOutcome, SendResult } from './channel.ts';
import { DeliverySettings } from './delivery-settings.ts';
import { type Claim, type Completion, DeliveryStore, type NewDelivery } from './delivery-store.ts';
import type { DeliverJob, TargetTable } from './jobs.ts';
import { SuspensionNotices } from './suspension-notices.ts';

type Next = 'look again' | 'done';

/** The next message of a webhook or a destination. It has no positions if it does not contain changes. */
interface NextMessage {
  readonly content: MessageContent;
  readonly from: Position | null;
  readonly to: Position | null;
}

const START = new Date(0);
/** Being rate-limited does not count as a failure, but a destination that accepts nothing for this long is suspended. */
const RATE_LIMITED_MAX_MS = 72 * 3_600_000;
/** How often a message is tried that a member sends again: for about 13 minutes. */
const REPLAY_ATTEMPTS_MAX = 5;

/**
 * Sends the waiting events of one webhook or destination: in order, one message at a time, with all waiting events in
 * one message. The database stores its state, so that any process can continue where another one stopped.
 */
@Injectable()
export class Deliverer {
  constructor(
    private readonly store: DeliveryStore,
    private readonly backlog: Backlog,
    private readonly retry: Retry,
    private readonly settings: DeliverySettings,
    private readonly notices: SuspensionNotices,
  ) {}

  /** Sends messages until no events wait, no message may be sent now, or the signal is aborted. */
  async drain(table: TargetTable, job: DeliverJob, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.step(table, job, signal)) === 'look again');
  }

  private async step(table: TargetTable, job: DeliverJob, signal: AbortSignal): Promise<Next> {
    const claimedDelivery = await this.store.claim(table, job);
    if (!claimedDelivery) return 'done';
    const claim = (await this.hasNewChanges(claimedDelivery)) ? { ...claimedDelivery, open: null } : claimedDelivery;
    const first = await this.nextMessage(claim);
    if (first === null) return this.restart(claim);
    if (isEmpty(first)) return this.releaseAndRecheck(claim, first);
    const wait = await this.acquire(claim, signal);
    if (wait === 'not now') return 'done';
    // If it had to wait for the channel, the message also includes the events that happened meanwhile.
    const message = wait === 'waited' ? await this.nextMessage(claim) : first;
    if (message === null) return this.restart(claim);
    // While it waited, the events may have been restricted.
    return isEmpty(message) ? this.releaseAndRecheck(claim, message) : this.send(claim, message);
  }

  /** Returns whether changes wait that must be sent before a requested message. */
  private async hasNewChanges({ organizationId, cursor, open, filter, channel }: Claim): Promise<boolean> {
    if (!open || open.kind === 'change') return false;
    try {
      const { events } = await this.retry.retryUntilAvailable(() =>
        this.backlog.waiting(organizationId, cursor, filter, channel.batchSize),
      );
      return events.length > 0;
    } catch (error) {
      // The history was replaced. The worker restarts at the head, as for any message.
      if (error instanceof Failure && error.kind === 'cursor_gone') return true;
      throw error;
    }
  }

  /**
   * Returns the next message. A message that was started keeps its events, because it may have been sent already. Null
   * if its events are no longer stored.
   */
  private async nextMessage(claim: Claim): Promise<NextMessage | null> {
    const { retry, backlog } = this;
    const { organizationId, cursor, open, filter, channel } = claim;
    if (open?.kind === 'reminder') {
      return { content: { kind: 'expirations', values: open.values }, from: null, to: null };
    }
    try {
      const batch = await retry.retryUntilAvailable(() => {
        if (!open) return backlog.waiting(organizationId, cursor, filter, channel.batchSize);
        const from = open.kind === 'change' ? cursor : open.from;
        return from && open.to ? backlog.again(organizationId, from, open.to, open.filter) : Promise.resolve(null);
      });
      return batch && { content: { kind: 'changes', events: batch.events }, from: batch.from, to: batch.to };
    } catch (error) {
      if (error instanceof Failure && error.kind === 'cursor_gone') return null;
      throw error;
    }
  }

  /**
   * Releases the webhook, then checks for events again. A worker that found it locked has stopped, and relies on this
   * check.
   */
  private async releaseAndRecheck(claim: Claim, { to }: NextMessage): Promise<Next> {
    const { organizationId, filter, open, channel } = claim;
    if (open || to === null) {
      // The events are in a scope that was restricted meanwhile.
      const cursor = open?.kind === 'change' ? to : null;
      if (open) await this.store.complete(claim, open.id, { ...finished('skipped', []), cursor });
      return 'look again';
    }
    await this.store.move(claim, to);
    const { events } = await this.retry.retryUntilAvailable(() =>
      this.backlog.waiting(organizationId, to, filter, channel.batchSize),
    );
    return events.length > 0 ? 'look again' : 'done';
  }

  /**
   * Continues with new events after the history was replaced, or if old events are no longer stored. Missed events are
   * lost.
   */
  private async restart(claim: Claim): Promise<Next> {
    const { open } = claim;
    const head = await this.retry.retryUntilAvailable(() => this.backlog.head(claim.organizationId));
    if (!open) await this.store.move(claim, head);
    else {
      const cursor = open.kind === 'change' ? head : null;
      await this.store.complete(claim, open.id, { ...finished('skipped', []), cursor });
    }
    return open && open.kind !== 'change' ? 'look again' : 'done';
  }

  private async acquire(claim: Claim, signal: AbortSignal): Promise<'at once' | 'waited' | 'not now'> {
    const until = performance.now() + this.settings.waitMs;
    for (let result: 'at once' | 'waited' = 'at once'; ; result = 'waited') {
      const waitMs = await this.retry.retryUntilAvailable(() => claim.channel.acquire());
      if (waitMs === 0) return result;
      if (performance.now() + waitMs > until) {
        await this.store.postpone(claim, waitMs);
        return 'not now';
      }
      await this.store.renew(claim);
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) {
        await this.store.postpone(claim, 0); // Another process can continue at once.
        return 'not now';
      }
    }
  }

  private async send(claim: Claim, next: NextMessage): Promise<Next> {
    const { channel } = claim;
    const delivery = toDelivery(claim, next);
    if (!(await this.store.begin(claim, delivery))) return 'done';
    const sendResult = await channel.send(toMessage(claim, delivery, next));
    await this.retry.retryUntilAvailable(() => channel.release(sendResult));
    const completion = this.toCompletion(claim, sendResult);
    const isFinished = completion.retryInMs === null && completion.suspendedBecause === null;
    const cursor = isFinished && delivery.kind === 'change' ? next.to : null;
    await this.store.complete(claim, delivery.id, { ...completion, cursor });
    if (completion.suspendedBecause !== null && claim.table === 'destination') await this.notices.sendDue();
    return isFinished ? 'look again' : 'done';
  }

  private toCompletion(claim: Claim, { outcome, attempts }: SendResult): Completion {
    switch (outcome.kind) {
      case 'delivered':
        return finished('delivered', attempts);
      case 'park':
        return finished('parked', attempts);
      case 'suspend':
        return suspended(`${outcome.reason}: ${outcome.code}`, attempts);
      case 'retry':
      case 'ambiguous':
        return this.anotherTry(claim, outcome, attempts);
    }
  }

  private anotherTry(
    { failures, failingMs, channel, open }: Claim,
    outcome: FinalOutcome & { kind: 'retry' | 'ambiguous' },
    attempts: SendResult['attempts'],
  ): Completion {
    const { retryScale } = this.settings;
    const sentMs = (outcome.kind === 'retry' ? (outcome.retryAfterSeconds ?? 0) : 0) * 1_000;
    const waitingState = { ...finished('retrying', attempts), failures };
    const isRateLimited = outcome.reason === RATE_LIMITED;
    const next = isRateLimited ? START : nextAttempt(failures + 1, START, Math.random);
    // Later changes must not wait for long because of an old message. A member can send it again.
    if (open?.kind === 'redelivery' && !isRateLimited && failures + 1 >= REPLAY_ATTEMPTS_MAX) {
      return finished('exhausted', attempts);
    }
    const isTooLong = channel.keepsFailedMessages && failingMs > RATE_LIMITED_MAX_MS * retryScale;
    if (next === null || (isRateLimited && isTooLong)) {
      if (channel.keepsFailedMessages) return suspended(`failing: ${outcomeCode(outcome)}`, attempts);
      return finished(outcome.kind === 'ambiguous' ? 'unknown' : 'exhausted', attempts);
    }
    if (isRateLimited) return { ...waitingState, retryInMs: sentMs };
    return { ...waitingState, failures: failures + 1, retryInMs: Math.max(next.getTime() * retryScale, sentMs) };
  }
}

const isEmpty = ({ content }: NextMessage): boolean => content.kind === 'changes' && content.events.length === 0;

/** Returns the record of the next message: that of the open one, or a new one. */
function toDelivery({ open, filter, channel, table }: Claim, { content, from, to }: NextMessage): NewDelivery {
  const events = content.kind === 'changes' ? content.events : [];
  const id = open?.id ?? randomUUID();
  return {
    id,
    messageId: open?.messageId ?? id,
    kind: open?.kind ?? 'change',
    eventTypes: content.kind === 'expirations' ? [EXPIRES_SOON] : [...new Set(events.map(({ type }) => type))],
    events: content.kind === 'expirations' ? content.values.length : events.length,
    from,
    to,
    revision: events.at(-1)?.revision ?? null,
    text: channel.describe(content),
    ...(table === 'destination' && { filter: open?.filter ?? filter }),
  };
}

/** The time of a message is that of its last event, or that of its creation. So it stays the same in later attempts. */
function toMessage({ open }: Claim, { id, messageId }: NewDelivery, { content }: NextMessage): ChannelMessage {
  const lastAt = content.kind === 'changes' ? content.events.at(-1)?.at : undefined;
  return { id: messageId ?? id, at: lastAt ?? open?.at ?? new Date().toISOString(), content };
}

function finished(status: Completion['status'], attempts: Completion['attempts']): Completion {
  return { status, attempts, cursor: null, failures: 0, retryInMs: null, suspendedBecause: null };
}

/** The message stays queued, and is sent once a person has enabled the webhook or the destination again. */
function suspended(reason: string, attempts: Completion['attempts']): Completion {
  return { ...finished('queued', attempts), suspendedBecause: reason };
}
