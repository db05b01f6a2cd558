import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { ObjectType, OrganizationId } from '@strata/domain';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { APPLICATION_ROLE, poolOf } from './data-source.ts';
import { Database } from './database.ts';

const CHANNEL = 'strata_moved';
/** The first ring is heard at once; a burst of writes rings at most this often. Readers look for themselves once a second anyway. */
const COALESCE_MS = 10;
const RECONNECT_MS = 500;

/** Not worth waiting for the disk: nothing is lost with it but a second. */
const RING = `
select set_config('synchronous_commit', 'off', true), pg_notify('${CHANNEL}', moved) from unnest($1::text[]) as moved`;

/** What moved: who may do what (and perhaps more), or nothing but configuration. */
export type Topic = 'people' | 'configuration';

/** These say nothing about who may do what; all else may, a project by what it depends on. */
export const CONTENT: readonly ObjectType[] = ['Value', 'Parameter'];

type Listener = (organizationId: OrganizationId | null, topic: Topic) => void;

/**
 * Says "organization X moved", and what of it, to every process, after commit and outside the transaction. It is a hint and never the
 * data: whoever listens reads the ledger, and reads it once a second even if no bell rings.
 */
@Injectable()
export class Bell implements OnApplicationShutdown {
  private readonly listeners = new Set<Listener>();
  private readonly pending = new Map<OrganizationId, Topic>();
  private isRinging = false;
  private timer: NodeJS.Timeout | null = null;
  private client: pg.Client | null = null;
  private stopped = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly database: Database,
  ) {}

  /** Hears every ring; null means "the line was down: anything may have moved". Returns the way to stop listening. */
  onRing(listener: Listener): () => void {
    this.listeners.add(listener);
    if (!this.client && !this.stopped) void this.listen();
    return () => this.listeners.delete(listener);
  }

  ring(organizationId: OrganizationId, topic: Topic): void {
    this.tell(organizationId, topic); // this process knows already
    if (this.pending.get(organizationId) !== 'people') this.pending.set(organizationId, topic);
    if (this.isRinging) return;
    this.isRinging = true;
    setImmediate(() => this.flush()); // whoever wrote has the answer first
  }

  private flush(): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.isRinging = this.pending.size > 0;
      if (this.isRinging) this.flush();
    }, COALESCE_MS);
    const moved = [...this.pending].map(([organizationId, topic]) => `${organizationId} ${topic}`);
    this.pending.clear();
    poolOf(this.dataSource)
      .query(RING, [moved])
      .catch(() => undefined); // a lost bell costs a second, not an event
  }

  private hear(payload = ''): void {
    const [organizationId = '', topic] = payload.split(' ');
    this.tell(organizationId, topic === 'configuration' ? topic : 'people');
  }

  private tell(organizationId: OrganizationId | null, topic: Topic): void {
    for (const listener of this.listeners) listener(organizationId, topic);
  }

  private async listen(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.database.url,
      options: `-c role=${APPLICATION_ROLE}`,
      keepAlive: true,
    });
    this.client = client;
    client.on('notification', ({ payload }) => this.hear(payload));
    client.on('error', () => this.lost(client));
    client.on('end', () => this.lost(client));
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      this.tell(null, 'people');
    } catch {
      this.lost(client);
    }
  }

  private lost(client: pg.Client): void {
    if (this.client !== client) return;
    this.client = null;
    void client.end().catch(() => undefined);
    if (!this.stopped) setTimeout(() => !this.stopped && !this.client && void this.listen(), RECONNECT_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
    const client = this.client;
    this.client = null;
    await client?.end().catch(() => undefined);
  }
}
