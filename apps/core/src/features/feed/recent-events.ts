import { Failure, type OrganizationId, type Position, type Revision } from '@strata/domain';
import { comparePositions, type Ledger, type LedgerEvent, type LedgerPage } from '../../platform/ledger/ledger.ts';

/** What most readers need is among the latest; whoever is further behind reads the ledger on their own. */
const EVENTS_MAX = 1_000;
/** Events in one go; bounds what a single reader can make us hold. */
export const PAGE_SIZE = 500;

/**
 * The latest events of one organization in memory, filled once and shared by all its readers: five hundred
 * of them cost the database one statement per write, not five hundred.
 */
export class RecentEvents {
  /** Counts what readers must not miss; compare it before and after looking. */
  version = 0;
  private events: LedgerEvent[] = [];
  /** `events` holds everything after `floor`, up to and including `position`. Null until the first look. */
  private floor: Position | null = null;
  private position: Position | null = null;
  private people: Revision = 0;
  private looking = false;
  private lookAgain = false;
  private readonly waiting = new Set<() => void>();

  constructor(
    private readonly organizationId: OrganizationId,
    private readonly ledger: Ledger,
  ) {}

  /** The events after a position, or null when that is further back than memory goes. */
  after(position: Position): LedgerPage | null {
    const { floor, position: end } = this;
    if (!floor || !end || position.epoch !== end.epoch || comparePositions(position, floor) < 0) return null;
    const { people } = this;
    const { revision } = end;
    // the reader asked the ledger itself a moment ago and is ahead of us
    if (comparePositions(position, end) >= 0) return { events: [], position, more: false, revision, people };
    let first = this.events.length;
    while (first > 0 && comparePositions((this.events[first - 1] as LedgerEvent).position, position) > 0) first -= 1;
    const events = this.events.slice(first, first + PAGE_SIZE);
    const more = first + events.length < this.events.length;
    return { events, position: more ? (events.at(-1) as LedgerEvent).position : end, more, revision, people };
  }

  /** Resolves when there is news since `version`, when the time is over, or when aborted; at once if there was already. */
  async movedSince(version: number, timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (this.version !== version || signal.aborted || timeoutMs <= 0) return;
    if (!this.position) void this.poll();
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.waiting.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, timeoutMs);
      this.waiting.add(done);
      signal.addEventListener('abort', done);
    });
  }

  /** Reads what is new. One look at a time; news that come meanwhile cause another one. */
  async poll(): Promise<void> {
    this.lookAgain = true;
    if (this.looking) return;
    this.looking = true;
    try {
      while (this.lookAgain) {
        this.lookAgain = false;
        await this.read();
      }
    } catch (error) {
      // the history was replaced: readers find out by themselves, and we begin anew
      if (error instanceof Failure && error.kind === 'cursor_gone') this.begin(null);
      // anything else is passing trouble; the next look is at most a second away
    } finally {
      this.looking = false;
    }
  }

  private async read(): Promise<void> {
    if (!this.position) return this.begin(await this.ledger.head(this.organizationId));
    const page = await this.ledger.after(this.organizationId, this.position, PAGE_SIZE);
    if (page.people > this.position.revision) this.people = page.people;
    this.position = page.position;
    if (page.more) this.lookAgain = true;
    if (page.events.length === 0) return;
    this.events.push(...page.events);
    if (this.events.length > 2 * EVENTS_MAX) {
      const dropped = this.events.splice(0, this.events.length - EVENTS_MAX);
      this.floor = (dropped.at(-1) as LedgerEvent).position;
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
