import { randomUUID } from 'node:crypto';
import type { TestOrganization } from '@strata/testkit';
import pg from 'pg';
import { type CoreInProcess, moduleOfCore, startCoreInProcess } from '../../testing/core-in-process.ts';
import { actAsCore } from '../../testing/tenant-token.ts';

let core: CoreInProcess;
let owner: pg.Client;
let application: pg.Client;

beforeAll(async () => {
  core = await startCoreInProcess();
  owner = new pg.Client({ connectionString: core.database.url });
  application = new pg.Client({ connectionString: core.database.url });
  for (const client of [owner, application]) await client.on('error', () => {}).connect();
  await actAsCore(core, application);
});
afterAll(async () => {
  await owner.end();
  await application.end();
  await core.close();
});

async function rows<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  return (await owner.query<Row>(text, values)).rows;
}

/** Returns the SQLSTATE or constraint that rejects a statement. The transaction is always rolled back. */
async function errorCode(client: pg.Client, ...statements: readonly string[]): Promise<string | undefined> {
  await client.query('begin');
  try {
    for (const statement of statements) await client.query(statement);
    return undefined;
  } catch (error) {
    const { code, constraint } = error as pg.DatabaseError;
    return constraint ?? code;
  } finally {
    await client.query('rollback');
  }
}

const PRIVILEGE_MISSING = '42501';
const RAISED = 'P0001';

const ledgerTables = async () => [
  'change',
  'changeset',
  'rights_version',
  ...(
    await rows<{ name: string }>(`select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname like '%\\_history' order by 1`)
  ).map(({ name }) => name),
];

describe('the application role', () => {
  it('is not a superuser, cannot create anything, owns nothing, and is the role of the running service', async () => {
    const [role] = await rows(
      `select rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, rolreplication, rolcanlogin
         from pg_roles where rolname = 'strata_app'`,
    );
    expect(new Set(Object.values(role ?? {}))).toEqual(new Set([false]));

    const [may] = await rows(`
      select has_database_privilege('strata_app', current_database(), 'create') as database,
             exists (select from pg_namespace where has_schema_privilege('strata_app', oid, 'create')
                       and nspname not like 'pg_%') as schema,
             exists (select from pg_class where pg_get_userbyid(relowner) = 'strata_app') as relation,
             exists (select from pg_proc where pg_get_userbyid(proowner) = 'strata_app') as function,
             exists (select from pg_namespace where pg_get_userbyid(nspowner) = 'strata_app') as owns`);
    expect(may).toEqual({ database: false, schema: false, relation: false, function: false, owns: false });

    const { DataSource } = await moduleOfCore<typeof import('typeorm')>('typeorm');
    const [{ role: active } = { role: '' }] = await core.core.app.get(DataSource).query('select current_user as role');
    expect(active).toBe('strata_app');
  });

  it('cannot change, delete or truncate the rows of the ledger, and cannot write history itself', async () => {
    const tables = await ledgerTables();
    expect(tables).toEqual(expect.arrayContaining(['environment_history', 'value_history']));
    for (const table of tables) {
      const [column] = await rows<{ name: string }>(
        `select attname as name from pg_attribute where attrelid = $1::regclass and attnum = 1`,
        [table],
      );
      const privileges = await rows(
        `select has_any_column_privilege('strata_app', $1, 'update') as update,
                has_table_privilege('strata_app', $1, 'delete, truncate, trigger, references') as other`,
        [table],
      );
      expect([table, ...privileges]).toEqual([table, { update: false, other: false }]);
      const attempts = [
        `update ${table} set ${column?.name} = ${column?.name}`,
        `delete from ${table}`,
        `truncate ${table}`,
        ...(/_(history|version)$/.test(table) ? [`insert into ${table} select * from ${table}`] : []),
      ];
      for (const attempt of attempts)
        expect([attempt, await errorCode(application, attempt)]).toEqual([attempt, PRIVILEGE_MISSING]);
    }
  });

  it('cannot forge history by attaching a history trigger to a table of its own', async () => {
    const functions = await rows<{ name: string }>(`
      select proname as name from pg_proc where pronamespace = 'public'::regnamespace and prosecdef and prorettype = 'trigger'::regtype`);
    expect(functions).toEqual(expect.arrayContaining([{ name: 'strata_keep' }, { name: 'strata_keep_value' }]));
    for (const { name } of functions) {
      const attempt = `create trigger forged after delete on pg_temp.mine for each row execute function public.${name}()`;
      expect([name, await errorCode(application, 'create temporary table mine (id int)', attempt)]).toEqual([
        name,
        PRIVILEGE_MISSING,
      ]);
    }
  });

  it('cannot delete an organization, its data key or the check value of the root key, and cannot change computed trees', async () => {
    const attempts = [
      'delete from organization',
      'delete from organization_head',
      'delete from organization_key',
      `update organization_key set wrapped_key = ''`,
      `update root_key_check set value = ''`,
      'delete from root_key_check',
      `update data_key set wrapped_key = ''`,
      'delete from data_key',
      `update service_key set wrapped_key = ''`,
      'delete from service_key',
      'delete from ledger_tile',
      'update ledger_tile set number = 0',
      'delete from contents_tile',
      'update contents_tile set number = 0',
      'delete from schema_migration',
      'update schema_compatibility set serves_cores_from = 0',
      'drop table value',
      'alter table value disable trigger all',
      'set session_replication_role = replica',
    ];
    for (const attempt of attempts)
      expect([attempt, await errorCode(application, attempt)]).toEqual([attempt, PRIVILEGE_MISSING]);
  });
});

