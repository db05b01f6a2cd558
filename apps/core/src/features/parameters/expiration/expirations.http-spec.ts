import type { Page, Parameter, Value } from '@strata/contract';
import { ledgerProblems } from '@strata/testkit';
import pg from 'pg';
import { type CoreInProcess, moduleOfCore, startCoreInProcess } from '../../../testing/core-in-process.ts';

type Module = typeof import('./expirations.ts');

let core: CoreInProcess;
let expirations: Module['Expirations'];
let database: pg.Client;
beforeAll(async () => {
  core = await startCoreInProcess();
  ({ Expirations: expirations } = await moduleOfCore<Module>('./features/parameters/expiration/expirations.js'));
  database = new pg.Client({ connectionString: core.database.url });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await core.close();
});

/** Runs the job of a core as if some days had passed. */
const runAfter = (days: number) => runAt(new Date(Date.now() + days * 86_400_000).toISOString());
const runAt = (instant: string | null, running = core) => running.core.app.get(expirations).run(instant);

async function fixture(input: object = {}, text = 'old text') {
  const organization = await core.organization();
  const project = await organization.project();
  const createResponse = await organization.owner.post<Parameter>(`${project.url}parameters/`, {
    name: 'password',
    expires: 'P30D',
    expiration_action: { length: 20, require_symbols: true },
    ...input,
  });
  expect([createResponse.status, createResponse.status === 201 ? '' : createResponse.text]).toEqual([201, '']);
  const value = await organization.value({ parameter: createResponse.body, internal_value: text });
  const parameter = async () => (await organization.owner.get<Parameter>(createResponse.body.url)).body;
  const seen = async () => (await organization.owner.get<Value>(value.url)).body;
  return { organization, project, value, parameter, seen, created: createResponse.body };
}

