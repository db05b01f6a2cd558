import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  createTestDatabase,
  organization,
  RawClient,
  type Reply,
  type TestDatabase,
  testCredentials,
} from '@strata/testkit';
import pg from 'pg';
import { SilentProxy } from '../../testing/silent-proxy.ts';
import { waitUntil } from '../../testing/until.ts';

/** Longer than every limit for a response of the database. */
const STOPPED_MS = 6_000;

let database: TestDatabase;
let proxy: SilentProxy;
let child: ChildProcess;
let origin: string;
beforeEach(async () => {
  database = await createTestDatabase();
  proxy = await SilentProxy.before(database.url);
  const main = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));
  child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: proxy.url,
      STRATA_ROOT_KEY: testCredentials().rootKey,
      STRATA_LOG_LEVEL: 'silent',
      STRATA_PORT: '0',
      STRATA_DATABASE_TIMEOUT_SECONDS: '4',
      // The test database does not flush writes to the disk.
      STRATA_UNSAFE_DATABASE: 'true',
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  [origin] = (await once(child, 'message')) as [string];
});
afterEach(async () => {
  const whenEnded = child.exitCode ?? once(child, 'exit');
  child.kill('SIGKILL');
  await whenEnded;
  await proxy.close();
  await database.drop();
});

/** Stops the core like a machine that gives it no processor time. `meanwhile` runs while it is stopped. */
async function stopCore(meanwhile: () => unknown): Promise<void> {
  child.kill('SIGSTOP');
  try {
    await meanwhile();
    await sleep(STOPPED_MS);
  } finally {
    child.kill('SIGCONT');
  }
}

const outcomes = (responses: readonly Reply[]) =>
  responses.map(({ status, headers }) => headers['x-error-code'] ?? status);
/** Sends more requests at once than there are connections. */
const readProjects = (owner: RawClient) =>
  Array.from({ length: 12 }, (_, n) => owner.get(`projects/?page_size=${n + 1}`));
const ALL_SUCCEED = Array.from({ length: 12 }, () => 200);
const newOrganization = () => organization({ origin, ...testCredentials() });

describe('a core that gets no processor time', () => {
  it('sends the responses of statements that ended meanwhile', async () => {
    const { owner } = await newOrganization();
    const secondClient = new pg.Client({ connectionString: database.url });
    await secondClient.connect();
    try {
      await secondClient.query('begin; lock table project in access exclusive mode');
      const responses = Promise.all(readProjects(owner));
      await waitUntil(
        () => secondClient.query(`select 1 from pg_locks where not granted and relation = 'project'::regclass`),
        ({ rows }) => rows.length > 0,
      );

      await stopCore(() => secondClient.query('commit'));

      expect(outcomes(await responses)).toEqual(ALL_SUCCEED);
    } finally {
      await secondClient.end();
    }
  });

  it('opens the connections that it was opening, also if a busy machine takes longer than the time that was left', async () => {
    const { owner } = await newOrganization();
    // The probe keeps its connection, so it needs no new one.
    expect((await new RawClient(origin, null).get('/readyz')).status).toBe(200);
    proxy.silenceNewUntil('database.state');
    const responses = Promise.all(readProjects(owner));
    await waitUntil(
      async () => proxy.newSilentCount,
      (count) => count > 0,
    );

    await stopCore(() => undefined);

    expect(outcomes(await responses)).toEqual(ALL_SUCCEED);
  });
});
