import { randomUUID } from 'node:crypto';
import type { AuthToken, ServiceAccountCreated, Value } from '@strata/contract';
import { createTestDatabase, ledgerProblems, RawClient, type TestOrganization } from '@strata/testkit';
import { type CoreInProcess, startCoreInProcess, startSecondCore } from '../../testing/core-in-process.ts';
import { lockOrganizationHead } from '../../testing/locked-head.ts';
import { createPerson } from '../../testing/people.ts';
import { query } from '../../testing/query.ts';
import { Receiver } from '../../testing/receiver.ts';
import { serviceAccount } from '../../testing/service-accounts.ts';
import { waitUntil } from '../../testing/until.ts';
import { KNOWN_SCHEMA } from '../postgres/migrations/index.ts';
import { combineIf } from '../postgres/one-statement.ts';

/** Either core may deliver events. */
const SETTINGS = { STRATA_PRIVATE_DESTINATIONS: 'true' };

let core: CoreInProcess;
/** Another core on the same database, whose writes the first one does not know. */
let beside: CoreInProcess;
beforeAll(async () => {
  core = await startCoreInProcess(SETTINGS);
  beside = await startSecondCore(core, SETTINGS);
});
afterAll(async () => {
  await beside.close();
  await core.close();
});

interface Fixture {
  readonly organization: TestOrganization;
  readonly value: Value;
}

/** Creates a value that the core has changed last, so that it can write the next change at once. */
async function fixture(on: CoreInProcess = core): Promise<Fixture> {
  const organization = await on.organization();
  const value = await organization.value({
    parameter: await organization.parameter({ name: 'p' }),
    internal_value: '0',
  });
  expect((await organization.owner.patch(value.url, { internal_value: 'before' })).status).toBe(200);
  return { organization, value };
}

const change = (client: RawClient, { url }: Value, text = 'after') =>
  client.patch<Value>(url, { internal_value: text });

/** Returns the result of a write, and whether it locked the head first. */
async function observed<T>(write: () => Promise<T>): Promise<{ result: T; isAtOnce: boolean }> {
  core.statements();
  const result = await write();
  return { result, isAtOnce: !core.statements().includes('commit') };
}

async function expectUnchanged({ organization, value }: Fixture): Promise<void> {
  expect((await organization.owner.get<Value>(value.url)).body.value).toBe('before');
  expect(await ledgerProblems(core.database.url)).toEqual([]);
}

/** Returns a client with a new session of a person. */
async function session({ organization }: Fixture): Promise<{ client: RawClient; personId: string }> {
  const { id, email, password } = await createPerson(core, organization.id, 'CONTRIB');
  const { body } = await new RawClient(core.origin, null).post<AuthToken>('auth/session/', { email, password });
  return { client: new RawClient(core.origin, `Bearer ${body.access_token}`), personId: id };
}

const END_SESSION = 'delete from session where person_id = $1';
const ENDS = [
  ['a session that was ended', END_SESSION],
  ['a session that has expired', 'update session set expires_at = clock_timestamp() where person_id = $1'],
  ['a person who has signed out everywhere', 'update person set token_version = token_version + 1 where id = $1'],
] as const;

