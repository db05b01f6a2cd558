import { findFreePort } from '@strata/processes';
import {
  createTestDatabase,
  ledgerProblems,
  organization,
  runsAllCases,
  type TestDatabase,
  type TestOrganization,
  testCredentials,
} from '@strata/testkit';
import pg from 'pg';
import { buildMissingApps, eventually, fetchStatus, type Service, startService } from './processes.ts';
import { Writers } from './writers.ts';

/** `npm run soak` makes 10,000 writes. */
const KILLS = runsAllCases ? 20 : 2;
const WRITES_BEFORE_KILL = runsAllCases ? 500 : 60;

let database: TestDatabase;
let core: Service;
let port: number;

const start = async () => {
  core = await startService('core', port, {
    DATABASE_URL: database.url,
    STRATA_ROOT_KEY: testCredentials().rootKey,
    STRATA_LOG_LEVEL: 'error',
  });
};
const newOrganization = (): Promise<TestOrganization> => organization({ origin: core.origin, ...testCredentials() });

beforeAll(async () => {
  await buildMissingApps('core');
  database = await createTestDatabase();
  port = await findFreePort();
  await start();
});
afterAll(async () => {
  await core.end('SIGKILL');
  await database.drop();
});

describe('kill -9 of the core while sixteen clients write', () => {
  it('loses no acknowledged write and leaves no partial one, repeatedly', async () => {
    const organizations = [await newOrganization(), await newOrganization()];
    const writers = await Writers.begin(organizations, 16);
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const enough = writers.count('acknowledged') + WRITES_BEFORE_KILL;
      await eventually('more writes', () => writers.count('acknowledged') >= enough);
      await core.end('SIGKILL');
      await start();
    }
    const enough = writers.count('acknowledged') + 30;
    await eventually('writes again', () => writers.count('acknowledged') >= enough);
    await writers.stop();

    expect(writers.count('unknown') + writers.count('rejected')).toBeGreaterThan(0);
    expect(await writers.broken()).toEqual([]);
    expect(await ledgerProblems(database.url)).toEqual([]);
  });
});

describe('SIGTERM to the core under load', () => {
  it('lets it finish running requests, accept no new ones and exit with 0', async () => {
    const organization = await newOrganization();
    const authorized = organization.as('CONTRIB');
    await authorized.get('environments/');
    const blocker = new pg.Client({ connectionString: database.url });
    await blocker.on('error', () => {}).connect();
    await blocker.query('begin');
    await blocker.query('select from organization_head where organization_id = $1 for update', [organization.id]);

    const running = Array.from({ length: 10 }, (_, n) => authorized.post('environments/', { name: `late-${n}` }));
    await eventually('a write waits for its turn', async () => {
      const { rowCount } = await blocker.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rowCount === 1;
    });
    core.process.kill('SIGTERM');
    await eventually(
      'the core is not ready for new requests',
      async () => (await fetchStatus(core.origin, 'readyz')) !== 200,
    );
    await blocker.query('rollback');
    await blocker.end();

    const responses = await Promise.all(running);
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 201));
    expect(await core.ended).toEqual({ code: 0, signal: null });
    await start();
    const names = (await organization.owner.get<{ count: number }>('environments/?name__icontains=late')).body.count;
    expect(names).toBe(10);
  });
});
