import type { OrganizationId } from '@strata/domain';
import { createTestDatabase, type TestDatabase, type TestOrganization, testCredentials } from '@strata/testkit';
import type pg from 'pg';
import { type CoreInProcess, moduleOfCore, startSecondCore } from '../../testing/core-in-process.ts';
import { query } from '../../testing/query.ts';
import { waitUntil } from '../../testing/until.ts';
import { readRootKeys } from '../vault/root-key.ts';

let database: TestDatabase;
let core: CoreInProcess;
let pool: pg.Pool;
let tenants: typeof import('./tenants.ts');
let [victim, attacker]: TestOrganization[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  // The permissions of a database are not part of the template.
  const { migrate } = await moduleOfCore<typeof import('./database.ts')>('./platform/postgres/database.js');
  const rootKeys = readRootKeys({ STRATA_ROOT_KEY: testCredentials().rootKey });
  await migrate({ databaseUrl: database.url, ownerUrl: database.url, rootKeys, isEnforced: true });
  core = await startSecondCore({ database });
  const { DataSource } = await moduleOfCore<typeof import('typeorm')>('typeorm');
  const { poolOf } = await moduleOfCore<typeof import('./data-source.ts')>('./platform/postgres/data-source.js');
  pool = poolOf(core.core.app.get(DataSource));
  tenants = await moduleOfCore('./platform/postgres/tenants.js');
  [victim, attacker] = [await core.organization(), await core.organization()];
  const parameter = await victim.parameter({ name: 'PORT' });
  await victim.value({ parameter, internal_value: 'text of the victim' });
  const second = await attacker.parameter({ name: 'PORT' });
  await attacker.value({ parameter: second, internal_value: 'text of the attacker' });
});
afterAll(async () => {
  await core.close();
  await database.drop();
});

const id = (organization: TestOrganization | undefined) => organization?.id as OrganizationId;

/** Runs a statement as code does that serves a request of the attacker's organization. Returns the rows or the error code. */
const injected = (text: string, values: unknown[] = []): Promise<object[] | string> =>
  tenants.withinOrganization(id(attacker), () =>
    pool.query<object>(text, values).then(
      ({ rows }) => rows,
      ({ code }: { code: string }) => code,
    ),
  );

const TEXTS = 'select text from value where text like $$text of%$$ order by text';
const OWN_ROWS = [{ text: 'text of the attacker' }];

it('is enforced for every table with rows of organizations, also for the owner of the tables', async () => {
  const { unenforcedTables } = await moduleOfCore<typeof import('./row-security.ts')>(
    './platform/postgres/row-security.js',
  );
  expect(await unenforcedTables(pool as unknown as pg.ClientBase)).toEqual([]);
  const policies = await query<{ name: string; policies: string }>(
    { database },
    `select tablename as name, string_agg(policyname, ' ' order by policyname) as policies
       from pg_policies where schemaname = 'public' group by tablename having count(*) <> 2`,
  );
  expect(policies).toEqual([]);
});

it('shows a statement only rows of the organization of its request', async () => {
  expect(await injected(TEXTS)).toEqual(OWN_ROWS);
  expect(await injected(`select 1 from value where organization_id = '${id(victim)}'`)).toEqual([]);
  expect(
    await injected(`update session set last_used_at = now() where organization_id = '${id(victim)}' returning 1`),
  ).toEqual([]);
  expect(
    await injected(
      `insert into preference (organization_id, membership_id) values ('${id(victim)}', gen_random_uuid())`,
    ),
  ).toMatch(/^42/);
});

it('shows a statement of another organization only the revision and the time, if it knows the id', async () => {
  const heads = await injected('select * from strata_heads($1)', [[id(victim)]]);
  expect(heads).toEqual([
    {
      id: id(victim),
      epoch: expect.any(String),
      revision: expect.anything(),
      at: expect.anything(),
      people: expect.anything(),
    },
  ]);
  expect(await injected('select 1 from organization_head where organization_id = $1', [id(victim)])).toEqual([]);
});

it('shows work of the service the rows of all organizations', async () => {
  const { rows } = await pool.query(TEXTS);
  expect(rows).toEqual([...OWN_ROWS, { text: 'text of the victim' }]);
});

it('does not confuse requests that wait for a connection', async () => {
  const readTexts = (organization: TestOrganization | undefined) =>
    tenants.withinOrganization(id(organization), async () => (await pool.query(TEXTS)).rows.map(({ text }) => text));
  const results = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      const organization = index % 2 === 0 ? victim : attacker;
      return [index % 2, await readTexts(organization)];
    }),
  );
  for (const [index, texts] of results)
    expect(texts).toEqual([index === 0 ? 'text of the victim' : 'text of the attacker']);
});

it('stores the records of requests of several organizations that arrive together', async () => {
  const organizations = [victim, attacker] as TestOrganization[];
  const values = await Promise.all(
    organizations.map(async (organization) => {
      const parameter = await organization.parameter({ name: 'PASSWORD', secret: true });
      return organization.value({ parameter, internal_value: 'hunter2' });
    }),
  );
  await Promise.all(organizations.map(({ owner }, index) => owner.get(values[index]?.url ?? '')));

  for (const { id: organizationId } of organizations)
    await waitUntil(
      () => query({ database }, 'select from access_log where organization_id = $1', [organizationId]),
      ({ length }) => length > 0,
    );
});

