import type { ListKey } from '@strata/domain';

/**
 * Collects the rows of one page in list order until the page is full or the time is up. The caller reports its
 * progress, so that the next page can continue from there. The first piece of work is always done, so that every page
 * makes progress.
 */
export class BoundedPage<Row> {
  readonly rows: Row[] = [];
  private lastOnPage: ListKey | null = null;
  private lookedAt: ListKey | null = null;
  private end: 'full' | 'out_of_time' | null = null;

  constructor(
    private readonly size: number,
    /** The deadline on the clock of `performance.now()`. */
    private readonly deadline: number,
  ) {}

  /** Adds a row. One row more than the page holds shows that another page follows. */
  add(key: ListKey, row: Row): void {
    if (this.rows.length === this.size) {
      this.end = 'full';
      return;
    }
    this.rows.push(row);
    this.lastOnPage = key;
  }

  /** Notes that everything up to this key has been searched. */
  pass(key: ListKey): void {
    this.lookedAt = key;
  }

  /** Whether at least one piece of work has been done. */
  get hasBegun(): boolean {
    return this.lookedAt !== null;
  }

  /** Check this before each further piece of work. */
  get isOver(): boolean {
    if (this.end === null && this.hasBegun && performance.now() >= this.deadline) this.end = 'out_of_time';
    return this.end !== null;
  }

  /** Ends the page early, because the next piece of work would take more time than is left. */
  stop(): void {
    this.end ??= 'out_of_time';
  }

  /** Whether the time was up before the page was full and before everything was searched. */
  get isIncomplete(): boolean {
    return this.end === 'out_of_time';
  }

  /** Where the next page continues; null once everything was searched. */
  get next(): ListKey | null {
    if (this.end === null) return null;
    return this.end === 'full' ? this.lastOnPage : this.lookedAt;
  }
}
