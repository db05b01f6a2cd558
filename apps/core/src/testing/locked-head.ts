import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { waitUntil } from './until.ts';

/** The time in which a request reaches the queue of its organization. If it takes longer, the test proves less. */
const ARRIVAL_MS = 500;

/** A lock on the head row of an organization, which makes writers wait. */
export interface LockedHead {
  /** Resolves once this many transactions in the database wait for a row lock. */
  waiting(count: number): Promise<void>;
  /** Waits until a request that was just sent waits behind the others in the core, where no test can see it. */
  arrival(): Promise<void>;
  release(): Promise<void>;
}

export async function lockOrganizationHead(
  { database }: { readonly database: { readonly url: string } },
  organizationId: string,
): Promise<LockedHead> {
  const [holder, watcher] = await Promise.all([connection(database.url), connection(database.url)]);
  await holder.query('begin');
  await holder.query('select from organization_head where organization_id = $1 for update', [organizationId]);
  const count = async () => {
    const { rows } = await watcher.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows[0]?.count ?? 0;
  };
  return {
    waiting: async (waitingMin) => void (await waitUntil(count, (waitingCount) => waitingCount >= waitingMin)),
    arrival: () => sleep(ARRIVAL_MS),
    release: async () => {
      await holder.query('rollback');
      await Promise.all([holder.end(), watcher.end()]);
    },
  };
}

async function connection(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
}
