import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { decodeCursor, type OrganizationId, type Position } from '@strata/domain';
import { ChangeNotifier } from '../../platform/ledger/change-notifier.ts';
import { cursorGone, Ledger, type LedgerPage } from '../../platform/ledger/ledger.ts';
import { PAGE_SIZE, RecentEvents } from './recent-events.ts';

/** A lost notification costs this long and not an event. */
const POLL_INTERVAL_MS = 1_000;

interface Shared {
  readonly recent: RecentEvents;
  readers: number;
}

/** What happened in an organization, after a position and as it goes on. */
@Injectable()
export class FeedService implements OnModuleInit, OnModuleDestroy {
  private readonly shared = new Map<OrganizationId, Shared>();
  private timer: NodeJS.Timeout | null = null;
  private stopListening: (() => void) | null = null;

  constructor(
    private readonly ledger: Ledger,
    private readonly notifier: ChangeNotifier,
  ) {}

  onModuleInit(): void {
    this.stopListening = this.notifier.onChange((organizationId) => this.look(organizationId));
    this.timer = setInterval(() => this.look(null), POLL_INTERVAL_MS).unref();
  }

  onModuleDestroy(): void {
    this.stopListening?.();
    if (this.timer) clearInterval(this.timer);
  }

  /** `now`, a cursor, or nothing: then the oldest that is kept. Throws `cursor_gone`. */
  async position(organizationId: OrganizationId, after: string | undefined): Promise<Position> {
    if (after === undefined) return this.ledger.beginning(organizationId);
    if (after === 'now') return this.ledger.head(organizationId);
    const position = decodeCursor(after);
    if (!position) throw cursorGone();
    return position;
  }

  page(organizationId: OrganizationId, position: Position): Promise<LedgerPage> {
    return this.ledger.after(organizationId, position, PAGE_SIZE);
  }

  /** Call `leave` on what you get. */
  follow(organizationId: OrganizationId, position: Position): FeedReader {
    const shared = this.shared.get(organizationId) ?? {
      recent: new RecentEvents(organizationId, this.ledger),
      readers: 0,
    };
    this.shared.set(organizationId, shared);
    shared.readers += 1;
    return new FeedReader(
      shared.recent,
      (from) => this.page(organizationId, from),
      position,
      () => {
        shared.readers -= 1;
        if (shared.readers === 0) this.shared.delete(organizationId);
      },
    );
  }

  private look(organizationId: OrganizationId | null): void {
    if (organizationId !== null) void this.shared.get(organizationId)?.recent.poll();
    else for (const { recent } of this.shared.values()) void recent.poll();
  }
}

/** Somebody's place in the feed. History and news take the same road, so there is no hand-over to get wrong. */
export class FeedReader {
  /** The ledger itself has accepted the place; memory may be of a history that was just replaced. */
  private isProven = false;

  constructor(
    private readonly recent: RecentEvents,
    private readonly read: (position: Position) => Promise<LedgerPage>,
    private readPosition: Position,
    readonly leave: () => void,
  ) {}

  get position(): Position {
    return this.readPosition;
  }

  /** The next events, waiting for them if need be; none when the time is over or it is aborted. */
  async next(timeoutMs: number, signal: AbortSignal): Promise<LedgerPage> {
    const until = performance.now() + timeoutMs;
    for (;;) {
      const { version } = this.recent; // asked before reading, so no news slips between
      const page =
        (this.isProven ? this.recent.after(this.readPosition) : null) ?? (await this.read(this.readPosition));
      this.isProven = true;
      this.readPosition = page.position;
      const left = until - performance.now();
      if (page.events.length > 0 || page.more || signal.aborted || left <= 0) return page;
      await this.recent.movedSince(version, left, signal);
    }
  }
}