describe('expiration', () => {
  it('appears in cached responses, although no write has changed the configuration', async () => {
    const { organization, created, project } = await fixture({ expiration_action: null });
    const seen = async () => {
      const { results } = (await organization.owner.get<Page<Parameter>>(`${project.url}parameters/`)).body;
      const retrieved = (await organization.owner.get<Parameter>(created.url)).body;
      return [results[0]?.expired_status?.state ?? null, retrieved.expired_status?.state ?? null];
    };
    expect([await seen(), await seen()]).toEqual([
      [null, null],
      [null, null],
    ]);

    await runAfter(31);
    const [list, inItem] = await seen();
    expect(list).not.toBeNull();
    expect(inItem).toBe(list);
  });

  it('is set with a duration and options, is shown with each value, and is removed with null', async () => {
    const { organization, created, value } = await fixture();

    expect(created).toMatchObject({ expires: 'P30D', expired_status: null });
    expect(created.expiration_action).toEqual({
      length: 20,
      require_hardware_generation: false,
      require_lowercase: true,
      require_numbers: true,
      require_spaces: false,
      require_symbols: true,
      require_uppercase: true,
    });
    const changedAt = Date.parse(value.modified_at ?? '');
    expect(Date.parse(value.expires_at ?? '')).toBe(changedAt + 30 * 86_400_000);
    expect(value.expires_at?.slice(-8)).toBe(value.modified_at?.slice(-8));
    const same = await organization.owner.patch<Parameter>(created.url, { expires: 'P30D' });
    expect(same.body.ledger_id).toBe(created.ledger_id);
    const never = await organization.owner.patch<Parameter>(created.url, { expires: null, expiration_action: null });
    expect(never.body).toMatchObject({ expires: null, expiration_action: null });
    expect((await organization.owner.get<Value>(value.url)).body.expires_at).toBeNull();
  });

  it.each`
    input                                                      | field
    ${{ expires: 'monthly' }}                                  | ${'expires'}
    ${{ expires: 'PT5M' }}                                     | ${'expires'}
    ${{ expiration_action: { length: 7 } }}                    | ${'expiration_action'}
    ${{ expiration_action: { require_lowercase: 'perhaps' } }} | ${'expiration_action'}
    ${{ expiration_action: 'password' }}                       | ${'expiration_action'}
  `('is rejected with $input', async ({ input, field }) => {
    const { organization, created } = await fixture();

    expect(await organization.owner.patch(created.url, input)).toMatchObject({
      status: 400,
      body: { [field]: [expect.any(String)] },
    });
  });

  it('replaces an expired text, and not before it expires, by an ordinary change that raises an event', async () => {
    const { organization, seen, parameter, value } = await fixture({ secret: true });
    await runAfter(29);
    expect(await seen()).toMatchObject({ value: 'old text', ledger_id: value.ledger_id });

    await runAfter(31);

    const fresh = await seen();
    expect(fresh.value).toMatch(/^(?=.*[^A-Za-z0-9 ]).{20}$/);
    expect(fresh).toMatchObject({ internal_value: null, secret: true, created_at: value.created_at });
    expect(fresh.expires_at).not.toBe(value.expires_at);
    expect((await parameter()).expired_status).toMatchObject({ state: 'rotated' });
    const { rows } = await database.query(
      `select change.event_type, change.object_type, changeset.actor_name from change join changeset using (organization_id, revision)
        where organization_id = $1 order by revision desc limit 1`,
      [organization.id],
    );
    expect(rows).toEqual([{ event_type: 'value_updated', object_type: 'Value', actor_name: 'Expiration' }]);
    const audit = await organization.owner.get<Page<{ user: { name: string } }>>('audit/?page_size=1');
    expect(audit.body.results[0]?.user.name).toBe('Expiration');
  });

  it('happens once, even if many cores run the job', async () => {
    const { organization, value } = await fixture();
    const otherCore = await core.another();
    try {
      const revision = async () => Number((await organization.owner.get('projects/')).headers['x-revision']);
      const before = await revision();

      // Runs the job at the very instant when the first text expires, at which a new text has not expired yet.
      const at = value.expires_at ?? null;
      await Promise.all([runAt(at), runAt(at, otherCore), runAt(at), runAt(at, otherCore)]);

      expect(await revision()).toBe(before + 1);
    } finally {
      await otherCore.close();
    }
  });

  it('without an action only marks the value; texts and reads stay the same', async () => {
    const { organization, seen, parameter, value } = await fixture({ expiration_action: null });
    const { headers } = await organization.owner.get('projects/');

    await runAfter(31);
    await runAfter(32);

    expect(await parameter()).toMatchObject({ expired_status: { state: 'expired', detail: expect.any(String) } });
    expect(await seen()).toEqual(value);
    expect((await organization.owner.get('projects/')).headers['x-revision']).toBe(headers['x-revision']);
  });

  it('stores no value that violates the type or a rule, and reports this', async () => {
    const { organization, parameter, seen, value, created } = await fixture({}, 'pin');
    await organization.owner.post(`${created.url}rules/`, { type: 'max_len', constraint: '8' });

    await runAfter(31);

    expect((await parameter()).expired_status).toMatchObject({
      state: 'failed',
      detail: expect.stringContaining('fits'),
    });
    expect(await seen()).toMatchObject({ value: 'pin', ledger_id: value.ledger_id });
  });

  it('of one organization does not wait for another one that is under maintenance', async () => {
    const stopped = await Promise.all([fixture(), fixture(), fixture()]);
    const { seen } = await fixture();
    const ids = stopped.map(({ organization }) => organization.id);
    const pause = (maintenance: boolean) =>
      database.query('update organization set maintenance = $2 where id = any($1::uuid[])', [ids, maintenance]);

    await pause(true);
    await runAfter(31);
    await pause(false);

    expect((await seen()).value).toHaveLength(20);
    for (const { seen: text } of stopped) expect((await text()).value).toBe('old text');
  });

  it('does not change dynamic values and explicit nulls', async () => {
    const { organization, project, created } = await fixture();
    const production = await organization.environmentNamed('production');
    const nothing = await organization.value({ parameter: created, environment: production, internal_value: null });
    const otherParameter = await organization.parameter({ project, name: 'other' });
    await organization.owner.patch(otherParameter.url, { expires: 'P1D', expiration_action: {} });
    const dynamic = await organization.value({
      parameter: otherParameter,
      internal_value: '{{ password }}',
      interpolated: true,
    });

    await runAfter(40);

    expect((await organization.owner.get(nothing.url)).body).toEqual(nothing);
    expect((await organization.owner.get<Value>(dynamic.url)).body).toMatchObject({ internal_value: '{{ password }}' });
  });
});

it('rows, history and changes are consistent at the end', async () => {
  expect(await ledgerProblems(core.database.url)).toEqual([]);
});
