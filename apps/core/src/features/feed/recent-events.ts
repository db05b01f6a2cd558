import { Failure, type OrganizationId, type Position, type Revision } from '@strata/domain';
import { coalesceRuns } from '../../platform/coalesce-runs.ts';
import { comparePositions, type Ledger, type LedgerEvent, type LedgerPage } from '../../platform/ledger/ledger.ts';
import { coreObserver } from '../../platform/observer.ts';

/**
 * The number of cached events. Most readers need only the latest ones; readers that are further behind read the ledger.
 */
const EVENTS_MAX = 1_000;
/** The number of events per page. It limits the memory of one reader. */
export const PAGE_SIZE = 500;

/**
 * Caches the latest events of one organization for all its readers. With five hundred readers, each write still causes
 * only one statement.
 */
export class RecentEvents {
  /** A counter that increases with every new event. Compare it before and after reading. */
  version = 0;
  private events: LedgerEvent[] = [];
  /** `events` contains everything after `floor`, up to and including `position`. Both are null until the first poll. */
  private floor: Position | null = null;
  private position: Position | null = null;
  private people: Revision = 0;
  private readonly waiting = new Set<() => void>();

  constructor(
    private readonly organizationId: OrganizationId,
    private readonly ledger: Ledger,
  ) {}

  /** Returns the events after a position, or null if the position is older than the cached events. */
  after(position: Position): LedgerPage | null {
    const { floor, position: end } = this;
    if (!floor || !end || position.epoch !== end.epoch || comparePositions(position, floor) < 0) return null;
    const { people } = this;
    const { revision } = end;
    // The reader has just read the ledger and is ahead of the cache.
    if (comparePositions(position, end) >= 0) return { events: [], position, more: false, revision, people };
    let first = this.events.length;
    while (first > 0 && comparePositions((this.events[first - 1] as LedgerEvent).position, position) > 0) first -= 1;
    const events = this.events.slice(first, first + PAGE_SIZE);
    const hasMore = first + events.length < this.events.length;
    return {
      events,
      position: hasMore ? (events.at(-1) as LedgerEvent).position : end,
      more: hasMore,
      revision,
      people,
    };
  }

  /** Resolves when there are events newer than `version`, when the time is up, or when the signal is aborted. */
  async movedSince(version: number, timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (this.version !== version || signal.aborted || timeoutMs <= 0) return;
    if (!this.position) void this.poll();
    await new Promise<void>((resolve) => {
      const onEvent = () => {
        clearTimeout(timer);
        this.waiting.delete(onEvent);
        signal.removeEventListener('abort', onEvent);
        resolve();
      };
      const timer = setTimeout(onEvent, timeoutMs);
      this.waiting.add(onEvent);
      signal.addEventListener('abort', onEvent);
    });
  }

  /** Reads new events. */
  readonly poll = coalesceRuns(
    () => this.read(),
    (error) => {
      // The history was replaced. The cache starts again, and the readers get the same error from the ledger.
      if (error instanceof Failure && error.kind === 'cursor_gone') this.begin(null);
      // Other errors are temporary: the next poll follows within a second.
    },
  );

  private async read(): Promise<void> {
    if (!this.position) return this.begin(await this.ledger.head(this.organizationId));
    const page = await this.ledger.after(this.organizationId, this.position, PAGE_SIZE);
    if (page.people > this.position.revision) this.people = page.people;
    this.position = page.position;
    if (page.more) void this.poll();
    const [oldest] = page.events;
    if (!oldest) return;
    coreObserver?.feedLag((Date.now() - Date.parse(oldest.event.at)) / 1_000);
    this.events.push(...page.events);
    if (this.events.length > 2 * EVENTS_MAX) {
      const droppedEvents = this.events.splice(0, this.events.length - EVENTS_MAX);
      this.floor = (droppedEvents.at(-1) as LedgerEvent).position;
    }
    this.moved();
  }

  private begin(position: Position | null): void {
    this.events = [];
    this.floor = position;
    this.position = position;
    this.people = position?.revision ?? 0;
    this.moved();
  }

  private moved(): void {
    this.version += 1;
    for (const wake of [...this.waiting]) wake();
  }
}