it('keeps the token of a request after a transaction was rolled back', async () => {
  const client = await pool.connect();
  const count = async () => (await client.query(TEXTS, [])).rows.length;
  try {
    await client.query('begin');
    await tenants.withinOrganization(id(attacker), async () => {
      expect(await count()).toBe(1);
      await client.query('rollback');
      expect(await count()).toBe(1);
    });
    expect(await count()).toBe(2);
  } finally {
    client.release();
  }
});

const ALL = '00000000-0000-0000-0000-000000000000';
const SECOND = '2000000000';
const forge = (organizations: string) => `${SECOND}|${'0'.repeat(16)}|${organizations}`;

it.each<readonly [name: string, attack: string]>([
  ['removes the token', `select set_config('strata.tenants', '', false)`],
  ['resets the token', 'reset strata.tenants'],
  ['resets all settings', 'reset all'],
  [
    'invents a token',
    `select set_config('strata.tenants', '${'0'.repeat(16)}|${forge(ALL)}|${'0'.repeat(64)}', false)`,
  ],
  [
    'uses the id of the real key, and another HMAC',
    `select set_config('strata.tenants', split_part(current_setting('strata.tenants'), '|', 1) || '|${forge(ALL)}|' || repeat('0', 64), false)`,
  ],
  [
    'changes the organization in its own token',
    `select set_config('strata.tenants', (select string_agg(case when part.number = 4 then '${ALL}' else part.text end, '|' order by part.number)
       from unnest(string_to_array(current_setting('strata.tenants'), '|')) with ordinality part(text, number)), false)`,
  ],
  ['ends its role', 'reset role'],
  ['ends its role by a function', `select set_config('role', 'none', false)`],
  ['changes the session', 'set session authorization default'],
  ['turns row security off', 'set row_security = off'],
])('shows no row of another organization to a statement that %s', async (_, attack) => {
  const client = await pool.connect();
  try {
    await tenants.withinOrganization(id(attacker), async () => {
      await client.query(TEXTS);
      await client.query(attack).catch(() => undefined);
      // In one statement text, because the core would send the token again before another one.
      const rows = await client.query(`${attack}; ${TEXTS}`).then(
        (results) => ([results].flat().at(-1) as pg.QueryResult).rows,
        () => [],
      );
      expect(rows.filter(({ text }) => text === 'text of the victim')).toEqual([]);
    });
  } finally {
    client.release(true);
  }
});

it.each<readonly [name: string, attack: string, code: string]>([
  ['the keys of tokens', 'select * from tenant_token_key', '42501'],
  ['files of the server', `select pg_read_file('postgresql.conf')`, '42501'],
  ['directories of the server', `select pg_ls_dir('.')`, '42501'],
  ['large objects from files', `select lo_import('/etc/passwd')`, '42501'],
  ['programs', `copy (select 1) to program 'cat'`, '42501'],
  ['files by COPY', `copy value from '/etc/passwd'`, '42501'],
  ['extensions', 'create extension dblink', '42501'],
  ['functions of its own', `create function f() returns int language sql as 'select 1'`, '42501'],
  ['schemas of its own', 'create schema s', '42501'],
  ['temporary tables, which would hide the real ones', 'create temporary table organization_head (id int)', '42501'],
  ['the policies', 'drop policy strata_tenants on value', '42501'],
  ['the function of the policies', `alter function strata_tenants() owner to current_user`, '42501'],
  ['rows of the ledger', `update change set object_name = 'x'`, '42501'],
  ['removing rows of the ledger', 'delete from changeset', '42501'],
])('denies a statement %s', async (_, attack, code) => {
  expect(await injected(attack)).toBe(code);
});

it('shows no token of another organization', async () => {
  await tenants.withinOrganization(id(victim), () => pool.query(TEXTS));
  const activity = await injected(`select string_agg(query, ' ') as text from pg_stat_activity`);
  expect(JSON.stringify(activity)).not.toContain(id(victim));
  expect(JSON.stringify(await injected('select * from pg_prepared_statements'))).not.toContain(id(victim));
});

it('fails a statement without a token instead of finding fewer rows', async () => {
  const [client] = await Promise.all([pool.connect()]);
  try {
    await client.query(`select set_config('strata.tenants', '', false); select 1`);
    const failure = client.query(`select set_config('strata.tenants', '', false); ${TEXTS}`);
    await expect(failure).rejects.toMatchObject({ code: '42501' });
  } finally {
    client.release(true);
  }
});

it('verifies the token once for each table of a statement, and uses the index', async () => {
  const plan = await tenants.withinOrganization(id(attacker), async () => {
    const { rows } = await pool.query<{ 'QUERY PLAN': string }>(
      `explain (analyze, costs off, timing off, summary off) select text from value where organization_id = '${id(attacker)}'`,
    );
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });

  expect(plan).toMatch(/Index .*Scan using value_pkey|Index Cond: \(organization_id = /);
  expect(plan.match(/^ *InitPlan /gm)).toHaveLength(2);
  expect(plan).toMatch(/InitPlan[^\n]*2\n *-> +Result \(never executed\)/);
});
