import { createTestDatabase, type TestDatabase } from '@strata/testkit';
import { type CoreInProcess, startSecondCore } from '../../testing/core-in-process.ts';
import { query } from '../../testing/query.ts';
import { waitUntil } from '../../testing/until.ts';

let database: TestDatabase;
let core: CoreInProcess;
beforeAll(async () => {
  database = await createTestDatabase();
  core = await startSecondCore({ database });
});
afterAll(async () => {
  await core.close();
  await database.drop();
});

const databaseName = () => new URL(database.url).pathname.slice(1);
const readiness = async () => (await fetch(`${core.origin}/readyz`)).status;

/** A session keeps the setting that it started with, so this ends all other sessions. */
async function setReadOnly(isReadOnly: 'on' | 'off'): Promise<void> {
  const alter = `begin read write; alter database ${databaseName()} set default_transaction_read_only = ${isReadOnly}; commit`;
  await query({ database }, alter);
  await query(
    { database },
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
}

test('/readyz returns 503 while the database rejects writes, and 200 once it accepts them again, and neither creates a revision', async () => {
  const organization = await core.organization();
  const revision = async () =>
    (await query<{ revision: string }>({ database }, 'select sum(revision) as revision from organization_head'))[0];
  const before = await revision();
  expect(await readiness()).toBe(200);

  await setReadOnly('on');
  await waitUntil(readiness, (status) => status === 503);
  expect(await organization.owner.post('environments/', { name: 'too early' })).toMatchObject({ status: 503 });
  expect(await organization.owner.get('environments/')).toMatchObject({ status: 200 });
  expect((await fetch(`${core.origin}/healthz`)).status).toBe(200);

  await setReadOnly('off');
  await waitUntil(readiness, (status) => status === 200);
  expect(await revision()).toEqual(before);
  expect(await organization.owner.post('environments/', { name: 'in time' })).toMatchObject({ status: 201 });
});
