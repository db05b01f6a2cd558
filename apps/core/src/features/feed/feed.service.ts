import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { decodeCursor, type OrganizationId, type Position } from '@strata/domain';
import { cursorGoneError, Ledger, type LedgerPage } from '../../platform/ledger/ledger.ts';
import { ChangeNotifier } from '../../platform/notifications/change-notifier.ts';
import { PAGE_SIZE, RecentEvents } from './recent-events.ts';

interface Shared {
  readonly recent: RecentEvents;
  readers: number;
}

/** Serves the stored and future events of an organization after a position. */
@Injectable()
export class FeedService implements OnModuleInit, OnModuleDestroy {
  private readonly shared = new Map<OrganizationId, Shared>();
  private stopWatching: (() => void) | null = null;

  constructor(
    private readonly ledger: Ledger,
    private readonly notifier: ChangeNotifier,
  ) {}

  onModuleInit(): void {
    this.stopWatching = this.notifier.watch((organizationId) => this.poll(organizationId));
  }

  onModuleDestroy(): void {
    this.stopWatching?.();
  }

  /**
   * Returns the position of a cursor or of `now`; if `after` is undefined, the position of the oldest stored event.
   * Throws `cursor_gone`.
   */
  async position(organizationId: OrganizationId, after: string | undefined): Promise<Position> {
    if (after === undefined) return this.ledger.beginning(organizationId);
    if (after === 'now') return this.ledger.head(organizationId);
    const position = decodeCursor(after);
    if (!position) throw cursorGoneError();
    return position;
  }

  page(organizationId: OrganizationId, position: Position): Promise<LedgerPage> {
    return this.ledger.after(organizationId, position, PAGE_SIZE);
  }

  /** Returns a reader at this position. The caller must call `leave` on it. */
  follow(organizationId: OrganizationId, position: Position): FeedReader {
    const sharedListener = this.shared.get(organizationId) ?? {
      recent: new RecentEvents(organizationId, this.ledger),
      readers: 0,
    };
    this.shared.set(organizationId, sharedListener);
    sharedListener.readers += 1;
    return new FeedReader(
      sharedListener.recent,
      (from) => this.page(organizationId, from),
      position,
      () => {
        sharedListener.readers -= 1;
        if (sharedListener.readers === 0) this.shared.delete(organizationId);
      },
    );
  }

  private poll(organizationId: OrganizationId | null): void {
    if (organizationId !== null) void this.shared.get(organizationId)?.recent.poll();
    else for (const { recent } of this.shared.values()) void recent.poll();
  }
}

/**
 * Reads the feed from one subscriber's position. Stored and new events are read in the same way, so there is no switch
 * from one to the other.
 */
export class FeedReader {
  /**
   * Whether the ledger has accepted the position. Until then, the cached events may belong to a history that was just
   * replaced.
   */
  private isProven = false;

  constructor(
    private readonly recentEvents: RecentEvents,
    private readonly read: (position: Position) => Promise<LedgerPage>,
    private readPosition: Position,
    readonly leave: () => void,
  ) {}

  get position(): Position {
    return this.readPosition;
  }

  /** Waits for the next events. Returns no events if the time is up or the signal is aborted. */
  async next(timeoutMs: number, signal: AbortSignal): Promise<LedgerPage> {
    const until = performance.now() + timeoutMs;
    for (;;) {
      const { version } = this.recentEvents; // The version is read before the events, so that no event is missed in between.
      const page =
        (this.isProven ? this.recentEvents.after(this.readPosition) : null) ?? (await this.read(this.readPosition));
      this.isProven = true;
      this.readPosition = page.position;
      const left = until - performance.now();
      if (page.events.length > 0 || page.more || signal.aborted || left <= 0) return page;
      await this.recentEvents.movedSince(version, left, signal);
    }
  }
}
