import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ledgerProblems, organization, type TestOrganization, testCredentials } from '@strata/testkit';
import { freePort, type PostgresOptions, type RunningPostgres, startPostgres } from '../../../tools/pg.mjs';
import { built, eventually, migrate, type Service, startService, statusOf } from './processes.ts';
import { Writers } from './writers.ts';

let directory: string;
let options: PostgresOptions;
let postgres: RunningPostgres;
let core: Service;
let house: TestOrganization;

beforeAll(async () => {
  await built('core');
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-crash-'));
  fs.chmodSync(directory, 0o711); // the database's own user has to walk through
  options = {
    dataDir: path.join(directory, 'postgres'),
    password: randomBytes(16).toString('hex'),
    port: await freePort(),
    durable: true,
  };
  postgres = await startPostgres(options);
  const { apiKey, ownerEmail, ownerPassword, rootKey } = testCredentials();
  const settings = {
    DATABASE_URL: postgres.url(),
    STRATA_ROOT_KEY: rootKey,
    STRATA_BOOTSTRAP_API_KEY: apiKey,
    STRATA_BOOTSTRAP_EMAIL: ownerEmail,
    STRATA_BOOTSTRAP_PASSWORD: ownerPassword,
    STRATA_LOG_LEVEL: 'error',
  };
  await migrate(settings);
  core = await startService('core', await freePort(), settings);
  house = await newOrganization();
}, 120_000);
afterAll(async () => {
  await core.end('SIGKILL');
  await postgres.stop();
  fs.rmSync(directory, { recursive: true, force: true });
});

const newOrganization = () => organization({ origin: core.origin, ...testCredentials() });

/** The server and all of its workers at the same moment, as a power cut would. */
async function cutPower(): Promise<void> {
  const workers = fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === postgres.pid)
    .map(Number);
  for (const pid of [postgres.pid, ...workers]) process.kill(pid, 'SIGKILL');
  await postgres.exited;
}

function parentOf(pid: string): number | null {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null; // ended meanwhile
  }
}

const isReady = async () => (await statusOf(core.origin, 'readyz')) === 200;
const back = () => eventually('ready again, without a restart', isReady, 5_000);

describe('kill -9 of PostgreSQL in the middle of sixteen writers', () => {
  it('loses nothing that was acknowledged, and the core is ready again within five seconds', async () => {
    const writers = await Writers.begin([house, await newOrganization(), await newOrganization()], 16);
    for (let cut = 1; cut <= 2; cut += 1) {
      const enough = writers.count('acknowledged') + 60;
      await eventually('sixty more writes', () => writers.count('acknowledged') >= enough, 30_000);
      await cutPower();
      await eventually('not ready', async () => (await statusOf(core.origin, 'readyz')) === 503);
      expect(await statusOf(core.origin, 'healthz')).toBe(200);
      postgres = await startPostgres(options);
      await back();
    }
    const enough = writers.count('acknowledged') + 30;
    await eventually('writes again', () => writers.count('acknowledged') >= enough, 30_000);
    await writers.stop();

    expect(writers.count('unknown') + writers.count('refused')).toBeGreaterThan(0);
    expect(core.process.exitCode).toBeNull();
    expect(await writers.broken()).toEqual([]);
    expect(await ledgerProblems(postgres.url())).toEqual([]);
  }, 120_000);
});

describe('while the database is down', () => {
  it('reads and writes are told so at once, in the shape of the contract, and go on when it is back', async () => {
    await postgres.stop();

    const viewer = house.as('CONTRIB');
    const answers = await Promise.race([
      Promise.all([
        viewer.get('environments/'),
        viewer.post('environments/', { name: 'too early' }),
        viewer.get('events/?wait=5'),
      ]),
      sleep(2_500, [], { ref: false }),
    ]);

    expect(answers).toHaveLength(3);
    for (const { status, headers, body } of answers) {
      expect([status, body]).toEqual([503, { detail: expect.any(String) }]);
      expect(headers).toMatchObject({ 'x-error-code': 'database_unavailable', 'retry-after': expect.any(String) });
    }
    expect(await statusOf(core.origin, 'healthz')).toBe(200);
    expect(await statusOf(core.origin, 'readyz')).toBe(503);

    postgres = await startPostgres(options);
    await back();
    expect(await viewer.post('environments/', { name: 'in time' })).toMatchObject({ status: 201 });
    expect((await viewer.get<{ count: number }>('environments/?name=too%20early')).body.count).toBe(0);
    expect(core.process.exitCode).toBeNull();
  }, 60_000);
});
