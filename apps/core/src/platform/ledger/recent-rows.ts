import { LruCache, type OrganizationId, type Revision } from '@strata/domain';
import type { ChainLink } from '@strata/evidence';
import { cacheBytes } from '../cache-size.ts';
import type { LoadedInput, SetOperation, Stamp } from './command.ts';
import { plusMicroseconds } from './instant.ts';

const ROW_BYTES_MAX = cacheBytes(32);
const HEAD_BYTES_MAX = cacheBytes(1);
const HEAD_BYTES = 256;
const ENTRY_BYTES = 512;

/** The head of an organization after the latest write of this process. */
export interface HeadAfterWrite extends Stamp {
  readonly epoch: string;
  /** The link of the revision. */
  readonly link: ChainLink;
  /** The latest revision that may have changed permissions. */
  readonly people: Revision;
  /** An instant of the database's clock, and when this process received it, on its monotonic clock in milliseconds. */
  readonly clock: { readonly at: string; readonly receivedAt: number };
}

type AnyOperation = SetOperation<unknown, unknown, unknown>;

/** The rows of one operation that this process knows as of a head. Writes of other operations end it. */
interface Series {
  readonly id: number;
  readonly operation: AnyOperation;
  readonly head: HeadAfterWrite;
}

interface Entry extends LoadedInput {
  readonly seriesId: number;
  readonly bytes: number;
}

/** A set of writes of one operation. */
export interface WrittenSet {
  readonly operation: AnyOperation;
  /** The head before the set. */
  readonly before: { readonly epoch: string; readonly revision: Revision };
  readonly after: HeadAfterWrite;
  /** The input of the next request for each written row, by the key of the row. */
  readonly afterWrites: ReadonlyMap<string, LoadedInput>;
}

/**
 * The rows that sets of this process have written recently, as the next request for them would load them. They are valid
 * as of the head of the latest set: a write that uses them must verify in the database that the head has not moved since.
 */
export class RecentRows {
  private readonly series = new LruCache<Series>(HEAD_BYTES_MAX, () => HEAD_BYTES);
  private readonly rows = new LruCache<Entry>(ROW_BYTES_MAX, ({ bytes }) => bytes, readOrganization);
  private seriesCount = 0;

  /** Returns what the inputs read, and the head as of which it is valid. Returns null unless all of it is known. */
  recall(
    organizationId: OrganizationId,
    operation: AnyOperation,
    inputs: readonly unknown[],
  ): { readonly head: HeadAfterWrite; readonly inputs: readonly LoadedInput[] } | null {
    const series = this.series.get(organizationId);
    if (series?.operation !== operation) return null;
    const entries = inputs.flatMap((input) => {
      const entry = this.rows.get(rowKey(organizationId, operation.rowKey(input)));
      return entry?.seriesId === series.id ? [entry] : [];
    });
    return entries.length === inputs.length ? { head: series.head, inputs: entries } : null;
  }

  /** Adds the rows of a committed set. If anything else was written before it, all earlier rows are dropped. */
  add(organizationId: OrganizationId, { operation, before, after, afterWrites }: WrittenSet): void {
    const latest = this.series.get(organizationId);
    const isContinued =
      latest?.operation === operation && latest.head.epoch === before.epoch && latest.head.revision === before.revision;
    if (!isContinued) this.seriesCount += 1;
    const id = isContinued ? latest.id : this.seriesCount;
    this.series.put(organizationId, { id, operation, head: after });
    for (const [key, { loaded, index }] of afterWrites)
      this.rows.put(rowKey(organizationId, key), { loaded, index, seriesId: id, bytes: estimateBytes(loaded) });
  }

  /** Call it after every other write of the organization. */
  clear(organizationId: OrganizationId): void {
    this.series.delete(organizationId);
  }
}

/**
 * Returns the instant of the next revision: the present time of the database, less the time that a response takes.
 */
export function nextInstant({ at, clock }: HeadAfterWrite): string {
  const now = plusMicroseconds(clock.at, Math.floor((performance.now() - clock.receivedAt) * 1_000));
  const soonest = plusMicroseconds(at, 1);
  if (now < soonest) return soonest;
  return now;
}

const rowKey = (organizationId: OrganizationId, key: string) => `${organizationId} ${key}`;
const readOrganization = (key: string) => key.slice(0, key.indexOf(' '));

function estimateBytes(loadedRows: readonly object[][]): number {
  let bytes = ENTRY_BYTES;
  for (const row of loadedRows.flat()) {
    for (const column of Object.values(row)) {
      if (typeof column === 'string') bytes += column.length * 2;
      else if (typeof column === 'object' && column !== null) bytes += JSON.stringify(column).length * 2;
    }
  }
  return bytes;
}
