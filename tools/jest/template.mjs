// The database that test databases are copied from. The core's own `migrate` migrates it once per run.
import { spawn } from 'node:child_process';
import path from 'node:path';
import pg from 'pg';
import { hashPassword } from '../../apps/core/src/features/identity/password.ts';
import { coreDatabaseUrl, nodeArguments } from '../../libs/processes/src/index.ts';
import { buildApps } from '../build-apps.mjs';
import { root } from '../ensure.mjs';

export const TEMPLATE = 'strata_template';

/** The lowest cost of a password hash. */
const HASH_COST = 1;

/** Creates the template. `administer` runs one statement as the owner of the server. */
export async function makeTemplate({ url, administer }) {
  await buildApps(['core']);
  await administer(`create database ${TEMPLATE}`);
  const { env } = process;
  const main = path.join(root, 'apps/core/dist/main.js');
  const migration = spawn(process.execPath, [...nodeArguments(), main, 'migrate'], {
    env: {
      PATH: env.PATH,
      NODE_COMPILE_CACHE: env.NODE_COMPILE_CACHE,
      DATABASE_URL: coreDatabaseUrl(url(TEMPLATE), env.STRATA_TEST_CORE_PASSWORD),
      STRATA_OWNER_DATABASE_URL: url(TEMPLATE),
      STRATA_ROOT_KEY: env.STRATA_TEST_ROOT_KEY,
      STRATA_BOOTSTRAP_API_KEY: env.STRATA_TEST_API_KEY,
      STRATA_BOOTSTRAP_EMAIL: env.STRATA_TEST_OWNER_EMAIL,
      STRATA_BOOTSTRAP_PASSWORD: env.STRATA_TEST_OWNER_PASSWORD,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const end = await new Promise((resolve, reject) => {
    migration.once('error', reject);
    migration.once('close', (code, signal) => resolve(signal ?? code));
  });
  if (end !== 0) throw new Error(`The core's migrate ended with ${end}`);
  await makePasswordsCheap(url(TEMPLATE));
  await administer(`alter database ${TEMPLATE} is_template true`);
}

/** Each core of a run checks the owner's password and opens connections, and both hashes are deliberately slow. */
async function makePasswordsCheap(templateUrl) {
  const client = new pg.Client({ connectionString: templateUrl });
  await client.connect();
  try {
    const { username } = new URL(coreDatabaseUrl(templateUrl, ''));
    await client.query('set scram_iterations = 1');
    await client.query(`alter role ${username} password '${process.env.STRATA_TEST_CORE_PASSWORD}'`);
    const hash = await hashPassword(process.env.STRATA_TEST_OWNER_PASSWORD, HASH_COST);
    await client.query('update person set password_hash = $1 where email = $2', [
      hash,
      process.env.STRATA_TEST_OWNER_EMAIL,
    ]);
  } finally {
    await client.end();
  }
}