/** Creates a row in each versioned table, because row triggers only run if there are rows. */
async function oneOfEach(organization: TestOrganization): Promise<void> {
  const parameter = await organization.parameter();
  await organization.value({ parameter });
  const project = parameter.project;
  await organization.owner.post(`${project}templates/`, {
    name: 't',
    body: `{{ cloudtruth.parameters["${parameter.name}"] }}`,
  });
  const rule = { type: 'max_len', constraint: '99' };
  await organization.owner.post(`${parameter.url}rules/`, rule);
  const { body: types } = await organization.owner.get<{ results: { url: string }[] }>('types/?name=string');
  const input = { name: 'word', parent: types.results[0]?.url };
  const { body: type } = await organization.owner.post<{ url: string }>('types/', input);
  await organization.owner.post(`${type.url}rules/`, rule);
}

describe('a versioned row', () => {
  it('cannot be created, changed or deleted outside a changeset, not even by the owner of the tables', async () => {
    await oneOfEach(await core.organization());
    const versioned = (await ledgerTables()).filter((table) => table.endsWith('_history')).map((t) => t.slice(0, -8));
    for (const client of [application, owner]) {
      for (const table of versioned) {
        const key = 'organization_id, id';
        const attempts = [
          `update ${table} set id = id`,
          `delete from ${table}${table === 'environment' ? ' where parent_id is not null' : ''}`,
          `insert into ${table} (${key}) values ('${randomUUID()}', '${randomUUID()}')`,
        ];
        for (const attempt of attempts) expect([attempt, await errorCode(client, attempt)]).toEqual([attempt, RAISED]);
      }
    }
  });

  it('is recorded in history by the function of its own table', async () => {
    const versioned = (await ledgerTables()).filter((table) => table.endsWith('_history')).map((t) => t.slice(0, -8));
    const before = await rows<{ table: string; name: string }>(`
      select tgrelid::regclass::text as table, tgfoid::regproc::text as name from pg_trigger
       where tgname = tgrelid::regclass || '_keep' order by 1`);
    expect(before).toEqual(versioned.sort().map((table) => ({ table, name: `strata_keep_${table}` })));
    const triggers = await rows<{ table: string; names: string[] }>(
      `
      select tgrelid::regclass::text as table, array_agg(tgname::text order by tgname) as names from pg_trigger
       where not tgisinternal and tgrelid::regclass::text = any($1) group by 1 order by 1`,
      [versioned],
    );
    const expected = ['guard', 'keep', 'keep_deleted', 'stamp', 'stamp_update'];
    expect(triggers).toEqual(versioned.map((table) => ({ table, names: expected.map((name) => `${table}_${name}`) })));
  });

  it('is recorded with a column that was added to its table and history while connections were open', async () => {
    const parameter = await (await core.organization()).parameter();
    await owner.query('begin');
    try {
      const rewrite = (revision: number, more = '') =>
        owner.query(
          `with now as materialized (select set_config('strata.revision', $1, true), set_config('strata.at', now()::text, true))
           update parameter set description = $1 ${more} from now where id = $2`,
          [String(revision), parameter.id],
        );
      await rewrite(1_000_000);
      for (const table of ['parameter', 'parameter_history'])
        await owner.query(`alter table ${table} add column more text`);
      await rewrite(1_000_001, `, more = 'than before'`);
      await rewrite(1_000_002);
      const versions = await rows(
        'select revision_to, description, more from parameter_history where id = $1 order by revision_to desc limit 2',
        [parameter.id],
      );
      expect(versions).toEqual([
        { revision_to: '1000002', description: '1000001', more: 'than before' },
        { revision_to: '1000001', description: '1000000', more: null },
      ]);
    } finally {
      await owner.query('rollback');
    }
  });
});