describe('a change of a value that was changed before', () => {
  it('is stored in one statement, with history, audit record and the next revision', async () => {
    const { organization, value } = await fixture();
    const before = await organization.owner.get<Value>(value.url);
    const { result, isAtOnce } = await observed(() => change(organization.owner, value));

    expect([result.status, isAtOnce]).toEqual([200, true]);
    expect(Number(result.headers['x-revision'])).toBe(Number(before.headers['x-revision']) + 1);
    expect((await organization.owner.get<Value>(value.url)).body).toEqual(result.body);
    const earlier = await organization.owner.get<Value>(`${value.url}?revision=${before.headers['x-revision']}`);
    expect(earlier.body).toEqual(before.body);
    const changes = 'select object_type, object_id from change where organization_id = $1 and revision = $2';
    expect(await query(core, changes, [organization.id, result.headers['x-revision']])).toEqual([
      { object_type: 'Value', object_id: value.id },
    ]);
    expect(await ledgerProblems(core.database.url)).toEqual([]);
  });

  it('is found only below its own project and parameter, alone and beside other changes', async () => {
    const { organization, value } = await fixture();
    const [project = '', parameter = ''] = value.url.match(/(?<=projects\/|parameters\/)[^/]+/g) ?? [];
    const wrongPaths = [project, parameter].map((id) => value.url.replace(id, randomUUID()));
    for (const url of wrongPaths) expect((await change(organization.owner, { ...value, url })).status).toBe(404);
    const urls = [value.url, ...wrongPaths, value.url, ...wrongPaths];
    const responses = await Promise.all(urls.map((url) => change(organization.owner, { ...value, url }, 'beside')));

    expect(responses.map(({ status }) => status)).toEqual([200, 404, 404, 200, 404, 404]);
    expect(await ledgerProblems(core.database.url)).toEqual([]);
  });

  it('has an instant of the database that is later than those before it', async () => {
    const { organization, value } = await fixture();
    const times: string[] = [];
    for (const text of ['a', 'b', 'c'])
      times.push(`${(await change(organization.owner, value, text)).body.modified_at}`);
    const [{ now } = { now: '' }] = await query<{ now: Date }>(core, 'select clock_timestamp() as now');

    expect(times).toEqual([...new Set(times)].toSorted());
    expect(new Date(now).getTime() - Date.parse(times[2] ?? '')).toBeGreaterThanOrEqual(0);
    expect(new Date(now).getTime() - Date.parse(times[0] ?? '')).toBeLessThan(30_000);
  });

  it('follows a change by another process', async () => {
    const { organization, value } = await fixture();
    const otherCore = new RawClient(beside.origin, organization.ownerAuthorization);
    const previous = await change(otherCore, value, 'elsewhere');
    const { body, headers } = await change(organization.owner, value);

    expect(Number(headers['x-revision'])).toBe(Number(previous.headers['x-revision']) + 1);
    expect(body.value).toBe('after');
    const earlier = await organization.owner.get<Value>(`${value.url}?revision=${previous.headers['x-revision']}`);
    expect(earlier.body.value).toBe('elsewhere');
    expect(await ledgerProblems(core.database.url)).toEqual([]);
  });

  it('is decided on the row that another process has written, whatever this process wrote since', async () => {
    const { organization, value } = await fixture();
    const parameter = await organization.parameter({ name: 'q' });
    const neighbor = await organization.value({ parameter, internal_value: '0' });
    for (const changed of [neighbor, value]) await change(organization.owner, changed, 'before');
    await change(new RawClient(beside.origin, organization.ownerAuthorization), value, 'elsewhere');
    const once = { 'idempotency-key': randomUUID() };
    await organization.owner.patch(neighbor.url, { internal_value: 'after' }, once);
    const { headers } = await change(organization.owner, value, 'before');

    // The text differs from the stored one, so there is an event.
    const events = 'select event_type from change where organization_id = $1 and revision = $2';
    expect(await query(core, events, [organization.id, headers['x-revision']])).toEqual([
      { event_type: 'value_updated' },
    ]);
  });

  it('reads its row again after a restore, which starts another epoch', async () => {
    const { organization, value } = await fixture();
    await query(core, 'update organization_head set epoch = gen_random_uuid() where organization_id = $1', [
      organization.id,
    ]);
    const { result, isAtOnce } = await observed(() => change(organization.owner, value));

    expect([result.status, isAtOnce]).toEqual([200, false]);
  });

  it('does not continue from a link that is not the one of the head', async () => {
    const { organization, value } = await fixture();
    const changeLink = 'update organization_head set link = sha256(link) where organization_id = $1';
    await query(core, changeLink, [organization.id]);
    const { result, isAtOnce } = await observed(() => change(organization.owner, value));

    expect([result.status, isAtOnce]).toEqual([200, false]);
    // Other tests verify the whole database.
    for (const [table, columns] of [
      ['organization_head', 'link = null, link_revision = null'],
      ['changeset', 'link = null'],
    ])
      await query(core, `update ${table} set ${columns} where organization_id = $1`, [organization.id]);
  });

  it('follows a write of another kind in the same process', async () => {
    const fixed = await fixture();
    const { organization, value } = fixed;
    const url = value.url.replace(/values\/.*/, '');
    expect((await organization.owner.patch(url, { type: 'integer' })).status).toBe(400);
    expect((await change(organization.owner, value, '7')).status).toBe(200);
    expect((await organization.owner.patch(url, { type: 'integer' })).status).toBe(200);

    expect((await change(organization.owner, value, 'no number')).status).toBe(400);
    expect((await organization.owner.get<Value>(value.url)).body.value).toBe('7');
  });

  it('is delivered', async () => {
    const { organization, value } = await fixture();
    const receiver = await Receiver.start();
    const received = (count: number) =>
      waitUntil(
        async () => receiver.at('w').length,
        (length) => length >= count,
      );
    try {
      const target = { name: 'w', type: 'http', event_types: ['value_updated'], address: receiver.address('w') };
      expect((await organization.owner.post('destinations/', target)).status).toBe(201);
      await change(organization.owner, value, 'first');
      await received(1);
      const { isAtOnce } = await observed(() => change(organization.owner, value));
      await received(2);
      expect(isAtOnce).toBe(true);
    } finally {
      receiver.close();
    }
  });
});

