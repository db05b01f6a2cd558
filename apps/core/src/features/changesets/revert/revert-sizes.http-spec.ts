import { ledgerProblems, type TestOrganization } from '@strata/testkit';
import fc from 'fast-check';
import { type CoreInProcess, startCoreInProcess } from '../../../testing/core-in-process.ts';
import { query } from '../../../testing/query.ts';
import { applied, configurationOf, RARELY_REFUSED, wishes } from '../../../testing/random-changes.ts';
import { applyChanges, revertChanges, set } from '../../../testing/reverts.ts';

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
  'parameter_rule',
  'value',
  'value_history',
  'reference',
  'template',
  'access_grant',
  'departed_scope',
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

it.each(['refused', 'lost'])(
  'a revert is all or nothing wherever a statement is %s',
  async (kind) => {
    const organization = await core.organization();
    const project = await organization.project();
    await organization.owner.patch(project.url, { access_controlled: true });
    await applyChanges(organization, [
      set(project.name, { A: '1', B: { value: '2', secret: true }, C: 'x' }),
      {
        operation: 'projects_templates_create',
        path: { project_pk: project.id },
        body: { name: 't', body: '{{ A }}' },
      },
    ]);
    const { revision } = await applyChanges(organization, [
      { operation: 'projects_destroy', path: { id: project.id } },
      { operation: 'environments_create', as: 'e', body: { name: 'canary' } },
      { operation: 'projects_create', as: 'p', body: { name: project.name } },
      { set: { project: { $ref: 'p' }, environment: { $ref: 'e' }, values: { A: '1' }, create_missing: true } },
    ]);
    const before = await fingerprint(organization);
    let failures = 0;
    for (let at = 1; ; at += 1) {
      await plan(kind, at);
      const answer = await revertChanges(organization.owner, revision);
      await heal();
      if (answer.status === 201) break;
      failures += 1;
      expect([at, answer.status]).toEqual([at, 503]);
      expect([at, await fingerprint(organization)]).toEqual([at, before]);
    }
    expect(failures).toBeGreaterThan(10);
    expect(await fingerprint(organization)).not.toBe(before);
  },
  120_000,
);

it('takes a thousand mixed operations of one changeset back, and again', async () => {
  await fc.assert(
    fc.asyncProperty(wishes(120, RARELY_REFUSED), wishes(1_000, RARELY_REFUSED), async (first, then) => {
      const organization = await core.organization();
      await applied(core, organization, first.slice(0, 60));
      await applied(core, organization, first.slice(60));
      const before = await configurationOf(core, organization);
      const done = await applied(core, organization, then);
      expect(done?.operations.length).toBeGreaterThan(800);
      const after = await configurationOf(core, organization);
      const back = await revertChanges(organization.owner, done?.revision ?? 0);
      expect([back.status, back.status === 201 ? '' : back.text]).toEqual([201, '']);
      expect(await configurationOf(core, organization)).toEqual(before);
      expect((await revertChanges(organization.owner, back.body.revision)).status).toBe(201);
      expect(await configurationOf(core, organization)).toEqual(after);
    }),
    { numRuns: 1 },
  );
}, 300_000);

it('leaves rows, history and changes in agreement', async () => {
  expect(await ledgerProblems(core.database.url)).toEqual([]);
});
