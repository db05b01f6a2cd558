import type { ListKey } from '@strata/domain';

/**
 * Collects the rows of one page in list order, until the page is full or the time is up. The caller reports its
 * progress, so that the next page can continue there. Each page processes at least one item, so that every request
 * makes progress.
 */
export class BoundedPage<Row> {
  readonly rows: Row[] = [];
  private lastOnPage: ListKey | null = null;
  private searchedUpTo: ListKey | null = null;
  private end: 'full' | 'out_of_time' | null = null;

  constructor(
    private readonly size: number,
    /** The deadline on the clock of `performance.now()`. */
    private readonly deadline: number,
  ) {}

  /** Adds a row. If the page is already full, the row is not stored; it only shows that another page follows. */
  add(key: ListKey, row: Row): void {
    if (this.rows.length === this.size) {
      this.end = 'full';
      return;
    }
    this.rows.push(row);
    this.lastOnPage = key;
  }

  /** Records that everything up to this key has been searched. */
  pass(key: ListKey): void {
    this.searchedUpTo = key;
  }

  /** Whether at least one item has been processed. */
  get hasBegun(): boolean {
    return this.searchedUpTo !== null;
  }

  /** Whether the page is complete or its time is up. Check it before each further item. */
  get isOver(): boolean {
    if (this.end === null && this.hasBegun && performance.now() >= this.deadline) this.end = 'out_of_time';
    return this.end !== null;
  }

  /** Ends the page early, because the next item would take more time than is left. */
  stop(): void {
    this.end ??= 'out_of_time';
  }

  /** Whether the time was up before the page was full and before everything was searched. */
  get isIncomplete(): boolean {
    return this.end === 'out_of_time';
  }

  /** The key after which the next page continues; null if everything was searched. */
  get next(): ListKey | null {
    if (this.end === null) return null;
    return this.end === 'full' ? this.lastOnPage : this.searchedUpTo;
  }
}
