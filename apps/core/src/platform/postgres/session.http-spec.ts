import type { Value } from '@strata/contract';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '@strata/testkit';
import { type CoreInProcess, moduleOfCore, startSecondCore } from '../../testing/core-in-process.ts';
import { query } from '../../testing/query.ts';
import { RootKey, RootKeys } from '../vault/root-key.ts';

let database: TestDatabase;
let core: CoreInProcess | undefined;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await core?.close();
  core = undefined;
  await database.drop();
});

const poolOfCore = async ({ core: { app } }: CoreInProcess) => {
  const { DataSource } = await moduleOfCore<typeof import('typeorm')>('typeorm');
  const { poolOf } = await moduleOfCore<typeof import('./data-source.ts')>('./platform/postgres/data-source.js');
  return poolOf(app.get(DataSource));
};

/** Sets the default of a setting for new connections to the database. */
const alter = (setting: string) =>
  query({ database }, `alter database ${new URL(database.url).pathname.slice(1)} set ${setting}`);

describe('the session of a connection', () => {
  it('has the role and the settings of the core, whatever the database and DATABASE_URL select', async () => {
    for (const setting of [
      "default_transaction_isolation = 'serializable'",
      "datestyle = 'German'",
      "timezone = 'Asia/Tokyo'",
      'statement_timeout = 0',
      "plan_cache_mode = 'auto'",
    ])
      await alter(setting);
    const options = encodeURIComponent('-c role=none -c lock_timeout=0');
    core = await startSecondCore({ database: { url: `${database.url}?options=${options}` } });

    const { rows } = await (await poolOfCore(core)).query(
      `select current_user::text as role, name, setting from pg_settings
        where name in ('default_transaction_isolation', 'DateStyle', 'TimeZone', 'statement_timeout', 'plan_cache_mode', 'lock_timeout')`,
    );
    expect(new Set(rows.map(({ role }) => role))).toEqual(new Set(['strata_app']));
    expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
      default_transaction_isolation: 'read committed',
      DateStyle: 'ISO, DMY',
      TimeZone: 'UTC',
      statement_timeout: '10000',
      plan_cache_mode: 'force_generic_plan',
      lock_timeout: '5000',
    });
  });

  it('is rejected at start if triggers would not write the history', async () => {
    await alter('session_replication_role = replica');

    await expect(startSecondCore({ database })).rejects.toThrow(
      /^session_replication_role is replica, so triggers would not write the history\. Remove the setting/,
    );
  });
});

test('a transaction that lost the role of the core writes nothing', async () => {
  core = await startSecondCore({ database });
  const organization = await core.organization();
  const value = await organization.value({ parameter: await organization.parameter(), internal_value: 'before' });
  const pool = await poolOfCore(core);
  const connections = await Promise.all(Array.from({ length: pool.options.max ?? 0 }, () => pool.connect()));
  await Promise.all(connections.map((connection) => connection.query('set role none')));
  for (const connection of connections) connection.release();

  const response = await organization.owner.patch(value.url, { internal_value: 'after' });

  expect([response.status, response.headers['x-error-code']]).toEqual([503, 'database_unavailable']);
  expect((await organization.owner.get<Value>(value.url)).body.internal_value).toBe('before');
});

test('a migration rejects a database with another encoding', async () => {
  const empty = await createEmptyDatabase();
  const name = `${new URL(empty.url).pathname.slice(1)}_latin`;
  await query(
    { database: empty },
    `create database ${name} encoding 'LATIN1' template template0 locale_provider libc locale 'C'`,
  );
  const url = Object.assign(new URL(empty.url), { pathname: `/${name}` }).href;
  try {
    const { migrate } = await moduleOfCore<typeof import('./database.ts')>('./platform/postgres/database.js');
    const rootKeys = new RootKeys(new RootKey(Buffer.alloc(32)));
    await expect(migrate({ databaseUrl: url, ownerUrl: url, rootKeys, isEnforced: false })).rejects.toThrow(
      'The database has the encoding LATIN1. Create it with the encoding UTF8.',
    );
  } finally {
    await query({ database: empty }, `drop database ${name} with (force)`);
    await empty.drop();
  }
});
