import { Injectable } from '@nestjs/common';
import {
  canReceive,
  type DestinationFilter,
  Failure,
  type FeedEvent,
  type OrganizationId,
  type Position,
  passesFilter,
} from '@strata/domain';
import { readScopesWithoutMembership } from '../../../platform/auth/scope-rows.ts';
import { comparePositions, Ledger, type LedgerEvent } from '../../../platform/ledger/ledger.ts';
import { SnapshotReader } from '../../../platform/postgres/snapshot-reader.ts';
import type { BatchSize } from './channel.ts';

const PAGE_SIZE = 500;

/** The events of one message: those after `from`, up to and including `to`. */
export interface EventBatch {
  readonly events: readonly FeedEvent[];
  readonly from: Position;
  readonly to: Position;
}

/** The part of an event that decides whether a receiver gets it. */
type MatchedEvent = { readonly type: string } & Pick<FeedEvent, 'project' | 'environment' | 'parameter'>;

/** Reads the events that a webhook or a destination has not reported yet. */
@Injectable()
export class Backlog {
  constructor(
    private readonly ledger: Ledger,
    private readonly reader: SnapshotReader,
  ) {}

  /**
   * Returns the waiting events for one message. If no event waits, `events` is empty and `to` is the current head.
   */
  async waiting(
    organizationId: OrganizationId,
    from: Position,
    filter: DestinationFilter,
    size: BatchSize,
  ): Promise<EventBatch> {
    const matches = await this.matcher(organizationId, filter);
    const matchingEvents: LedgerEvent[] = [];
    for (let to = from; ; ) {
      const page = await this.ledger.after(organizationId, to, PAGE_SIZE);
      matchingEvents.push(...page.events.filter(({ event }) => matches(event)));
      to = page.position;
      const end = size.splitsChangesets
        ? endOfSplitBatch(matchingEvents, size.eventsMax)
        : page.more && matchingEvents.length >= size.eventsMax && { ...to, ordinal: 0 };
      const includedEvents = end ? matchingEvents.filter(({ position }) => comparePositions(position, end) <= 0) : [];
      if (end && includedEvents.length > 0) return { events: includedEvents.map(({ event }) => event), from, to: end };
      if (!page.more) return { events: matchingEvents.map(({ event }) => event), from, to };
    }
  }

  /** Returns the same batch again, or null if the ledger no longer contains all of it. */
  async again(
    organizationId: OrganizationId,
    from: Position,
    to: Position,
    filter: DestinationFilter,
  ): Promise<EventBatch | null> {
    const matches = await this.matcher(organizationId, filter);
    const events: FeedEvent[] = [];
    try {
      for (let position = from; comparePositions(position, to) < 0; ) {
        const page = await this.ledger.after(organizationId, position, PAGE_SIZE);
        const eventsUntil = page.events.filter((happened) => comparePositions(happened.position, to) <= 0);
        events.push(...eventsUntil.map(({ event }) => event).filter(matches));
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
  async matcher(organizationId: OrganizationId, filter: DestinationFilter): Promise<(event: MatchedEvent) => boolean> {
    const outsider = {
      organizationId,
      role: 'VIEWER',
      scopes: await readScopesWithoutMembership(this.reader, organizationId),
    } as const;
    return (event) =>
      passesFilter(filter, event) &&
      canReceive(outsider, { organizationId, event: { project: event.project, environment: event.environment } });
  }

  /** Returns the current head. A receiver whose history was replaced continues there. */
  head(organizationId: OrganizationId): Promise<Position> {
    return this.ledger.head(organizationId);
  }
}

/**
 * Returns where a message with at most `max` events ends, if there are more: between two changesets, or inside a
 * changeset that is longer than a message.
 */
function endOfSplitBatch(matchingEvents: readonly LedgerEvent[], max: number): Position | null {
  const [first, lastEvent, next] = [matchingEvents[0], matchingEvents[max - 1], matchingEvents[max]];
  if (!first || !lastEvent || !next) return null;
  const { position } = next;
  if (position.revision === first.position.revision) return lastEvent.position;
  return { ...position, ordinal: 0 };
}
