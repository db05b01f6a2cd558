import { setTimeout as sleep } from 'node:timers/promises';
import type { EffectiveReset } from '@strata/contract';
import { type ChangedScopes, Failure, type Permissions, type Revision } from '@strata/domain';
import type { CurrentHead } from '../../../platform/ledger/heads.ts';
import type { ConfigurationStates, StreamSelection } from './configuration-states.ts';
import { type ConfigurationStep, ConfigurationSteps } from './configuration-steps.ts';
import type { DeliveredValues } from './delivered-values.ts';
import { MessageQueue } from './message-queue.ts';

const RETRY_MS = 500;

/** A message of a followed configuration to its connections. */
export type FollowedMessage =
  | ConfigurationStep
  /** Permissions may have changed up to this revision. */
  | { readonly kind: 'people'; readonly people: Revision }
  /** The connection must join again. */
  | { readonly kind: 'reset'; readonly reason: EffectiveReset['reason'] }
  /** The project or the environment was deleted. */
  | { readonly kind: 'deleted' };

/** A step, with the last revision that may have changed permissions when it was read. */
export interface FollowedEvent {
  readonly message: FollowedMessage;
  readonly people: Revision;
}

/** One configuration that connections with the same selection and the same permissions follow together. */
export class FollowedConfiguration {
  private readonly queues = new Set<MessageQueue<FollowedEvent>>();
  private connections = 0;
  private steps: ConfigurationSteps | null = null;
  private head: CurrentHead | null = null;
  private starting: Promise<void> | null = null;
  /** Reports are processed one after the other. */
  private work: Promise<void> = Promise.resolve();
  private waiting = 0;
  private isOver = false;

  constructor(
    private readonly states: ConfigurationStates,
    private readonly selection: StreamSelection,
    private readonly permissions: Permissions,
    /** Called when the last connection has left, or when nothing more is reported. */
    private onEnd: (() => void) | null,
  ) {}

  /** The last head whose changes are processed. */
  get processed(): CurrentHead {
    const { head, steps } = this.started();
    return this.waiting === 0 ? head : { ...head, revision: steps.revision };
  }

  /** The present values; null if they cannot be evaluated. */
  get values(): DeliveredValues | null {
    const { steps } = this.started();
    return steps.hasProblem ? null : steps.values;
  }

  /** Returns whether a revision after `since` may change the configuration. */
  isAffected(changes: readonly ChangedScopes[], afterRevision: Revision): boolean {
    return this.started().steps.isAffected(changes, afterRevision);
  }

  /** Counts a connection until it calls `leave`. */
  enter(): void {
    this.connections += 1;
  }

  leave(): void {
    this.connections -= 1;
    if (this.connections === 0) this.close();
  }

  /** Reads the present state. Reports that arrive meanwhile are processed after it. */
  start(): Promise<void> {
    this.starting ??= this.begin();
    return this.starting;
  }

  /** Everything that happens from now on is added to the queue. */
  listen(): MessageQueue<FollowedEvent> {
    const queue = new MessageQueue<FollowedEvent>({ message: { kind: 'reset', reason: 'state_unknown' }, people: 0 });
    this.queues.add(queue);
    return queue;
  }

  stopListening(queue: MessageQueue<FollowedEvent>): void {
    this.queues.delete(queue);
  }

  /** Called with all changes up to a head since the previous call. */
  report(head: CurrentHead, changes: readonly ChangedScopes[]): void {
    const { steps, waiting, head: previousHead } = this;
    if (steps && waiting === 0 && !steps.isAffected(changes, steps.revision)) {
      this.finish(head, previousHead?.people ?? 0);
      return;
    }
    this.waiting += 1;
    this.work = this.work.then(async () => {
      await this.process(head, changes);
      this.waiting -= 1;
    });
  }

  /** Makes all connections join again. */
  end(reason: EffectiveReset['reason']): void {
    this.close();
    this.send({ kind: 'reset', reason }, 0);
  }

  private close(): void {
    this.isOver = true;
    this.onEnd?.();
    this.onEnd = null;
  }

  private async begin(): Promise<void> {
    const { head, state } = await this.states.presentAt(this.selection, this.permissions);
    this.steps = ConfigurationSteps.from(this.states, this.selection, this.permissions, state);
    this.head = head;
  }

  private started() {
    const { head, steps } = this;
    if (!head || !steps) throw new Error('The configuration has not been read yet.');
    return { head, steps };
  }

  private async process(head: CurrentHead, changes: readonly ChangedScopes[]): Promise<void> {
    try {
      await this.starting;
      const { steps, head: previousHead } = this.started();
      for (const change of changes) {
        const step = await this.retryWhileUnavailable(() => steps.next(change, head));
        if (step) this.send(step, head.people);
      }
      if (!this.isOver) this.finish(head, previousHead.people);
    } catch (error) {
      const isDeleted = error instanceof Failure && error.kind === 'not_found';
      this.close();
      this.send(isDeleted ? { kind: 'deleted' } : { kind: 'reset', reason: 'state_unknown' }, head.people);
    }
  }

  private finish(head: CurrentHead, people: Revision): void {
    this.steps?.advance(head.revision);
    this.head = head;
    if (head.people > people) this.send({ kind: 'people', people: head.people }, head.people);
  }

  /** Tries again while the database is unavailable, so that no revision is skipped. */
  private async retryWhileUnavailable<Result>(work: () => Promise<Result>): Promise<Result | null> {
    while (!this.isOver) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof Failure) || (error.kind !== 'unavailable' && error.kind !== 'limited')) throw error;
        await sleep(RETRY_MS);
      }
    }
    return null;
  }

  private send(message: FollowedMessage, people: Revision): void {
    for (const queue of this.queues) queue.push({ message, people });
  }
}
