import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isConnectionTrouble } from './constraints.ts';

const LOOK_AGAIN_MS = 250;

/**
 * PostgreSQL is often started together with us, and recovers for a while after a crash. Returns when it answers, when it
 * never will, and when the time is over: the start that follows says what is wrong. `onWait` is told once.
 */
export async function waitForDatabase(url: string, patienceMs: number, onWait: (error: unknown) => void) {
  const until = Date.now() + patienceMs;
  for (let isFirst = true; ; isFirst = false) {
    const trouble = await troubleOf(url);
    if (!isConnectionTrouble(trouble) || Date.now() > until) return;
    if (isFirst) onWait(trouble);
    await sleep(LOOK_AGAIN_MS);
  }
}

async function troubleOf(connectionString: string): Promise<unknown> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return null;
  } catch (error) {
    return error;
  } finally {
    await client.end().catch(() => undefined);
  }
}
