import type { DestinationCreated, Value } from '@strata/contract';
import { createTestDatabase, type Headers, type TestDatabase, type TestOrganization } from '@strata/testkit';
import { type CoreInProcess, startSecondCore } from '../../testing/core-in-process.ts';
import { query } from '../../testing/query.ts';
import { waitUntil } from '../../testing/until.ts';

let database: TestDatabase;
let core: CoreInProcess;
let organization: TestOrganization;
beforeAll(async () => {
  database = await createTestDatabase();
  core = await startSecondCore({ database }, { STRATA_PRIVATE_DESTINATIONS: 'true' });
  organization = await core.organization();
});
afterAll(async () => {
  await core.close();
  await administer(`drop database if exists ${name()}_lost`);
  await database.drop();
});

const name = () => new URL(database.url).pathname.slice(1);

async function administer(...statements: readonly string[]): Promise<void> {
  const url = new URL('/postgres', database.url).href;
  for (const statement of statements) await query({ database: { url } }, statement);
}

/** Runs statements while the database has no connection. */
async function withoutConnections(...statements: readonly string[]): Promise<void> {
  const end = `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name()}'`;
  await administer(`alter database ${name()} allow_connections false`, end, ...statements);
  await administer(`alter database ${name()} allow_connections true`);
}

/** Copies the present database, as a standby does that then falls behind. */
const copy = () =>
  withoutConnections(`drop database if exists ${name()}_copy`, `create database ${name()}_copy template ${name()}`);

/** Replaces the database by its copy, as a failover to that standby does. */
const failOver = () =>
  withoutConnections(
    `alter database ${name()} rename to ${name()}_lost`,
    `alter database ${name()}_copy rename to ${name()}`,
  );

const isReady = () =>
  waitUntil(
    async () => (await fetch(`${core.origin}/readyz`)).status,
    (status) => status === 200,
  );

async function readRevision(): Promise<string | undefined> {
  const text = 'select revision from organization_head where organization_id = $1';
  return (await query<{ revision: string }>({ database }, text, [organization.id]))[0]?.revision;
}

test('a server that has all revisions keeps its epoch: those of single, keyed and grouped writes, and of reads', async () => {
  const { owner } = organization;
  const { body: destination } = await owner.post<DestinationCreated>('destinations/', {
    ...{ name: 'kept', type: 'http', event_types: ['project_created'], address: 'http://127.0.0.1:9/hook' },
  });
  const value = await organization.value({ parameter: await organization.parameter(), internal_value: '0' });
  const change = (text: string, headers: Headers = {}) => owner.patch(value.url, { internal_value: text }, headers);
  const lastWrites = [
    () => change('1'),
    // A set of rows that this process wrote last is one statement.
    () => change('2'),
    () => change('3', { 'idempotency-key': 'three' }),
    () => Promise.all([change('4'), owner.post('environments/', { name: 'fourth' }), change('5')]),
    () => owner.post('changesets/', { operations: [{ method: 'POST', path: 'projects/', body: { name: 'fifth' } }] }),
    () => owner.get(value.url),
  ];
  for (const write of lastWrites) {
    await write();
    const { cursor } = (await owner.get<{ cursor: string }>('events/?after=now')).body;

    await withoutConnections();
    await isReady();

    expect(await change(cursor)).toMatchObject({ status: 200 });
    expect(await owner.get(`events/?after=${cursor}`)).toMatchObject({ status: 200 });
  }
  expect((await owner.get(destination.url)).body).not.toMatchObject({ state: 'suspended' });
});

test('a server that lacks a revision that was read gets a new epoch, so that nothing of the lost history is used', async () => {
  const { owner } = organization;
  const value = await organization.value({ parameter: await organization.parameter(), internal_value: 'kept' });
  const destination = await owner.post<DestinationCreated>('destinations/', {
    ...{ name: 'hook', type: 'http', event_types: ['project_created'], address: 'http://127.0.0.1:9/hook' },
  });
  await copy();
  await isReady();
  expect(await owner.patch(value.url, { internal_value: 'lost' })).toMatchObject({ status: 200 });
  const { cursor } = (await owner.get<{ cursor: string }>('events/?after=now')).body;
  const lostRevision = await readRevision();

  await failOver();
  await isReady();

  expect(await owner.patch(value.url, { internal_value: 'new' })).toMatchObject({ status: 200 });
  // The number of the lost revision has been assigned again.
  expect(await readRevision()).toBe(lostRevision);
  expect(await owner.get(`events/?after=${cursor}`)).toMatchObject({ status: 410 });
  expect((await owner.get<Value>(value.url)).body.internal_value).toBe('new');
  expect((await owner.get(destination.body.url)).body).toMatchObject({ state: 'suspended' });
});
