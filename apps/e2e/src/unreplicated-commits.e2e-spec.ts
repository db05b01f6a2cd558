import { findFreePort } from '@strata/processes';
import { organization, type Reply, type TestOrganization, testCredentials } from '@strata/testkit';
import pg from 'pg';
import { buildMissingApps, eventually, migrate, type Service, startService } from './processes.ts';
import { RestartablePostgres } from './restartable-postgres.ts';

let postgres: RestartablePostgres;
let core: Service;
let org: TestOrganization;
let operator: pg.Client;

beforeAll(async () => {
  await buildMissingApps('core');
  postgres = await RestartablePostgres.start();
  const { apiKey, ownerEmail, ownerPassword, rootKey } = testCredentials();
  const settings = {
    DATABASE_URL: postgres.url,
    STRATA_ROOT_KEY: rootKey,
    STRATA_BOOTSTRAP_API_KEY: apiKey,
    STRATA_BOOTSTRAP_EMAIL: ownerEmail,
    STRATA_BOOTSTRAP_PASSWORD: ownerPassword,
    STRATA_LOG_LEVEL: 'error',
    STRATA_DATABASE_TIMEOUT_SECONDS: '3',
  };
  await migrate(settings);
  core = await startService('core', await findFreePort(), settings);
  org = await organization({ origin: core.origin, ...testCredentials() });
  operator = new pg.Client({ connectionString: postgres.url });
  operator.on('error', () => undefined);
  await operator.connect();
  await operator.query("set synchronous_commit = 'local'");
});
afterAll(async () => {
  await operator.end();
  await core.end('SIGKILL');
  await postgres.remove();
});
afterEach(() => requireStandby(''));

/** Makes every COMMIT wait for a standby with this name, until no name is set. */
async function requireStandby(name: string): Promise<void> {
  await operator.query(`alter system set synchronous_standby_names = '${name}'`);
  await operator.query('select pg_reload_conf()');
  await eventually('commits wait for the standby, or for none', async () => {
    const { rows } = await operator.query('show synchronous_standby_names');
    return rows[0]?.synchronous_standby_names === name;
  });
}

/** Returns the processes of PostgreSQL whose COMMIT waits for a standby. */
async function waitingCommits(): Promise<readonly number[]> {
  const text = `select pid from pg_stat_activity where wait_event = 'SyncRep'`;
  const { rows } = await operator.query<{ pid: number }>(text);
  return rows.map(({ pid }) => pid);
}

const statusAndCode = ({ status, headers }: Reply) => `${status} ${headers['x-error-code']}`;

describe('a COMMIT that waits for a standby', () => {
  it.each([
    ['the wait is cancelled', 'pg_cancel_backend'],
    ['its connection is ended', 'pg_terminate_backend'],
  ])('returns 503 outcome_unknown if %s, and the write is visible', async (_, end) => {
    await requireStandby('absent');
    const name = `written-${end}`;
    const response = org.owner.post('environments/', { name });
    await eventually('the COMMIT waits', async () => (await waitingCommits()).length > 0);
    for (const pid of await waitingCommits()) await operator.query(`select ${end}(${pid})`);

    expect(statusAndCode(await response)).toBe('503 outcome_unknown');
    expect(await org.owner.get(`environments/?name=${name}`)).toMatchObject({ status: 200, body: { count: 1 } });
  });

  it('returns 503 outcome_unknown to a repeat of the write, too, until a standby confirms it', async () => {
    await requireStandby('absent');
    const write = () => org.owner.post('environments/', { name: 'repeated' }, { 'idempotency-key': 'once' });
    const writeUnconfirmed = async () => {
      const response = write();
      await eventually('the COMMIT waits', async () => (await waitingCommits()).length > 0);
      for (const pid of await waitingCommits()) await operator.query(`select pg_cancel_backend(${pid})`);
      return statusAndCode(await response);
    };

    expect(await writeUnconfirmed()).toBe('503 outcome_unknown');
    expect(await writeUnconfirmed()).toBe('503 outcome_unknown');
    await requireStandby('');
    expect(await write()).toMatchObject({ status: 201, body: { name: 'repeated' } });
  });

  it('returns 503 outcome_unknown after the time limit, and other writes then store nothing', async () => {
    await requireStandby('absent');

    const response = await org.owner.post('environments/', { name: 'hanging' });
    const laterResponse = await org.owner.post('environments/', { name: 'behind it' });

    expect(statusAndCode(response)).toBe('503 outcome_unknown');
    expect(laterResponse.status).toBe(503);
    expect(laterResponse.headers['x-error-code']).not.toBe('outcome_unknown');
    await requireStandby('');
    await eventually('the COMMIT ends', async () => (await waitingCommits()).length === 0);
    expect(await org.owner.get('environments/?name=hanging')).toMatchObject({ status: 200, body: { count: 1 } });
    expect(await org.owner.get('environments/?name=behind it')).toMatchObject({ status: 200, body: { count: 0 } });
  });
});
