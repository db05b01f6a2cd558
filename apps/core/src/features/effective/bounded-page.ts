import type { ListKey } from '@strata/domain';

/**
 * The rows of one page, found one after the other in the order of the list until the page is full or the time is up. Whoever
 * fills it says how far they have looked, so that the next page can go on from there; the first piece of work is always done,
 * so that every page gets further than the one before.
 */
export class BoundedPage<Row> {
  readonly rows: Row[] = [];
  private lastOnPage: ListKey | null = null;
  private lookedAt: ListKey | null = null;
  private end: 'full' | 'out_of_time' | null = null;

  constructor(
    private readonly size: number,
    /** As `performance.now()` counts. */
    private readonly deadline: number,
  ) {}

  /** Takes a row; one too many shows that another page follows. */
  add(key: ListKey, row: Row): void {
    if (this.rows.length === this.size) {
      this.end = 'full';
      return;
    }
    this.rows.push(row);
    this.lastOnPage = key;
  }

  /** Everything up to this place has been looked at, and what was found there added. */
  pass(key: ListKey): void {
    this.lookedAt = key;
  }

  /** Whether a piece of work has been done. */
  get hasBegun(): boolean {
    return this.lookedAt !== null;
  }

  /** To be asked before each further piece of work. */
  get isOver(): boolean {
    if (this.end === null && this.hasBegun && performance.now() >= this.deadline) this.end = 'out_of_time';
    return this.end !== null;
  }

  /** Ends it before what comes next: that would take more time than is left. */
  stop(): void {
    this.end ??= 'out_of_time';
  }

  /** The time was up before the page was full, and before everything was looked at. */
  get isIncomplete(): boolean {
    return this.end === 'out_of_time';
  }

  /** Where the next page goes on; null when everything was looked at. */
  get next(): ListKey | null {
    if (this.end === null) return null;
    return this.end === 'full' ? this.lastOnPage : this.lookedAt;
  }
}
