import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createEmptyDatabase, sharedCore, type TestDatabase } from '@strata/testkit';
import pg from 'pg';
import { RootKey, RootKeys } from '../vault/root-key.ts';
import { ownerDataSource } from './data-source.ts';
import { migrate as migrateSchema } from './database.ts';
import { MIGRATIONS } from './migrations/index.ts';

let database: TestDatabase;
let owner: pg.Client;
let processes: ChildProcess[];
let pristine: Promise<string[]> | undefined;

// the tests start processes of the built core, and a shared core ensures that it is built
beforeAll(() => sharedCore());
beforeEach(async () => {
  processes = [];
  database = await createEmptyDatabase();
  owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
});
afterEach(async () => {
  for (const child of processes) child.kill('SIGKILL');
  await owner.end();
  await database.drop();
});

const migrate = ({ url }: TestDatabase, { isEnforced = false } = {}) =>
  migrateSchema({ databaseUrl: url, ownerUrl: url, rootKeys: new RootKeys(new RootKey(Buffer.alloc(32))), isEnforced });

/** Selects everything that a migration can create, as text to compare. */
const STRUCTURE = `
select 'column ' || table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' ' || coalesce(column_default, '') as part
  from information_schema.columns where table_schema = 'public'
union all
select 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
  from pg_constraint where connamespace = 'public'::regnamespace
union all
select 'index ' || indexdef from pg_indexes where schemaname = 'public'
union all
select 'trigger ' || tgrelid::regclass || ' ' || pg_get_triggerdef(pg_trigger.oid)
  from pg_trigger join pg_class on pg_class.oid = pg_trigger.tgrelid
 where not tgisinternal and pg_class.relnamespace = 'public'::regnamespace
union all
select 'policy ' || tablename || ' ' || policyname || ' ' || roles::text || ' ' || qual || ' ' || with_check
  from pg_policies where schemaname = 'public'
union all
select 'row security ' || relname from pg_class
 where relnamespace = 'public'::regnamespace and relrowsecurity and relforcerowsecurity
union all
select 'function ' || proname || ' ' || prosrc from pg_proc where pronamespace = 'public'::regnamespace
union all
select 'right ' || table_name || ' ' || grantee || ' ' || privilege_type
  from information_schema.role_table_grants where table_schema = 'public'
 order by 1`;

async function structure(): Promise<string[]> {
  const { rows } = await owner.query<{ part: string }>(STRUCTURE);
  return rows.map(({ part }) => part);
}

/** Starts the migration command of production in its own process. */
function startMigration(): { readonly child: ChildProcess; readonly ended: Promise<number | null> } {
  const child = fork(fileURLToPath(new URL('../../../dist/main.js', import.meta.url)), ['migrate'], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      DATABASE_URL: database.url,
      STRATA_ROOT_KEY: Buffer.alloc(32, 7).toString('base64'),
    },
    stdio: 'ignore',
  });
  processes.push(child);
  return { child, ended: new Promise((resolve) => child.once('exit', resolve)) };
}

