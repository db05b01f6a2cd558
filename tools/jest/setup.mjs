// Runs before the first spec file: starts one PostgreSQL for the whole run, in a directory that is removed at the end
// of the run, however it ends.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startPostgres } from '../../libs/processes/src/index.ts';
import { compiled } from '../build-apps.mjs';
import { startSupplies } from './resource-server.mjs';

export default async function setup() {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-test-'));
  // PostgreSQL may run as another user, who must be able to enter the directory.
  fs.chmodSync(directory, 0o711);
  const password = randomBytes(16).toString('hex');
  try {
    const postgres = await startPostgres({
      dataDir: path.join(directory, 'postgres'),
      password,
      durable: false,
      settings: { max_connections: '300', max_locks_per_transaction: '256' },
      removeOnEnd: directory,
    });
    await makeSignInCheap(postgres.url(), password);
    const supplies = await startSupplies(postgres);
    globalThis.strataTestRun = [supplies, postgres];
    Object.assign(process.env, credentials(), {
      STRATA_TEST_DATABASE_URL: postgres.url(),
      STRATA_TEST_SUPPLIES: supplies.origin,
      NODE_COMPILE_CACHE: compiled,
    });
  } catch (error) {
    fs.rmSync(directory, { recursive: true, force: true });
    throw error;
  }
}

/**
 * A run opens a thousand connections, and for each of them the client would derive a key from the password in 4,096
 * rounds.
 */
async function makeSignInCheap(url, password) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('set scram_iterations = 1');
    await client.query(`alter role current_user password '${password}'`);
  } finally {
    await client.end();
  }
}

/** Generates new credentials for each run, so that nothing can depend on a well-known key. */
function credentials() {
  const text = (bytes) => randomBytes(bytes).toString('base64url');
  return {
    STRATA_TEST_API_KEY: `${randomBytes(4).toString('hex')}.${text(32)}`,
    STRATA_TEST_OWNER_EMAIL: 'owner@strata.local',
    STRATA_TEST_OWNER_PASSWORD: text(18),
    STRATA_TEST_CORE_PASSWORD: text(18),
    STRATA_TEST_ROOT_KEY: randomBytes(32).toString('base64'),
  };
}
