import { randomUUID } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { CONTENT_TYPES, type ObjectType, type OrganizationId } from '@strata/domain';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { poolOf } from '../postgres/data-source.ts';
import { Database } from '../postgres/database.ts';
import type { Statement } from '../postgres/prepared-client.ts';
import { APPLICATION_ROLE, openSession } from '../postgres/session.ts';

const CHANNEL = 'strata_moved';
const RECONNECT_MS = 500;
/** If a notification is lost, a change is noticed at most this much later. */
const POLL_INTERVAL_MS = 1_000;

/** The commit does not wait for the disk: if it is lost, listeners are one second late. */
const NOTIFY = `
select set_config('synchronous_commit', 'off', true), pg_notify('${CHANNEL}', $1)`;

/** Notifies every process at the commit that the permissions in all organizations changed. */
export const NOTIFY_ALL = `select pg_notify('${CHANNEL}', id || ' people ') from organization`;

/** `people`: permissions changed, and perhaps more. `configuration`: only configuration changed. */
export type Topic = 'people' | 'configuration';

export function chooseTopic(changes: readonly { readonly objectType: ObjectType }[]): Topic {
  return changes.every(({ objectType }) => CONTENT_TYPES.includes(objectType)) ? 'configuration' : 'people';
}

type Listener = (organizationId: OrganizationId | null, topic: Topic) => void;

/**
 * Notifies every process after a commit that an organization changed, and in which topic: listeners in this process
 * directly, other processes by `NOTIFY`. The message is a hint without data. Listeners read the ledger, and do so once
 * a second even without a message.
 */
@Injectable()
export class ChangeNotifier implements OnApplicationShutdown {
  private readonly listeners = new Set<Listener>();
  /** PostgreSQL also returns a process its own notifications, whose listeners have been called already. */
  private readonly processId = randomUUID();
  private client: pg.Client | null = null;
  private reconnecting: NodeJS.Timeout | null = null;
  private stopped = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly database: Database,
  ) {}

  /**
   * Calls the listener for every change. Null means that the connection was lost, so anything may have changed. Returns
   * a function that stops listening.
   */
  onChange(listener: Listener): () => void {
    this.listeners.add(listener);
    if (!this.client && !this.stopped) void this.listen();
    return () => this.listeners.delete(listener);
  }

  /**
   * Calls the listener for every change, and with null once a second, so that no change is missed. Returns a function
   * that stops both.
   */
  watch(listener: (organizationId: OrganizationId | null) => void): () => void {
    const stopListening = this.onChange(listener);
    const timer = setInterval(() => listener(null), POLL_INTERVAL_MS).unref();
    return () => {
      stopListening();
      clearInterval(timer);
    };
  }

  /** Notifies this process and the others. Call it after the commit. */
  notify(organizationId: OrganizationId, topic: Topic): void {
    this.inform(organizationId, topic);
    if (this.stopped) return;
    const { text, values } = this.statement(organizationId, topic);
    // a lost notification delays events by a second but loses none
    poolOf(this.dataSource)
      .query(text, [...values])
      .catch(() => undefined);
  }

  /**
   * Returns the statement that notifies the other processes. Send it in the packet of a commit, to run after it, and then
   * call `inform`. Never run it inside a transaction that writes: all commits of the cluster would wait for each other.
   */
  statement(organizationId: OrganizationId, topic: Topic): Statement {
    return { text: NOTIFY, values: [`${organizationId} ${topic} ${this.processId}`] };
  }

  private onNotification(payload = ''): void {
    const [organizationId = '', topic, processId] = payload.split(' ');
    if (processId === this.processId) return;
    this.inform(organizationId, topic === 'configuration' ? topic : 'people');
  }

  /** Notifies the listeners of this process. */
  inform(organizationId: OrganizationId | null, topic: Topic): void {
    for (const listener of this.listeners) listener(organizationId, topic);
  }

  private async listen(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.database.url,
      keepAlive: true,
      connectionTimeoutMillis: 2_000,
    });
    this.client = client;
    client.on('notification', ({ payload }) => this.onNotification(payload));
    client.on('error', () => this.lost(client));
    client.on('end', () => this.lost(client));
    try {
      await client.connect();
      await openSession(client, APPLICATION_ROLE, {});
      await client.query(`listen ${CHANNEL}`);
      this.inform(null, 'people');
    } catch {
      this.lost(client);
    }
  }

  private lost(client: pg.Client): void {
    if (this.client !== client) return;
    this.client = null;
    void client.end().catch(() => undefined);
    if (this.stopped) return;
    this.reconnecting = setTimeout(() => !this.client && !this.stopped && void this.listen(), RECONNECT_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    if (this.reconnecting) clearTimeout(this.reconnecting);
    const client = this.client;
    this.client = null;
    await client?.end().catch(() => undefined);
  }
}
