import type { TestDatabase } from '@strata/testkit';
import pg from 'pg';

/**
 * Runs a statement as an attacker who can write to the database but has no key. Throws if it changes no row.
 */
export async function tamper({ url }: TestDatabase, text: string, values: readonly unknown[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // disables triggers, so that no history is recorded and no event is sent
    await client.query('set session_replication_role = replica');
    const { rowCount } = await client.query(text, [...values]);
    if (!rowCount) throw new Error('The statement changed no row.');
  } finally {
    await client.end();
  }
}
