import { Logger, runMigrations } from 'graphile-worker';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { isContention, isDatabaseUnavailable } from './constraints.ts';
import { MonitoredClient, type MonitoredConfig } from './monitored-client.ts';
import type { Retry } from './retry.ts';
import { APPLICATION_ROLE, OWNER_ROLE, openSession } from './session.ts';

/** The library would print every job to the console. Jobs report their results in their own rows instead. */
export const QUIET_QUEUE_LOGGER = new Logger(() => () => undefined);

/**
 * The queue's tables have row security without policies, so only their owner can use them. This adds policies for the
 * application role.
 */
const RIGHTS = `
grant usage on schema graphile_worker to ${APPLICATION_ROLE};
grant select, insert, update, delete on all tables in schema graphile_worker to ${APPLICATION_ROLE};
grant usage, select on all sequences in schema graphile_worker to ${APPLICATION_ROLE};
do $$
declare guarded record;
begin
  for guarded in
    select pg_class.relname from pg_class
     where pg_class.relnamespace = 'graphile_worker'::regnamespace and pg_class.relrowsecurity
       and not exists (select from pg_policy where pg_policy.polrelid = pg_class.oid and pg_policy.polname = 'strata')
  loop
    execute format('create policy strata on graphile_worker.%I to ${APPLICATION_ROLE} using (true) with check (true)',
                   guarded.relname);
  end loop;
end $$;`;

/** Creates a pool for the job queue. A broken connection ends neither the pool nor the process. */
export function queuePool(config: pg.PoolConfig & MonitoredConfig): pg.Pool {
  const pool = new pg.Pool({ ...config, Client: MonitoredClient });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/**
 * Wraps a pool so that its statements are retried until the database accepts them. The library's workers do not handle
 * an unavailable database: some sleep for minutes, some print their stack and end, and the jobs they had locked stay
 * locked for hours. Each of their statements is independent, so each may use any connection. At shutdown, failed
 * statements return an empty result; the sweep finds unfinished jobs. A caller with a callback needs a real connection
 * to listen on. If it breaks, the library may release it twice, which the pool would reject.
 */
export function createRetryingPool(pool: pg.Pool, retry: Retry): pg.Pool {
  const query = (text: string, values?: unknown[]) =>
    retry
      .retryUntilAvailable(
        () => pool.query(text, values),
        (error) => isDatabaseUnavailable(error) || isContention(error),
      )
      .catch((error: unknown) => {
        if (retry.isStopped) return { rows: [], rowCount: 0 };
        throw error;
      });
  const statements = { query, release: () => undefined };
  const connect = (callback?: Parameters<pg.Pool['connect']>[0]) =>
    callback
      ? pool.connect((error, client, release) => callback(error, client, releaseOnce(release)))
      : Promise.resolve(statements);
  return Object.assign(Object.create(pool) as pg.Pool, { connect });
}

/** A pool that is ending calls back without a connection and without a release function. */
function releaseOnce(release: ((error?: Error | boolean) => void) | undefined): (error?: Error | boolean) => void {
  let isReleased = false;
  return (error) => {
    if (!isReleased) release?.(error);
    isReleased = true;
  };
}

/** Migrates the job queue's own schema, as the owner of the database. */
export async function migrateQueue(databaseUrl: string, owner: DataSource): Promise<void> {
  const pgPool = queuePool({
    connectionString: databaseUrl,
    max: 1,
    onConnect: (client) => openSession(client, OWNER_ROLE, {}),
  });
  try {
    await runMigrations({ pgPool, logger: QUIET_QUEUE_LOGGER });
  } finally {
    await pgPool.end();
  }
  await owner.query(RIGHTS);
}
