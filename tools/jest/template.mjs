// The database that test databases are copied from. The core's own `migrate` migrates it once per run.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { nodeArguments } from '../../libs/processes/src/index.ts';
import { buildApps } from '../build-apps.mjs';
import { root } from '../ensure.mjs';

export const TEMPLATE = 'strata_template';

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
      DATABASE_URL: url(TEMPLATE),
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
  await administer(`alter database ${TEMPLATE} is_template true`);
}
