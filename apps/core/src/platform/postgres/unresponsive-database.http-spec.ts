import type { Value } from '@strata/contract';
import { createTestDatabase, RawClient, type Reply, type TestDatabase, type TestOrganization } from '@strata/testkit';
import pg from 'pg';
import { type CoreInProcess, startSecondCore } from '../../testing/core-in-process.ts';
import { SilentProxy } from '../../testing/silent-proxy.ts';
import { waitUntil } from '../../testing/until.ts';

let database: TestDatabase;
let proxy: SilentProxy;
let core: CoreInProcess;
/** Another core with a direct connection to the database. */
let witness: CoreInProcess;
let organization: TestOrganization;
let values: readonly Value[];
beforeAll(async () => {
  database = await createTestDatabase();
  witness = await startSecondCore({ database });
});
beforeEach(async () => {
  proxy = await SilentProxy.before(database.url);
  core = await startSecondCore({ database: { url: proxy.url } }, { STRATA_DATABASE_TIMEOUT_SECONDS: '2' });
  organization = await core.organization();
  const parameter = await organization.parameter();
  const otherEnvironment = await organization.environmentNamed('production');
  values = [
    await organization.value({ parameter, internal_value: 'before' }),
    await organization.value({ parameter, environment: otherEnvironment, internal_value: 'before' }),
  ];
});
afterEach(async () => {
  await proxy.close();
  await core.close();
});
afterAll(async () => {
  await witness.close();
  await database.drop();
});

/** Long enough for a machine that is busy with other work. A request that hangs never ends. */
const TIMEOUT_MS = 120_000;
/** On an idle machine the readiness check takes a second, because the probe gives up after 800 ms. */
const READINESS_MS_MAX = 6_000;

const statusAndCode = ({ status, headers }: Reply) => `${status} ${headers['x-error-code']}`;
const url = (n = 0) => values[n]?.url ?? '';
const stored = async (n = 0) =>
  (await new RawClient(witness.origin, organization.ownerAuthorization).get<Value>(url(n))).body.internal_value;

async function inTime<T>(answers: Promise<T>, ms = TIMEOUT_MS): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('There was no answer in time.')), ms);
  return Promise.race([answers, promise]).finally(() => clearTimeout(timer));
}

/** Sends more requests of every kind at once than there are connections. */
function everything(): Promise<Reply[]> {
  const { owner } = organization;
  return Promise.all([
    ...Array.from({ length: 8 }, (_, n) => owner.get(`projects/?page_size=${n + 1}`)),
    ...Array.from({ length: 8 }, (_, n) => owner.patch(url(n % 2), { internal_value: `after ${n}` })),
    owner.post('environments/', { name: 'new' }),
    owner.get('audit/'),
    new RawClient(core.origin, `Api-Key abcdefgh.${'x'.repeat(40)}`).get('projects/'),
  ]);
}

/** Signals processes of PostgreSQL. The process of a connection that was just closed may already have ended. */
function signal(processes: readonly { readonly pid: number }[], name: 'SIGSTOP' | 'SIGCONT'): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

describe('a database that stops responding', () => {
  it('causes 503 in time and stores nothing, even if the caller must be looked up first', async () => {
    proxy.silence();

    const responses = await inTime(everything());

    expect([...new Set(responses.map(statusAndCode))]).toEqual(['503 database_unavailable']);
    expect(responses.every(({ headers }) => Number(headers['retry-after']) > 0)).toBe(true);
    expect([await stored(0), await stored(1)]).toEqual(['before', 'before']);
  });

  it('makes the service not ready within seconds, every time', async () => {
    const anonymous = new RawClient(core.origin, null);
    expect((await anonymous.get('/readyz')).status).toBe(200);
    proxy.silence();

    const busy = everything();
    for (let n = 0; n < 4; n += 1) {
      expect((await inTime(anonymous.get('/readyz'), READINESS_MS_MAX)).status).toBe(503);
      expect((await inTime(anonymous.get('/healthz'), READINESS_MS_MAX)).status).toBe(200);
    }
    await busy;
  });

  it('is used again with new connections as soon as it responds', async () => {
    proxy.silence();
    await inTime(everything());
    proxy.resume();

    await waitUntil(
      () => new RawClient(core.origin, null).get('/readyz'),
      ({ status }) => status === 200,
    );
    const responses = await inTime(everything());
    expect(responses.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
  });

  it('is used through new connections if only the processes of the open connections are stopped', async () => {
    const { owner } = organization;
    const watcher = new pg.Client({ connectionString: database.url });
    await watcher.connect();
    try {
      const { rows } = await watcher.query<{ pid: number }>(
        `select pid from pg_stat_activity where datname = current_database() and usename = 'strata_core'
            and pid <> pg_backend_pid() and (application_name = '' or application_name like 'strata core%')`,
      );
      signal(rows, 'SIGSTOP');
      try {
        const responses = await inTime(everything());
        expect(new Set(responses.map(statusAndCode))).toContain('503 database_unavailable');
        // The stopped processes hold no lock that a new one needs.
        expect(
          (
            await inTime(
              waitUntil(
                () => owner.get('audit/'),
                ({ status }) => status === 200,
              ),
            )
          ).status,
        ).toBe(200);
      } finally {
        signal(rows, 'SIGCONT');
      }
    } finally {
      await watcher.end();
    }
  });
});

describe('a write whose COMMIT gets no response', () => {
  it.each([
    ['was committed', true, 'after'],
    ['did not reach the database', false, 'before'],
  ])('returns 503 outcome_unknown if it %s', async (_, passes, expectedText) => {
    proxy.silenceAt('commit', { passes });

    const response = await inTime(organization.owner.patch(url(), { internal_value: 'after' }));

    expect(statusAndCode(response)).toBe('503 outcome_unknown');
    await waitUntil(
      () => stored(),
      (text) => text === expectedText,
    );
    // the pool does not use the connection again
    const responses = await inTime(
      Promise.all(Array.from({ length: 20 }, (_each, n) => organization.owner.get(`projects/?page_size=${n + 1}`))),
    );
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
  });

  it.each([
    ['before the transaction', 'begin'],
    ['during the writes', 'insert into member_group'],
  ])(
    'returns an error that says nothing was stored if the database stopped responding earlier: %s',
    async (_, statement) => {
      proxy.silenceAt(statement, { passes: true });

      const response = await inTime(organization.owner.post('groups/', { name: 'hanging', users: [] }));

      expect(statusAndCode(response)).toBe('503 database_unavailable');
      const asOwner = new RawClient(witness.origin, organization.ownerAuthorization);
      expect((await asOwner.get<{ count: number }>('groups/')).body.count).toBe(0);
    },
  );
});