describe('migrations', () => {
  it('run up, down to an empty schema, and up again, with the same result', async () => {
    await migrate(database);
    const first = await structure();

    const source = await ownerDataSource(database.url).initialize();
    for (const _ of MIGRATIONS) await source.undoLastMigration({ transaction: 'each' });
    const { rows: left } = await owner.query(
      `select tablename from pg_tables where schemaname = 'public' and tablename <> 'schema_migration'`,
    );
    await source.destroy();
    await migrate(database);

    expect(first.length).toBeGreaterThan(100);
    expect(left).toEqual([]);
    expect(await structure()).toEqual(first);
  });

  it('store which cores the schema supports', async () => {
    await migrate(database);
    const servedFrom = async () => (await owner.query('select serves_cores_from from schema_compatibility')).rows;
    const last = MIGRATIONS.map((Migration) => new Migration()).at(-1);

    expect(last?.servesCoresFrom).toBeGreaterThan(0);
    // The first core that works with row-level security and numbered data keys, which a new database has.
    expect(await servedFrom()).toEqual([{ serves_cores_from: Math.max(63, last?.servesCoresFrom ?? 0) }]);
  });

  it('enforce row-level security in an existing database on request, and then in new tables, too', async () => {
    await migrate(database);
    const countForced = async () =>
      Number((await owner.query(`select count(*) from pg_class where relforcerowsecurity`)).rows[0].count);
    const complete = await countForced();
    await owner.query(`insert into organization (id, name) values (gen_random_uuid(), 'existing')`);
    const relax = (table: string) =>
      owner.query(`alter table ${table} disable row level security, no force row level security`);
    const { rows: forced } = await owner.query<{ name: string }>(
      `select oid::regclass::text as name from pg_class where relforcerowsecurity`,
    );
    for (const { name } of forced) await relax(name);

    await migrate(database);
    expect(await countForced()).toBe(0);

    await migrate(database, { isEnforced: true });
    expect(await countForced()).toBe(complete);
    await relax('value');
    await migrate(database);
    expect(await countForced()).toBe(complete);
  });

  it('change nothing on the second run', async () => {
    await migrate(database);
    const first = await structure();
    await migrate(database);

    expect(await structure()).toEqual(first);
  });

  it('can run in several processes at once', async () => {
    const codes = await Promise.all([startMigration().ended, startMigration().ended, startMigration().ended]);

    expect(codes).toEqual([0, 0, 0]);
    const { rows } = await owner.query('select name from schema_migration order by id');
    expect(rows.map(({ name }) => name)).toEqual(MIGRATIONS.map((Migration) => new Migration().name));
  });

  it.each([
    ['schema', 7_224_110_453],
    ['first organization', 7_224_110_454],
  ])('wait while another process runs them and needs long for the %s', async (_, lock) => {
    await owner.query(`select pg_advisory_lock(${lock})`);
    const { child, ended } = startMigration();
    const waiting = `select from pg_stat_activity where wait_event = 'advisory' and datname = current_database()`;
    while ((await owner.query(waiting)).rowCount === 0) {
      if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode} instead of waiting.`);
      await sleep(20);
    }
    // longer than the lock timeout of other statements
    await sleep(6_000);
    await owner.query(`select pg_advisory_unlock(${lock})`);

    expect(await ended).toBe(0);
  });

  // the first table, and a table halfway through the migrations
  it.each(['changeset', 'delivery'])(
    'complete on the next run if they were killed while they created %s',
    async (table) => {
      await owner.query(`
        create function public.strata_test_halt() returns event_trigger language plpgsql as $$
        begin
          if exists (select from pg_event_trigger_ddl_commands() where object_identity = 'public.${table}') then
            perform pg_sleep(300);
          end if;
        end $$;
        create event trigger strata_test_halt on ddl_command_end when tag in ('CREATE TABLE')
          execute function public.strata_test_halt()`);
      const { child, ended } = startMigration();
      const halted = `select pid from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`;
      while ((await owner.query(halted)).rowCount === 0) {
        if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode} before it came to ${table}.`);
        await sleep(20);
      }
      child.kill('SIGKILL');
      await ended;
      await owner.query('drop event trigger strata_test_halt; drop function public.strata_test_halt()');
      await owner.query(`select pg_terminate_backend(pid) from (${halted}) sleeping`);

      expect(await startMigration().ended).toBe(0);
      const mended = await structure();
      pristine ??= structureOfPristine();
      expect(mended).toEqual(await pristine);
    },
  );
});

/** Returns the structure after one uninterrupted migration. */
async function structureOfPristine(): Promise<string[]> {
  const otherDatabase = await createEmptyDatabase();
  const mended = owner;
  owner = new pg.Client({ connectionString: otherDatabase.url });
  try {
    await migrate(otherDatabase);
    await owner.connect();
    return await structure();
  } finally {
    await owner.end();
    owner = mended;
    await otherDatabase.drop();
  }
}
