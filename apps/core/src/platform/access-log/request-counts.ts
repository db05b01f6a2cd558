/** Details of the requests for one record, and the number of requests that no record counts yet. */
export interface RequestCount<Details> {
  readonly key: string;
  readonly details: Details;
  readonly requests: number;
}

interface Entry<Details> {
  details: Details;
  requests: number;
  /** The first minute in which the requests may be recorded. */
  from: number;
}

/**
 * Counts denied requests by caller and rule, and returns each at most once per minute. Requests that are denied in the
 * meantime are counted, and the next record contains their number. Minutes are numbers that the caller passes in.
 */
export class RequestCounts<Details> {
  private readonly entries = new Map<string, Entry<Details>>();

  /** `entriesMax` limits memory while the database is unavailable, or while many callers are denied. */
  constructor(private readonly entriesMax: number) {}

  /** Counts requests. The record describes the first of them. Ignores them if there are too many entries. */
  add(key: string, details: Details, requests = 1): void {
    const entry = this.entries.get(key);
    if (entry === undefined) {
      if (this.entries.size < this.entriesMax) this.entries.set(key, { details, requests, from: 0 });
      return;
    }
    if (entry.requests === 0) entry.details = details;
    entry.requests += requests;
  }

  /** True if requests are counted that no record contains. */
  get isWaiting(): boolean {
    return [...this.entries.values()].some(({ requests }) => requests > 0);
  }

  /** Returns the requests that may be recorded in this minute. Removes callers without a denied request since their last record. */
  due(minute: number): readonly RequestCount<Details>[] {
    const dueCounts: RequestCount<Details>[] = [];
    for (const [key, { details, requests, from }] of this.entries) {
      if (from > minute) continue;
      if (requests > 0) dueCounts.push({ key, details, requests });
      else this.entries.delete(key);
    }
    return dueCounts;
  }

  /**
   * Call this after an attempt to record `tried`. An entry that was not recorded, because there is a record of this minute
   * or there are too many of them, stays counted for the next minute, after the entries that were not tried.
   */
  settle(minute: number, triedCounts: readonly RequestCount<Details>[], recordedKeys: ReadonlySet<string>): void {
    for (const { key, requests } of triedCounts) {
      const entry = this.entries.get(key);
      if (!entry) continue;
      entry.from = minute + 1;
      if (recordedKeys.has(key)) entry.requests -= requests;
      this.entries.delete(key);
      this.entries.set(key, entry);
    }
  }
}
