import { randomBytes } from 'node:crypto';
import { createEmptyDatabase, createTestDatabase, type TestDatabase, testCredentials } from '@strata/testkit';
import pg from 'pg';
import { type CoreInProcess, moduleOfCore, startSecondCore } from '../../testing/core-in-process.ts';
import { query } from '../../testing/query.ts';
import { readRootKeys } from '../vault/root-key.ts';

const databases: TestDatabase[] = [];
const roles: { readonly name: string; readonly serverUrl: string }[] = [];
afterEach(async () => {
  for (const database of databases.splice(0)) await database.drop();
  // Roles belong to the server, and can be dropped once they own nothing.
  for (const { name, serverUrl } of roles.splice(0))
    await query({ database: { url: serverUrl } }, `drop role if exists ${name}`);
});

async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createEmptyDatabase();
  databases.push(database);
  return database;
}

/** Migrates it again, because the permissions of a database are not part of the template. */
async function migratedDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  databases.push(database);
  await migrate(database.url, database.url);
  return database;
}

/** Returns the URL of an account that no other test uses. */
function accountUrl(database: TestDatabase, password: string): string {
  const username = `core_${randomBytes(6).toString('hex')}`;
  roles.push({ name: username, serverUrl: Object.assign(new URL(database.url), { pathname: '/postgres' }).href });
  return Object.assign(new URL(database.url), { username, password }).href;
}

const serviceAccount = () =>
  moduleOfCore<typeof import('./service-account.ts')>('./platform/postgres/service-account.js');

const migrate = async (databaseUrl: string, ownerUrl: string) => {
  const { migrate: migrateSchema } = await moduleOfCore<typeof import('./database.ts')>(
    './platform/postgres/database.js',
  );
  const rootKeys = readRootKeys({ STRATA_ROOT_KEY: testCredentials().rootKey });
  await migrateSchema({ databaseUrl, ownerUrl, rootKeys, isEnforced: false });
};

async function connected<Result>(url: string, run: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}

test('a migration creates the account of the core, sets its password again, and logs no password', async () => {
  const database = await emptyDatabase();
  const url = accountUrl(database, 'first-password');
  await migrate(url, database.url);
  expect(await connected(url, async (client) => (await client.query('select session_user as name')).rows)).toEqual([
    { name: new URL(url).username },
  ]);

  const changed = Object.assign(new URL(url), { password: 'second-password' }).href;
  await migrate(changed, database.url);

  await expect(connected(url, async () => undefined)).rejects.toThrow(/password authentication failed/);
  await connected(changed, async (client) => {
    await client.query('set role strata_app');
    expect((await client.query('select count(*)::int as count from organization')).rows).toEqual([{ count: 0 }]);
    expect(await (await serviceAccount()).privilegeProblem(client)).toBeNull();
  });
  const [row] = await query(
    { database },
    `select rolpassword as verifier from pg_authid where rolname = '${new URL(url).username}'`,
  );
  expect((row as { verifier: string }).verifier).toMatch(/^SCRAM-SHA-256\$/);
});

test('a migration keeps the password of an account that it has not created', async () => {
  const database = await emptyDatabase();
  const url = accountUrl(database, 'password-of-the-administrator');
  const { username } = new URL(url);
  await query({ database }, `create role ${username} login password 'password-of-the-administrator'`);

  await migrate(Object.assign(new URL(url), { password: 'another' }).href, database.url);

  await connected(url, (client) => client.query('set role strata_app'));
});

test('a migration by an owner without the right to create accounts names the statements for an administrator', async () => {
  const database = await emptyDatabase();
  const owner = accountUrl(database, 'owner-password');
  const { username } = new URL(owner);
  await query({ database }, `create role ${username} login password 'owner-password'`);
  await query({ database }, `grant strata_app to ${username}`);
  await query({ database }, `alter database ${new URL(database.url).pathname.slice(1)} owner to ${username}`);
  await query({ database }, `alter schema public owner to ${username}`);
  const url = accountUrl(database, 'secret-of-the-core');

  const failure = await migrate(url, owner).then(
    () => '',
    (error: Error) => error.message,
  );

  expect(failure).toContain(`create role "${new URL(url).username}" login password '…'; grant strata_app to`);
  expect(failure).not.toContain('secret-of-the-core');
});

describe('statements on a connection of the core', () => {
  let core: CoreInProcess;
  afterEach(() => core.close());

  test('cannot get beyond the role of the core', async () => {
    const database = await migratedDatabase();
    core = await startSecondCore({ database });
    const { id: organizationId } = await core.organization();
    const { DataSource } = await moduleOfCore<typeof import('typeorm')>('typeorm');
    const { poolOf } = await moduleOfCore<typeof import('./data-source.ts')>('./platform/postgres/data-source.js');
    const client = await poolOf(core.core.app.get(DataSource)).connect();
    try {
      for (const reset of [
        'reset role',
        `select set_config('role', 'none', false)`,
        'set session authorization default',
      ]) {
        await client.query(reset);
        for (const [attack, code] of [
          [`delete from changeset where organization_id = '${organizationId}'`, '42501'],
          [`update change set object_name = '' where organization_id = '${organizationId}'`, '42501'],
          [`alter table change disable trigger all`, '42501'],
          [`set session_replication_role = replica`, '42501'],
          [`set role ${new URL(database.url).username}`, '42501'],
          [`set session authorization ${new URL(database.url).username}`, '42501'],
          [`select pg_read_file('postgresql.conf')`, '42501'],
          [`copy change to program 'cat'`, '42501'],
          [`create function f() returns int language sql as 'select 1'`, '42501'],
        ] as const)
          expect([attack, await client.query(attack).catch(({ code }: { code: string }) => code)]).toEqual([
            attack,
            code,
          ]);
      }
    } finally {
      client.release(true);
    }
  });
});

test('a core that logs in as the owner starts, and reports it', async () => {
  const database = await migratedDatabase();
  const { privilegeProblem } = await serviceAccount();
  const account = Object.assign(new URL(database.url), {
    username: 'strata_core',
    password: testCredentials().corePassword,
  }).href;

  expect(await connected(account, privilegeProblem)).toBeNull();
  expect(await connected(database.url, privilegeProblem)).toMatch(/^The account in DATABASE_URL is a superuser/);
});
