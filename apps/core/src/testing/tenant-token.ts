import type pg from 'pg';
import { type CoreInProcess, moduleOfCore } from './core-in-process.ts';

/** Gives a connection of a test the rights of a core: its role, and a token of all organizations. */
export async function actAsCore({ core }: CoreInProcess, client: pg.Client): Promise<void> {
  const { SET_TOKEN, TenantTokens } = await moduleOfCore<typeof import('../platform/postgres/tenants.ts')>(
    './platform/postgres/tenants.js',
  );
  await client.query('set role strata_app');
  await client.query(SET_TOKEN, [core.app.get(TenantTokens).current()]);
}
