import type { AppliedChangeset } from '@strata/contract';
import { ledgerProblems, type TestOrganization } from '@strata/testkit';
import { type CoreInProcess, startCoreInProcess } from '../../testing/core-in-process.ts';
import { query } from '../../testing/query.ts';

/** A core and a database of its own: here statements of PostgreSQL fail on purpose. */
let core: CoreInProcess;
beforeAll(async () => {
  core = await startCoreInProcess();
  await query(core, FAULTS);
});
afterAll(() => core.close());

const TABLES = [
  'environment',
  'project',
  'parameter',
  'value',
  'value_history',
  'reference',
  'tag',
  'changeset',
  'change',
];

/** The n-th time that anything is written to these tables, it fails, or takes the connection along. */
const FAULTS = `
create sequence fault_count;
grant usage, select, update on sequence fault_count to public;
create table fault (at bigint not null, kind text not null);
grant select on fault to public;
create function fail_sometimes() returns trigger language plpgsql security definer as $$
declare wanted fault%rowtype;
begin
  select * into wanted from fault;
  if found and nextval('fault_count') = wanted.at then
    if wanted.kind = 'lost' then perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(1); end if;
    raise exception 'planted' using errcode = 'lock_not_available';
  end if;
  return null;
end $$;
${TABLES.map((table) => `create trigger fault before insert or update or delete on ${table} for each statement execute function fail_sometimes();`).join('\n')}`;

const plan = (kind: string, at: number) =>
  query(core, `delete from fault; insert into fault values (${at}, '${kind}'); select setval('fault_count', 1, false)`);
const heal = () => query(core, 'delete from fault');

/** All that there is of an organization. */
async function fingerprint({ id }: TestOrganization): Promise<string> {
  const rows = TABLES.map(
    (table) =>
      `select '${table}' as what, md5(string_agg(t::text, ';' order by t::text)) as rows from ${table} t where organization_id = '${id}'`,
  );
  const head = `select 'head', revision::text from organization_head where organization_id = '${id}'`;
  return JSON.stringify(await query(core, [...rows, head].join(' union all ')));
}

const OPERATIONS = [
  { operation: 'environments_create', as: 'canary', body: { name: 'canary' } },
  { operation: 'projects_create', as: 'web', body: { name: 'web' } },
  {
    set: {
      project: { $ref: 'web' },
      environment: { $ref: 'canary' },
      values: { A: '1', B: { value: '2', secret: true } },
      create_missing: true,
    },
  },
  { operation: 'projects_parameters_create', as: 'c', path: { project_pk: { $ref: 'web' } }, body: { name: 'C' } },
  {
    operation: 'projects_parameters_values_create',
    path: { project_pk: { $ref: 'web' }, parameter_pk: { $ref: 'c' } },
    body: { environment: { $ref: 'canary' }, internal_value: 'is {{ A }}', interpolated: true },
  },
  { promote: { project: { $ref: 'web' }, from: { $ref: 'canary' }, to: 'default' } },
  { unset: { project: { $ref: 'web' }, environment: { $ref: 'canary' }, names: ['B'] } },
  { operation: 'environments_tags_create', path: { environment_pk: { $ref: 'canary' } }, body: { name: 'v1' } },
];

it.each(['refused', 'lost'])(
  'is all or nothing wherever a statement is %s',
  async (kind) => {
    const organization = await core.organization();
    const before = await fingerprint(organization);
    let failures = 0;
    for (let at = 1; ; at += 1) {
      await plan(kind, at);
      const answer = await organization.owner.post<AppliedChangeset>('changesets/', { operations: OPERATIONS });
      await heal();
      if (answer.status === 201) break;
      failures += 1;
      expect([at, answer.status]).toEqual([at, 503]);
      expect([at, await fingerprint(organization)]).toEqual([at, before]);
    }
    // each operation writes, and so does the ledger
    expect(failures).toBeGreaterThan(OPERATIONS.length);
    expect(await fingerprint(organization)).not.toBe(before);
  },
  120_000,
);

it('leaves rows, history and changes in agreement', async () => {
  expect(await ledgerProblems(core.database.url)).toEqual([]);
});
