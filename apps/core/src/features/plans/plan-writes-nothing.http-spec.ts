import type { Plan } from '@strata/contract';
import { type CoreInProcess, startCoreInProcess } from '../../testing/core-in-process.ts';
import { query } from '../../testing/query.ts';

/** This test needs its own core and database, because it compares all tables. */
let core: CoreInProcess;
beforeAll(async () => {
  core = await startCoreInProcess();
});
afterAll(() => core.close());

/** Tables about requests and connections, which are written independently of changesets. */
const BESIDE = ['api_key', 'sign_in_failure'];

async function fingerprint(): Promise<ReadonlyMap<string, unknown>> {
  const tables = await query<{ name: string }>(
    core,
    `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema') order by 1`,
  );
  const rowsByTable = new Map<string, unknown>();
  for (const { name } of tables) {
    if (BESIDE.some((table) => name.endsWith(`.${table}`))) continue;
    const [row] = await query(
      core,
      `select md5(coalesce(string_agg(stored::text, ';' order by stored::text), '')) as rows from ${name} stored`,
    );
    rowsByTable.set(name, row);
  }
  return rowsByTable;
}

it('a plan changes no table, and does not use its Idempotency-Key', async () => {
  const organization = await core.organization();
  const { owner } = organization;
  const project = await organization.project({ name: 'web' });
  const secret = await organization.parameter({ project, name: 'TOKEN', secret: true });
  await organization.value({ parameter: secret, internal_value: 'hunter2' });
  const { body: me } = await owner.get<{ url: string }>('users/current/');
  const operations = [
    { operation: 'environments_create', as: 'canary', body: { name: 'canary' } },
    { operation: 'projects_copy_create', path: { id: project.id }, body: { name: 'copy' } },
    { set: { project: 'web', environment: 'default', values: { A: '1', TOKEN: 'hunter2' }, create_missing: true } },
    { promote: { project: 'web', from: 'default', to: { $ref: 'canary' } } },
    { operation: 'grants_create', body: { scope: project.url, principal: me.url, role: 'OWNER' } },
    { operation: 'groups_create', body: { name: 'team', users: [] } },
    { operation: 'environments_tags_create', path: { environment_pk: { $ref: 'canary' } }, body: { name: 'v1' } },
    { operation: 'projects_create', body: { name: 'web' } },
  ];
  const key = { 'idempotency-key': 'the-same' };
  await owner.post('changesets/plan/', { operations });
  const before = await fingerprint();

  const plan = await owner.post<Plan>('changesets/plan/', { operations }, key);

  expect([plan.status, plan.body.totals.effective_changes > 0, plan.body.refusals.at(-1)?.index]).toEqual([
    200,
    true,
    7,
  ]);
  expect(await fingerprint()).toEqual(before);
  const another = [{ operation: 'projects_create', body: { name: 'another' } }];
  expect((await owner.post('changesets/', { operations: another }, key)).status).toBe(201);
  expect(await fingerprint()).not.toEqual(before);
});
