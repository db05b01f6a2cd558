import { Injectable } from '@nestjs/common';
import {
  type ConfigurationEvent,
  canReceive,
  Failure,
  type FeedEvent,
  type OrganizationId,
  type Position,
} from '@strata/domain';
import { scopesWithoutMembership } from '../../../platform/auth/scope-rows.ts';
import { comparePositions, Ledger } from '../../../platform/ledger/ledger.ts';
import { SnapshotReader } from '../../../platform/postgres/snapshot-reader.ts';

const PAGE_SIZE = 500;
/** A digest of more events is split between two changesets; the rest is the next message. */
const EVENTS_MAX = 1_000;

/** The events of one message: after `from`, up to and including `to`. */
export interface EventBatch {
  readonly events: readonly ConfigurationEvent[];
  readonly from: Position;
  readonly to: Position;
}

/** Reads the events that a webhook has not reported yet. */
@Injectable()
export class Backlog {
  constructor(
    private readonly ledger: Ledger,
    private readonly reader: SnapshotReader,
  ) {}

  /** Returns all waiting events, in whole changesets; `events` may be empty, and `to` is then the present. */
  async waiting(organizationId: OrganizationId, from: Position, types: readonly string[]): Promise<EventBatch> {
    const matches = await this.visibleToAllMembers(organizationId, types);
    const events: ConfigurationEvent[] = [];
    for (let to = from; ; ) {
      const page = await this.ledger.after(organizationId, to, PAGE_SIZE);
      events.push(...page.events.map(({ event }) => event).filter(matches));
      to = page.position;
      if (!page.more) return { events, from, to };
      const whole = events.filter(({ revision }) => revision < to.revision);
      if (events.length >= EVENTS_MAX && whole.length > 0) {
        return { events: whole, from, to: { epoch: to.epoch, revision: to.revision, ordinal: 0 } };
      }
    }
  }

  /** Returns the same batch again; null if the ledger no longer contains all of it. */
  async again(
    organizationId: OrganizationId,
    from: Position,
    to: Position,
    types: readonly string[],
  ): Promise<EventBatch | null> {
    const matches = await this.visibleToAllMembers(organizationId, types);
    const events: ConfigurationEvent[] = [];
    try {
      for (let position = from; comparePositions(position, to) < 0; ) {
        const page = await this.ledger.after(organizationId, position, PAGE_SIZE);
        const within = page.events.filter((happened) => comparePositions(happened.position, to) <= 0);
        events.push(...within.map(({ event }) => event).filter(matches));
        position = page.position;
        if (!page.more) break;
      }
    } catch (error) {
      if (error instanceof Failure && error.kind === 'cursor_gone') return null;
      throw error;
    }
    return { events, from, to };
  }

  /**
   * The readers of a channel are unknown, so it receives only what every member may read: nothing of a controlled
   * scope.
   */
  private async visibleToAllMembers(
    organizationId: OrganizationId,
    types: readonly string[],
  ): Promise<(event: FeedEvent) => event is ConfigurationEvent> {
    const outsider = {
      organizationId,
      role: 'VIEWER',
      scopes: await scopesWithoutMembership(this.reader, organizationId),
    } as const;
    return (event): event is ConfigurationEvent =>
      types.includes(event.type) && canReceive(outsider, { organizationId, event });
  }

  /** Returns the current head, for a webhook whose history was replaced. */
  head(organizationId: OrganizationId): Promise<Position> {
    return this.ledger.head(organizationId);
  }
}
