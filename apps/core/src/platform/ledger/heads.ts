import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { OrganizationId, Revision } from '@strata/domain';
import { SnapshotReader } from '../postgres/snapshot-reader.ts';
import type { LogPosition } from '../postgres/standby.ts';
import { afterRunning } from '../running-time.ts';
import { SeenHeads } from './seen-heads.ts';

const HEADS = 'select * from strata_heads($1)';

/** The end of the log is read after the heads, so the log up to there contains them. */
const HEADS_AND_LOG = `
select head.*, log.* from strata_heads($1) head
 cross join lateral (select case when not pg_is_in_recovery() then pg_current_wal_flush_lsn() end as "logEnd",
                            case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) end as timeline) log`;

/** Limits the wait if requests never stop arriving. */
const ROUNDS_MAX = 8;

/** Requests of all organizations wait at most this long for an earlier statement, which usually takes a millisecond. */
const EARLIER_MS_MAX = 2_000;

/** The end of an organization's ledger. Another epoch means another history: the database was restored. */
export interface Head {
  readonly epoch: string;
  readonly revision: Revision;
}

/** The present head, with its time and the last revision that may have changed permissions. */
export interface CurrentHead extends Head {
  readonly at: string;
  readonly people: Revision;
}

export function isSameHead(a: Head, b: Head): boolean {
  return a.revision === b.revision && a.epoch === b.epoch;
}

/** Returns whether data read at `a` may be shown to a client that has seen `b`. */
export function isNotBefore(a: Head, b: Head): boolean {
  return a.revision >= b.revision && a.epoch === b.epoch;
}

/** The position in the log is read only if a standby may answer reads. */
type HeadOnServer = CurrentHead & Partial<LogPosition>;

interface HeadQuery {
  readonly organizations: Set<OrganizationId>;
  waiting: number;
  readonly heads: Promise<ReadonlyMap<OrganizationId, HeadOnServer>>;
}

/**
 * The present heads of organizations. Concurrent requests share one statement. A request that arrives while a statement
 * runs waits for the next one, since the result of the running one may be older than the request.
 */
@Injectable()
export class Heads {
  private next: HeadQuery | null = null;
  private running: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly reader: SnapshotReader,
    private readonly seenHeads: SeenHeads,
    private readonly hasStandbys = false,
  ) {}

  /** Returns a head that is not older than this call; null if the organization does not exist. */
  async of(organizationId: OrganizationId): Promise<HeadOnServer | null> {
    this.next ??= this.prepare();
    const lookup = this.next;
    lookup.organizations.add(organizationId);
    lookup.waiting += 1;
    return (await lookup.heads).get(organizationId) ?? null;
  }

  /** Returns the head of an organization that must exist. */
  async required(organizationId: OrganizationId): Promise<CurrentHead> {
    const head = await this.of(organizationId);
    if (!head) throw new Error(`Organization ${organizationId} has no head.`);
    return head;
  }

  /** Returns the revision without the epoch. */
  async readRevision(organizationId: OrganizationId): Promise<Revision | null> {
    return (await this.of(organizationId))?.revision ?? null;
  }

  private prepare(): HeadQuery {
    const organizations = new Set<OrganizationId>();
    const { promise: endPromise, resolve: end } = Promise.withResolvers<void>();
    const heads = this.running.then(async () => {
      await this.waitForMoreRequests();
      this.next = null;
      // A connection without a response must not block later requests.
      const cancel = afterRunning(EARLIER_MS_MAX, end);
      return this.read(organizations).finally(() => {
        cancel();
        end();
      });
    });
    heads.catch(() => undefined);
    this.running = endPromise;
    return { organizations, waiting: 0, heads };
  }

  /** Waits a few rounds of the event loop while further requests arrive: well below a millisecond. */
  private async waitForMoreRequests(): Promise<void> {
    for (let round = 0, previousCount = -1; round < ROUNDS_MAX && this.next?.waiting !== previousCount; round += 1) {
      previousCount = this.next?.waiting ?? 0;
      await nextTurn();
    }
  }

  private async read(organizations: ReadonlySet<OrganizationId>): Promise<ReadonlyMap<OrganizationId, HeadOnServer>> {
    const text = this.hasStandbys ? HEADS_AND_LOG : HEADS;
    const rows = await this.reader.unlimitedInNone.query<HeadOnServer & { readonly id: OrganizationId }>(text, [
      [...organizations],
    ]);
    for (const { id, epoch, revision, at } of rows) this.seenHeads.add(id, { epoch, revision, at });
    return new Map(rows.map((row) => [row.id, row]));
  }
}