describe('the parts of a conditional statement', () => {
  it.each([
    ['run, queries included, if the condition returns a row', true],
    ['do nothing otherwise', false],
  ])('%s', async (_, isMet) => {
    const sequence = `strata_test_${randomUUID().replaceAll('-', '')}`;
    await query(core, `create sequence ${sequence}`);
    const id = randomUUID();
    const condition = {
      text: 'select $1::uuid as id, clock_timestamp() as now where $2::boolean',
      values: [id, isMet],
    };
    const { text, values } = combineIf(condition, [
      { text: `select nextval($2::regclass) where $1::uuid = $3::uuid`, values: [id, sequence, id] },
    ]);
    const [row] = await query<{ now: Date | null }>(core, text, [...values]);
    const [state] = await query<{ is_called: boolean }>(core, `select is_called from ${sequence}`);
    await query(core, `drop sequence ${sequence}`);

    expect([row?.now !== null, state?.is_called]).toEqual([isMet, isMet]);
  });
});

describe('a change of a value that was changed before is rejected', () => {
  it.each(ENDS)('if the caller has %s, which creates no revision', async (_, end) => {
    const fixed = await fixture();
    const { client, personId } = await session(fixed);
    expect((await client.get(fixed.value.url)).status).toBe(200);
    await query(core, end, [personId]);

    expect((await change(client, fixed.value)).headers['x-error-code']).toBe('bad_credential');
    await expectUnchanged(fixed);
  });

  it('if the key that the caller signed in with is revoked', async () => {
    const fixed = await fixture();
    const account = await serviceAccount(fixed.organization, { role: 'CONTRIB' });
    const expiry = { expire_at: new Date(Date.now() + 600_000).toISOString() };
    const { body } = await fixed.organization.owner.post<ServiceAccountCreated>(`${account.url}rekey/`, expiry);
    const client = new RawClient(core.origin, `Api-Key ${body.apikey}`);
    expect((await change(client, fixed.value, 'known')).status).toBe(200);
    expect((await change(client, fixed.value, 'before')).status).toBe(200);
    const revoke = 'update api_key set revoked = true where organization_id = $1 and prefix = $2 returning prefix';
    const prefix = body.apikey.split('.')[0];
    expect(await query(core, revoke, [fixed.organization.id, prefix])).toHaveLength(1);

    expect((await change(client, fixed.value)).headers['x-error-code']).toBe('bad_credential');
    await expectUnchanged(fixed);
  });

  it('if another process has just revoked the key', async () => {
    const fixed = await fixture();
    const account = await serviceAccount(fixed.organization, { role: 'CONTRIB' });
    const client = new RawClient(core.origin, `Api-Key ${account.apikey}`);
    expect((await change(client, fixed.value, 'known')).status).toBe(200);
    expect((await change(client, fixed.value, 'before')).status).toBe(200);
    const otherCore = new RawClient(beside.origin, fixed.organization.ownerAuthorization);
    expect((await otherCore.post(`${account.url}rekey/`)).status).toBe(200);

    expect([401, 403]).toContain((await change(client, fixed.value)).status);
    await expectUnchanged(fixed);
  });

  it('while the organization is under maintenance', async () => {
    const fixed = await fixture();
    const setMaintenance = (isOn: boolean) =>
      query(core, 'update organization set maintenance = $2 where id = $1', [fixed.organization.id, isOn]);
    await setMaintenance(true);
    const { headers } = await change(fixed.organization.owner, fixed.value);
    await setMaintenance(false);

    expect(headers['x-error-code']).toBe('maintenance');
    await expectUnchanged(fixed);
  });

  it('if the session of the caller ends while another transaction holds the lock', async () => {
    const fixed = await fixture();
    const { client, personId } = await session(fixed);
    expect((await client.get(fixed.value.url)).status).toBe(200);
    const head = await lockOrganizationHead(core, fixed.organization.id);
    const waiting = change(client, fixed.value);
    await head.waiting(1);
    await query(core, END_SESSION, [personId]);
    await head.release();

    expect((await waiting).headers['x-error-code']).toBe('bad_credential');
    await expectUnchanged(fixed);
  });

  it.each(['first', 'second'])('by a core that a later schema does not support: its %s change', async (which) => {
    const database = await createTestDatabase();
    const alone = await startSecondCore({ database });
    try {
      const { organization, value } = await fixture(alone);
      if (which === 'first') await organization.owner.post('projects/', { name: 'another' });
      await query({ database }, `insert into schema_migration (timestamp, name) values (2700000000000, 'later')`);
      await query({ database }, 'update schema_compatibility set serves_cores_from = $1', [KNOWN_SCHEMA.number + 1]);

      expect((await change(organization.owner, value)).headers['x-error-code']).toBe('database_unavailable');
      expect((await organization.owner.get<Value>(value.url)).body.value).toBe('before');
    } finally {
      await alone.close();
      await database.drop();
    }
  });
});
