import { createTestDatabase, type TestDatabase } from '@strata/testkit';
import pg from 'pg';
import { startSecondCore } from './testing/core-in-process.ts';
import { waitUntil } from './testing/until.ts';

let database: TestDatabase;
let watcher: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  watcher = new pg.Client({ connectionString: database.url });
  await watcher.connect();
});
afterAll(async () => {
  await watcher.end();
  await database.drop();
});

/** Returns the other sessions of the database. */
async function sessions(): Promise<readonly string[]> {
  const { rows } = await watcher.query<{ query: string }>(
    'select query from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  return rows.map(({ query }) => query);
}

/** Returns the handles that keep this process alive: sockets, timers, threads. */
function handles(): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/**
 * The time that the test waits for resources to be released. It is shorter than the time after which a pool closes an
 * idle connection, so that the test finds connections that stay open.
 */
const MOMENT_MS = 8_000;
const KINDS = ['TCPSocketWrap', 'TCPServerWrap', 'Timeout', 'MessagePort'];

it('a core releases all connections, timers and threads when it is closed after serving requests', async () => {
  const before = handles();
  const core = await startSecondCore({ database });
  const organization = await core.organization();
  const parameter = await organization.parameter();
  const value = await organization.value({ parameter, internal_value: 'a' });
  await Promise.all(
    Array.from({ length: 12 }, (_, index) => organization.owner.patch(value.url, { internal_value: `text ${index}` })),
  );
  await organization.value({
    parameter: await organization.parameter(),
    internal_value: '{{ cloudtruth.environment }}',
    interpolated: true,
  });
  expect((await sessions()).length).toBeGreaterThan(1);

  await core.close();

  await waitUntil(sessions, (left) => left.length === 0, MOMENT_MS);
  const more = () => KINDS.filter((kind) => (handles()[kind] ?? 0) > (before[kind] ?? 0));
  await waitUntil(
    async () => more(),
    (kinds) => kinds.length === 0,
    MOMENT_MS,
  );
});
