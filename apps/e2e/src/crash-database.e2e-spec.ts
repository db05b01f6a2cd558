import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '@strata/processes';
import { ledgerProblems, organization, type TestOrganization, testCredentials } from '@strata/testkit';
import {
  buildMissingApps,
  eventually,
  fetchStatus,
  launchService,
  migrate,
  type ProcessSettings,
  type Service,
  startService,
} from './processes.ts';
import { RestartablePostgres } from './restartable-postgres.ts';
import { Writers } from './writers.ts';

let postgres: RestartablePostgres;
let core: Service;
let settings: ProcessSettings;
let org: TestOrganization;

beforeAll(async () => {
  await buildMissingApps('core');
  postgres = await RestartablePostgres.start();
  const { apiKey, ownerEmail, ownerPassword, rootKey } = testCredentials();
  settings = {
    DATABASE_URL: postgres.url,
    STRATA_ROOT_KEY: rootKey,
    STRATA_BOOTSTRAP_API_KEY: apiKey,
    STRATA_BOOTSTRAP_EMAIL: ownerEmail,
    STRATA_BOOTSTRAP_PASSWORD: ownerPassword,
    STRATA_LOG_LEVEL: 'error',
  };
  await migrate(settings);
  core = await startService('core', await findFreePort(), settings);
  org = await newOrganization();
});
afterAll(async () => {
  await core.end('SIGKILL');
  await postgres.remove();
});

const newOrganization = () => organization({ origin: core.origin, ...testCredentials() });

const isReady = async () => (await fetchStatus(core.origin, 'readyz')) === 200;
const back = () => eventually('ready again, without a restart', isReady);

describe('kill -9 of PostgreSQL while sixteen clients write', () => {
  it('loses no acknowledged write, and the core is ready again within five seconds', async () => {
    const writers = await Writers.begin([org, await newOrganization(), await newOrganization()], 16);
    for (let cut = 1; cut <= 2; cut += 1) {
      const enough = writers.count('acknowledged') + 60;
      await eventually('sixty more writes', () => writers.count('acknowledged') >= enough);
      await postgres.cutPower();
      await eventually('not ready', async () => (await fetchStatus(core.origin, 'readyz')) === 503);
      expect(await fetchStatus(core.origin, 'healthz')).toBe(200);
      await postgres.start();
      await back();
    }
    const enough = writers.count('acknowledged') + 30;
    await eventually('writes again', () => writers.count('acknowledged') >= enough);
    await writers.stop();

    expect(writers.count('unknown') + writers.count('rejected')).toBeGreaterThan(0);
    expect(core.process.exitCode).toBeNull();
    expect(await writers.broken()).toEqual([]);
    expect(await ledgerProblems(postgres.url)).toEqual([]);
  });
});

describe('while the database is down', () => {
  it('reads and writes fail at once with the contract’s error body, and succeed when the database is available again', async () => {
    await postgres.stop();

    const viewer = org.as('CONTRIB');
    const responses = await Promise.race([
      Promise.all([
        viewer.get('environments/'),
        viewer.post('environments/', { name: 'too early' }),
        viewer.get('events/?wait=5'),
      ]),
      sleep(2_500, [], { ref: false }),
    ]);

    expect(responses).toHaveLength(3);
    for (const { status, headers, body } of responses) {
      expect([status, body]).toEqual([503, { detail: expect.any(String) }]);
      expect(headers).toMatchObject({ 'x-error-code': 'database_unavailable', 'retry-after': expect.any(String) });
    }
    expect(await fetchStatus(core.origin, 'healthz')).toBe(200);
    expect(await fetchStatus(core.origin, 'readyz')).toBe(503);

    await postgres.start();
    await back();
    expect(await viewer.post('environments/', { name: 'in time' })).toMatchObject({ status: 201 });
    expect((await viewer.get<{ count: number }>('environments/?name=too%20early')).body.count).toBe(0);
    expect(core.process.exitCode).toBeNull();
  });

  it('a core that starts waits for the database, logs the reason, and is ready when the database is available', async () => {
    await postgres.cutPower();
    const second = launchService('core', await findFreePort(), { ...settings, STRATA_LOG_LEVEL: 'warn' });
    await eventually('it waits', () => second.service.log().includes('Waiting for it'));
    await postgres.start();

    await second.ready;
    expect(await fetchStatus(second.service.origin, 'readyz')).toBe(200);
    await second.service.end('SIGTERM');
    await back();
  });
});
