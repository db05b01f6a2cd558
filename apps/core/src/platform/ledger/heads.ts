import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { OrganizationId, Revision } from '@strata/domain';
import { responseTimeout } from '../postgres/constraints.ts';
import { SnapshotReader } from '../postgres/snapshot-reader.ts';
import { lastPeopleChange } from './ledger-statements.ts';

const READ = `
select organization_id as id, epoch, revision, ${lastPeopleChange('h.organization_id')} as people
  from organization_head h where organization_id = any($1::uuid[])`;

/** Limits the wait if requests never stop arriving. */
const ROUNDS_MAX = 8;

/** The time limit of the query. Requests of all organizations wait for it; it usually takes a millisecond. */
const TIMEOUT_MS = 2_000;

/** The end of an organization's ledger. Another epoch means another history: the database was restored. */
export interface Head {
  readonly epoch: string;
  readonly revision: Revision;
}

/** The present head, with the last revision that may have changed permissions. */
export interface CurrentHead extends Head {
  readonly people: Revision;
}

export function isSameHead(a: Head, b: Head): boolean {
  return a.revision === b.revision && a.epoch === b.epoch;
}

/** Returns whether data read at `a` may be shown to a client that has seen `b`. */
export function isNotBefore(a: Head, b: Head): boolean {
  return a.revision >= b.revision && a.epoch === b.epoch;
}

interface HeadQuery {
  readonly organizations: Set<OrganizationId>;
  waiting: number;
  readonly heads: Promise<ReadonlyMap<OrganizationId, CurrentHead>>;
}

/**
 * The present heads of organizations. Concurrent requests share one statement. A request that arrives while a statement
 * runs waits for the next one, since the result of the running one may be older than the request.
 */
@Injectable()
export class Heads {
  private next: HeadQuery | null = null;
  private running: Promise<unknown> = Promise.resolve();

  private readonly reader: SnapshotReader;

  constructor(reader: SnapshotReader) {
    this.reader = reader.unlimited;
  }

  /** Returns a head that is not older than this call; null if the organization does not exist. */
  async of(organizationId: OrganizationId): Promise<CurrentHead | null> {
    this.next ??= this.prepare();
    const look = this.next;
    look.organizations.add(organizationId);
    look.waiting += 1;
    return (await look.heads).get(organizationId) ?? null;
  }

  /** Returns the head of an organization that must exist. */
  async required(organizationId: OrganizationId): Promise<CurrentHead> {
    const head = await this.of(organizationId);
    if (!head) throw new Error(`Organization ${organizationId} has no head.`);
    return head;
  }

  /** Returns the revision without the epoch. */
  async revisionOf(organizationId: OrganizationId): Promise<Revision | null> {
    return (await this.of(organizationId))?.revision ?? null;
  }

  private prepare(): HeadQuery {
    const organizations = new Set<OrganizationId>();
    const heads = this.running.then(async () => {
      await this.waitForMoreRequests();
      this.next = null;
      return this.read(organizations);
    });
    this.running = heads.catch(() => undefined);
    return { organizations, waiting: 0, heads };
  }

  /** Waits a few rounds of the event loop while further requests arrive: well below a millisecond. */
  private async waitForMoreRequests(): Promise<void> {
    for (let round = 0, known = -1; round < ROUNDS_MAX && this.next?.waiting !== known; round += 1) {
      known = this.next?.waiting ?? 0;
      await nextTurn();
    }
  }

  private async read(organizations: ReadonlySet<OrganizationId>): Promise<ReadonlyMap<OrganizationId, CurrentHead>> {
    const rows = await inTime(
      this.reader.query<CurrentHead & { readonly id: OrganizationId }>(READ, [[...organizations]]),
    );
    return new Map(rows.map((row) => [row.id, row]));
  }
}

/** Fails after the time limit, so that a connection without a response does not block later requests. */
async function inTime<T>(answer: Promise<T>): Promise<T> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(responseTimeout()), TIMEOUT_MS).unref();
  try {
    return await Promise.race([answer, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
