import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Failure } from '@strata/domain';
import { nextAttempt, RATE_LIMITED, render } from '@strata/webhooks';
import { Retry } from '../../../platform/postgres/retry.ts';
import { Backlog, type EventBatch } from './backlog.ts';
import { DeliverySettings } from './delivery-settings.ts';
import { type Claim, type Completion, DeliveryStore } from './delivery-store.ts';
import type { DeliverJob } from './jobs.ts';
import { type FinalOutcome, type SendResult, SlackSender } from './slack-sender.ts';

type Next = 'look again' | 'done';

const START = new Date(0);

/**
 * Sends the waiting events of one webhook to its channel: in order, one message at a time, with all waiting events in
 * one message. The database stores its state, so that any process can continue where another one stopped.
 */
@Injectable()
export class Deliverer {
  constructor(
    private readonly store: DeliveryStore,
    private readonly backlog: Backlog,
    private readonly slack: SlackSender,
    private readonly retry: Retry,
    private readonly settings: DeliverySettings,
  ) {}

  /** Sends messages until no events wait, no message may be sent now, or the signal is aborted. */
  async drain(job: DeliverJob, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.step(job, signal)) === 'look again');
  }

  private async step(job: DeliverJob, signal: AbortSignal): Promise<Next> {
    const claim = await this.store.claim(job);
    if (!claim) return 'done';
    const first = await this.batch(claim);
    if (first === null) return this.restart(claim);
    if (first.events.length === 0) return this.releaseAndRecheck(claim, first);
    const wait = await this.acquire(claim, signal);
    if (wait === 'not now') return 'done';
    // If it had to wait for the channel, the message also includes the events that happened meanwhile.
    const batch = wait === 'waited' ? await this.batch(claim) : first;
    return batch === null ? this.restart(claim) : this.send(claim, batch);
  }

  /**
   * Returns the events of the next message. A message that was started keeps its events, because it may have been sent
   * already.
   */
  private async batch({ organizationId, cursor, eventTypes, open }: Claim): Promise<EventBatch | null> {
    const { retry, backlog } = this;
    if (open) return retry.retryUntilAvailable(() => backlog.again(organizationId, cursor, open.to, open.eventTypes));
    try {
      return await retry.retryUntilAvailable(() => backlog.waiting(organizationId, cursor, eventTypes));
    } catch (error) {
      if (error instanceof Failure && error.kind === 'cursor_gone') return null;
      throw error;
    }
  }

  /**
   * Releases the webhook, then checks for events again. A worker that found it locked has stopped, and relies on this
   * check.
   */
  private async releaseAndRecheck(claim: Claim, { to }: EventBatch): Promise<Next> {
    const { organizationId, eventTypes } = claim;
    await this.store.move(claim, to);
    const { events } = await this.retry.retryUntilAvailable(() => this.backlog.waiting(organizationId, to, eventTypes));
    return events.length > 0 ? 'look again' : 'done';
  }

  /**
   * Continues with new events after the history was replaced, or if old events are no longer stored. Missed events are
   * lost.
   */
  private async restart(claim: Claim): Promise<Next> {
    const head = await this.retry.retryUntilAvailable(() => this.backlog.head(claim.organizationId));
    if (claim.open) await this.store.complete(claim, claim.open.id, { ...finished('skipped', []), cursor: head });
    else await this.store.move(claim, head);
    return 'done';
  }

  private async acquire(claim: Claim, signal: AbortSignal): Promise<'at once' | 'waited' | 'not now'> {
    const until = performance.now() + this.settings.waitMs;
    for (let result: 'at once' | 'waited' = 'at once'; ; result = 'waited') {
      const waitMs = await this.retry.retryUntilAvailable(() => this.slack.acquire(claim));
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

  private async send(claim: Claim, { events, from, to }: EventBatch): Promise<Next> {
    const message = render(events, { webhookName: claim.name });
    const id = claim.open?.id ?? randomUUID();
    const isOurs = await this.store.begin(claim, {
      id,
      kind: 'change',
      eventTypes: [...new Set(events.map(({ type }) => type))],
      events: events.length,
      from,
      to,
      revision: events.at(-1)?.revision ?? null,
      text: message.text,
    });
    if (!isOurs) return 'done';
    const sent = await this.slack.send(claim, message);
    await this.retry.retryUntilAvailable(() => this.slack.release(claim, sent));
    const completion = this.toCompletion(claim, sent);
    const isFinished = completion.retryInMs === null && completion.suspendedBecause === null;
    await this.store.complete(claim, id, isFinished ? { ...completion, cursor: to } : completion);
    return isFinished ? 'look again' : 'done';
  }

  private toCompletion({ failures }: Claim, { outcome, attempts }: SendResult): Completion {
    switch (outcome.kind) {
      case 'delivered':
        return finished('delivered', attempts);
      case 'park':
        return finished('parked', attempts);
      case 'suspend':
        return {
          ...finished('queued', attempts),
          suspendedBecause: `${outcome.reason}: ${outcome.code}`,
        };
      case 'retry':
      case 'ambiguous':
        return this.anotherTry(failures, outcome, attempts);
    }
  }

  private anotherTry(
    failures: number,
    outcome: FinalOutcome & { kind: 'retry' | 'ambiguous' },
    attempts: SendResult['attempts'],
  ): Completion {
    const sentMs = (outcome.kind === 'retry' ? (outcome.retryAfterSeconds ?? 0) : 0) * 1_000;
    const waiting = { ...finished('retrying', attempts), failures };
    // Being rate-limited does not count as a failure.
    if (outcome.reason === RATE_LIMITED) return { ...waiting, retryInMs: sentMs };
    const next = nextAttempt(failures + 1, START, Math.random);
    if (next === null) return finished(outcome.kind === 'ambiguous' ? 'unknown' : 'exhausted', attempts);
    return {
      ...waiting,
      failures: failures + 1,
      retryInMs: Math.max(next.getTime() * this.settings.retryScale, sentMs),
    };
  }
}

function finished(status: Completion['status'], attempts: Completion['attempts']): Completion {
  return { status, attempts, cursor: null, failures: 0, retryInMs: null, suspendedBecause: null };
}
