// Makes the database that test databases are copied from: migrated once per run, by the core's own `migrate`.
// Run by libs/testkit the first time a spec asks for a database, so a run of pure specs does not pay for it.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import pg from 'pg';
import { buildApps } from '../build-apps.mjs';
import { root } from '../ensure.mjs';

const TEMPLATE = 'strata_template';
const { env } = process;

const client = new pg.Client({ connectionString: env.STRATA_TEST_DATABASE_URL });
await client.connect();
try {
  // Two workers may ask at the same moment; the second waits and finds it made.
  await client.query('select pg_advisory_lock(1)');
  const { rows } = await client.query('select datistemplate as ready from pg_database where datname = $1', [TEMPLATE]);
  if (!rows[0]?.ready) await make();
} finally {
  await client.end();
}

async function make() {
  await buildApps(['core']);
  await client.query(`drop database if exists ${TEMPLATE} with (force)`);
  await client.query(`create database ${TEMPLATE}`);
  const url = new URL(env.STRATA_TEST_DATABASE_URL);
  url.pathname = `/${TEMPLATE}`;
  const migration = spawnSync(process.execPath, [path.join(root, 'apps/core/dist/main.js'), 'migrate'], {
    env: {
      PATH: env.PATH,
      DATABASE_URL: url.href,
      STRATA_ROOT_KEY: env.STRATA_TEST_ROOT_KEY,
      STRATA_BOOTSTRAP_API_KEY: env.STRATA_TEST_API_KEY,
      STRATA_BOOTSTRAP_EMAIL: env.STRATA_TEST_OWNER_EMAIL,
      STRATA_BOOTSTRAP_PASSWORD: env.STRATA_TEST_OWNER_PASSWORD,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (migration.status !== 0) throw new Error(`The core's migrate ended with ${migration.signal ?? migration.status}`);
  await client.query(`alter database ${TEMPLATE} is_template true`);
}