/** The tables whose key need not begin with the organization, each with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  organization_pkey: 'this is the organization',
  person_pkey: 'people belong to no organization; memberships do',
  person_email_taken: 'people belong to no organization; memberships do',
  service_key: 'the keys of the whole installation',
  root_key_check_pkey: 'one row for the whole installation',
  tenant_token_key: 'the keys of the whole installation',
  token_signing_key: 'the keys of the whole installation',
  schema_migration: 'one list for the whole installation',
  schema_compatibility: 'one row for the whole installation',
  invitation_id: 'the invitation is found by the id in its link, by somebody who is in no organization yet',
  api_key_prefix_taken: 'the organization is found by the key',
  chat_lane: 'the chat service paces by its own token and channel, not by ours',
  membership_person_id_fkey: 'people belong to no organization; memberships do',
  sign_in_failure: 'who fails to sign in belongs to no organization yet',
  issuer_subject: 'people belong to no organization; memberships do',
  issuer_subject_person_id_fkey: 'people belong to no organization; memberships do',
  used_id_token: 'its user belongs to no organization yet',
  session: 'people belong to no organization; memberships do',
  sign_in_code: 'a session belongs to no organization',
  sign_in_code_session_id_fkey: 'a session belongs to no organization',
  session_person_id_fkey: 'people belong to no organization; memberships do',
  service_account_person_id_fkey: 'people belong to no organization; memberships do',
};

describe('keys', () => {
  const exceptions = (...names: string[]) => names.some((name) => name in EXCEPTIONS);

  it('begin with the organization: every primary key, unique constraint and unique index', async () => {
    const keys = await rows<{ table: string; name: string; first: string }>(
      `select table_class.relname as table, index_class.relname as name, pg_attribute.attname as first
         from pg_index join pg_class index_class on index_class.oid = pg_index.indexrelid join pg_class table_class on table_class.oid = pg_index.indrelid
         left join pg_attribute on pg_attribute.attrelid = table_class.oid and pg_attribute.attnum = pg_index.indkey[0]
        where table_class.relnamespace = 'public'::regnamespace and pg_index.indisunique order by 1, 2`,
    );
    expect(keys.length).toBeGreaterThan(15);
    const wrong = keys.filter(({ table, name, first }) => first !== 'organization_id' && !exceptions(table, name));
    expect(wrong).toEqual([]);
  });

  it('connect rows of one organization only: every foreign key between tenant tables includes the organization', async () => {
    const keys = await rows<{ name: string; to: string; from_columns: string[]; to_columns: string[] }>(
      `select pg_constraint.conname as name, pg_class.relname as to,
              array(select attname::text from unnest(pg_constraint.conkey) with ordinality k(n, place)
                      join pg_attribute on pg_attribute.attrelid = pg_constraint.conrelid and pg_attribute.attnum = n order by place) as from_columns,
              array(select attname::text from unnest(pg_constraint.confkey) with ordinality k(n, place)
                      join pg_attribute on pg_attribute.attrelid = pg_constraint.confrelid and pg_attribute.attnum = n order by place) as to_columns
         from pg_constraint join pg_class on pg_class.oid = pg_constraint.confrelid
        where pg_constraint.contype = 'f' and pg_constraint.connamespace = 'public'::regnamespace order by 1`,
    );
    expect(keys.length).toBeGreaterThan(10);
    const wrong = keys.filter(({ name, to, from_columns: from, to_columns: target }) => {
      if (exceptions(name)) return false;
      if (to === 'organization') return from.join() !== 'organization_id';
      return from[0] !== 'organization_id' || target[0] !== 'organization_id' || from.length < 2;
    });
    expect(wrong).toEqual([]);
  });

  it('cover every table: each is a tenant’s table or a listed exception', async () => {
    const tables = await rows<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
          and not exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'organization_id')`,
    );
    const ofNobody = ['issuer_subject', 'used_id_token', 'sign_in_failure', 'schema_compatibility'];
    const tablesWithoutOrganization = [
      'organization',
      'person',
      'root_key_check',
      'service_key',
      'schema_migration',
      'chat_lane',
      'tenant_token_key',
      'token_signing_key',
      ...ofNobody,
    ];
    expect(tables.map(({ name }) => name).filter((name) => !tablesWithoutOrganization.includes(name))).toEqual([]);
  });

  it('reject a row that mixes two organizations, even from the owner of the tables', async () => {
    const [organization, otherOrganization] = await Promise.all([core.organization(), core.organization()]);
    const foreign = await belongings(otherOrganization);
    const ownObjects = await belongings(organization);
    const changeset = `select set_config('strata.revision', '1000000', true), set_config('strata.at', now()::text, true)`;
    const insertMixed = (statement: string) => errorCode(owner, changeset, statement);
    const [value, type] = [randomUUID(), ownObjects.type];

    expect([
      await insertMixed(
        `insert into value (organization_id, id, parameter_id, environment_id)
         values ('${organization.id}', '${value}', '${foreign.parameter}', '${ownObjects.environment}')`,
      ),
      await insertMixed(
        `insert into value (organization_id, id, parameter_id, environment_id)
         values ('${organization.id}', '${value}', '${ownObjects.bare}', '${foreign.environment}')`,
      ),
      await insertMixed(
        `insert into parameter (organization_id, id, project_id, name, type_id)
         values ('${organization.id}', '${value}', '${foreign.project}', 'x', '${type}')`,
      ),
      await insertMixed(`update parameter set type_id = '${foreign.type}' where id = '${ownObjects.parameter}'`),
      await insertMixed(`update project set depends_on_id = '${foreign.project}' where id = '${ownObjects.project}'`),
      await insertMixed(
        `update environment set parent_id = '${foreign.environment}' where id = '${ownObjects.environment}'`,
      ),
      await insertMixed(
        `update value set organization_id = '${otherOrganization.id}' where parameter_id = '${ownObjects.parameter}'`,
      ),
    ]).toEqual([
      'value_parameter',
      'value_environment',
      'parameter_project',
      'parameter_type_of',
      'project_depends_on',
      'environment_parent',
      'value_parameter',
    ]);
  });
});

async function belongings(organization: TestOrganization) {
  const project = await organization.project();
  const parameter = await organization.parameter({ project });
  const bare = await organization.parameter({ project });
  const { id: environment } = await organization.environmentNamed('staging');
  await organization.value({ parameter });
  const [type] = await rows<{ id: string }>(
    `select id from parameter_type where organization_id = $1 and name = 'string'`,
    [organization.id],
  );
  return { project: project.id, parameter: parameter.id, bare: bare.id, environment, type: type?.id ?? '' };
}
