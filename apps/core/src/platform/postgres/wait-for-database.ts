import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isDatabaseUnavailable } from './constraints.ts';

const RETRY_INTERVAL_MS = 250;

/**
 * Waits for a PostgreSQL that starts at the same time or recovers after a crash. Returns when it responds. Throws the
 * error if it can never succeed or the time is over. Calls `onWait` once.
 */
export async function waitForDatabase(url: string, timeoutMs: number, onWait: (error: unknown) => void) {
  const until = Date.now() + timeoutMs;
  for (let isFirst = true; ; isFirst = false) {
    const connectionError = await findConnectionError(url);
    if (connectionError === null) return;
    if (!isDatabaseUnavailable(connectionError) || Date.now() > until) throw connectionError;
    if (isFirst) onWait(connectionError);
    await sleep(RETRY_INTERVAL_MS);
  }
}

async function findConnectionError(connectionString: string): Promise<unknown> {
  let client: pg.Client | null = null;
  try {
    client = new pg.Client({ connectionString, connectionTimeoutMillis: 2_000 });
    client.on('error', () => undefined);
    await client.connect();
    return null;
  } catch (error) {
    return error;
  } finally {
    await client?.end().catch(() => undefined);
  }
}
