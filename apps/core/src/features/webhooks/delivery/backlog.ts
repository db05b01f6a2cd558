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
/**
 * The maximum number of events per message. A longer backlog is split between two changesets, and the next message
 * contains the rest.
 */
const EVENTS_MAX = 1_000;

/** The events of one message: those after `from`, up to and including `to`. */
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

  /**
   * Returns the waiting events for one message, in whole changesets. If no event waits, `events` is empty and `to` is
   * the current head.
   */
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

  /** Returns the same batch again, or null if the ledger no longer contains all of it. */
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
   * Returns a filter for the events that every member may read, so none of a controlled scope. Strata does not know who
   * reads a channel.
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

  /** Returns the current head. A webhook whose history was replaced continues there. */
  head(organizationId: OrganizationId): Promise<Position> {
    return this.ledger.head(organizationId);
  }
}
