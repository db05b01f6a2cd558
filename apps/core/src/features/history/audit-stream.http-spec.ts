import { randomUUID } from 'node:crypto';
import type { ServiceAccountCreated } from '@strata/contract';
import { type OwnCore, RawClient, type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { AuditFollower, readAudit } from '../../testing/audit-lines.ts';
import { startSecondCore } from '../../testing/core-in-process.ts';
import { query } from '../../testing/query.ts';
import { waitUntil } from '../../testing/until.ts';

let core: RunningCore;
/** Another process on the same database, which has its own caches. */
let otherCore: OwnCore;
let organization: TestOrganization;
const open: AuditFollower[] = [];

beforeAll(async () => {
  core = await sharedCore();
  otherCore = await startSecondCore(core);
});
afterAll(() => otherCore.close());
beforeEach(async () => {
  organization = await core.organization();
});
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});

async function follow(authorization: string, text = '', at: RunningCore = core): Promise<AuditFollower> {
  const stream = await AuditFollower.open(at.origin, authorization, text);
  open.push(stream);
  await stream.until(({ lines }) => lines.length > 0);
  return stream;
}

async function account(role: 'VIEWER' | 'CONTRIB' | 'ADMIN') {
  const { body } = await organization.owner.post<ServiceAccountCreated>('serviceaccounts/', { name: 'siem', role });
  return { ...body, authorization: `Api-Key ${body.apikey}` };
}

const listObjectNames = ({ records }: Pick<AuditFollower, 'records'>) => records.map(({ object }) => object.name);

describe('the audit stream', () => {
  it('contains changes and the access log, oldest first, without values, and ends with a bookmark', async () => {
    const { owner } = organization;
    const project = await organization.project({ name: 'shop' });
    const parameter = await organization.parameter({ project, name: 'TOKEN', secret: true });
    const value = await organization.value({ parameter, internal_value: 'canary-value' });
    await owner.get(value.url);
    const { records } = await waitUntil(
      () => readAudit(owner),
      (read) => read.records.some(({ action }) => action === 'reveal'),
    );
    const { text, headers } = await owner.get('audit/stream/');

    expect(headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
    expect(text).not.toContain('canary-value');
    expect(records.map(({ action, object: { type, name } }) => `${action} ${type} ${name}`).slice(-4)).toEqual([
      'create Project shop',
      'create Parameter TOKEN',
      'create Value TOKEN',
      'reveal Value TOKEN',
    ]);
    const created = records.at(-2);
    expect(created).toMatchObject({
      object: { id: value.id },
      project_id: project.id,
      environment_id: value.environment_id,
      parameter_id: parameter.id,
      actor: { name: 'Owner', type: 'interactive' },
      surface: 'rest',
      requests: 1,
    });
    const { body } = await owner.get<object>(`audit/${created?.id}/`);
    expect(body).toMatchObject({ action: 'create', changeset: created?.changeset, timestamp: created?.timestamp });
  });

  it('continues after every cursor that it contains', async () => {
    const { owner } = organization;
    const { parameter } = { parameter: await organization.parameter({ secret: true }) };
    await owner.get((await organization.value({ parameter })).url);
    const all = await waitUntil(
      () => readAudit(owner),
      ({ records }) => records.some(({ action }) => action === 'reveal'),
    );

    for (const [index, { cursor }] of all.records.entries()) {
      const rest = await readAudit(owner, `after=${cursor}`);
      expect(rest.records.map(({ id }) => id)).toEqual(all.records.slice(index + 1).map(({ id }) => id));
    }
    expect((await readAudit(owner, `after=${all.cursor}`)).records).toEqual([]);
  });

  it('starts at a time', async () => {
    await organization.project({ name: 'early' });
    const { created_at: createdAt } = await organization.project({ name: 'late' });

    expect(listObjectNames(await readAudit(organization.owner, `since=${createdAt}`))).toEqual(['late']);
  });

  it('contains objects that existing clients of the audit do not know', async () => {
    await organization.owner.post('groups/', { name: 'operators', users: [] });

    expect(listObjectNames(await readAudit(organization.owner))).toContain('operators');
  });

  it('sends new changes and records of the access log while it is open', async () => {
    const parameter = await organization.parameter({ name: 'TOKEN', secret: true });
    const value = await organization.value({ parameter });
    const stream = await follow(organization.ownerAuthorization);
    await stream.until(({ lines }) => lines.at(-1)?.kind === 'bookmark');
    const before = stream.records.length;
    await organization.owner.get(value.url);
    await organization.project({ name: 'new' });
    await stream.until(({ records }) => records.length >= before + 2);

    expect(new Set(stream.records.slice(before).map(({ action }) => action))).toEqual(new Set(['create', 'reveal']));
  });

  it('rejects more than ten open streams of an organization', async () => {
    const streams = Array.from({ length: 10 }, () => follow(organization.ownerAuthorization));
    await Promise.all(streams);

    expect(await organization.owner.get('audit/stream/')).toMatchObject({
      status: 429,
      headers: { 'x-error-code': 'too_many_streams' },
    });
    expect(await (await core.organization()).owner.get('audit/stream/')).toMatchObject({ status: 200 });
  });
});

/** Adds a record in its own transaction, which stays open until `commit`. */
const INSERT = `insert into access_log (organization_id, revision, at, action, object_type, object_id, object_name,
    actor_id, actor_name, actor_type, surface, request_id)
  values ($1, 0, clock_timestamp(), 'reveal', 'Organization', $1::uuid::text, $2, 'x', 'x', 'service', 'rest', '')`;

describe('a reader that continues after its last cursor', () => {
  it('misses no record of a transaction that began first and commits last', async () => {
    const { owner, id } = organization;
    const pg = (await import('pg')).default;
    const [slow, quick] = [1, 2].map(() => new pg.Client({ connectionString: core.database.url }));
    if (!slow || !quick) throw new Error('unreachable');
    await Promise.all([slow.connect(), quick.connect()]);
    try {
      await slow.query('begin');
      await slow.query(INSERT, [id, 'slow']);
      const [{ pid } = { pid: 0 }] = (await quick.query<{ pid: number }>('select pg_backend_pid() as pid')).rows;
      let isStored = false;
      const later = quick.query(INSERT, [id, 'quick']).then(() => (isStored = true));
      // The later record waits for the first one. If it did not, it would be stored now.
      await waitUntil(
        async () =>
          isStored ||
          (await query(core, `select from pg_stat_activity where pid = $1 and wait_event_type = 'Lock'`, [pid]))
            .length > 0,
        Boolean,
      );
      const first = await readAudit(owner);
      await slow.query('commit');
      await later;
      const second = await readAudit(owner, `after=${first.cursor}`);

      expect(listObjectNames({ records: [...first.records, ...second.records] })).toEqual(['slow', 'quick']);
    } finally {
      await Promise.all([slow.end(), quick.end()]);
    }
  });

  it('gets every record once, while several processes write and readers stop at any line', async () => {
    const { owner, ownerAuthorization, id } = organization;
    const clients = [owner, new RawClient(otherCore.origin, ownerAuthorization)];
    const parameter = await organization.parameter({ secret: true });
    const value = await organization.value({ parameter });
    const path = value.url.slice(value.url.indexOf('/api/v1/'));
    let isWriting = true;
    const reader = async (n: number) => {
      const ids: string[] = [];
      for (let after = ''; ; ) {
        const isLast = !isWriting;
        const client = clients[n % 2] as RawClient;
        const { records, cursor } = await readAudit(client, after && `after=${after}`);
        // The reader loses the connection after some of the records.
        const received = isLast ? records : records.slice(0, 1 + ((ids.length + n) % 3));
        ids.push(...received.map((record) => record.id));
        after = received.length < records.length ? (received.at(-1)?.cursor ?? after) : cursor;
        if (isLast) return ids;
      }
    };
    const readers = [0, 1, 2].map(reader);
    const stream = await follow(ownerAuthorization);
    const rounds = Array.from({ length: 30 }, (_, n) => n);
    await Promise.all([
      ...clients.map(async (client, index) => {
        for (const n of rounds) await client.patch(path, { internal_value: `${index} ${n}` });
      }),
      ...rounds.map((n) => query(core, INSERT, [id, `read ${n}`])),
      ...clients.map(async (client) => {
        for (const _ of rounds) await client.get(path);
      }),
    ]);
    await waitUntil(
      () =>
        query<{ count: number }>(
          core,
          `select count(*)::int from access_log where organization_id = $1 and actor_id <> 'x'`,
          [id],
        ),
      ([organizationRow]) => (organizationRow?.count ?? 0) > 0,
    );
    isWriting = false;
    const all = await readAudit(owner);
    const expected = all.records.map((record) => record.id).toSorted();
    await stream.until(({ records }) => records.length >= expected.length);

    const [{ count } = { count: 0 }] = await query<{ count: number }>(
      core,
      `select (select count(*) from change where organization_id = $1)::int
            + (select count(*) from access_log where organization_id = $1)::int as count`,
      [id],
    );
    expect(expected).toHaveLength(count);
    expect(new Set(expected).size).toBe(count);
    for (const ids of await Promise.all(readers)) expect(ids.toSorted()).toEqual(expected);
    expect(stream.records.map((record) => record.id).toSorted()).toEqual(expected);
  });

  it.each([
    [
      'from another history',
      (cursor: string) =>
        query(core, 'update organization_head set epoch = gen_random_uuid() where organization_id = $1', [
          organization.id,
        ]).then(() => cursor),
    ],
    ['from the future', async () => (await readAudit((await longer()).owner)).cursor],
    ['of the feed', async () => (await organization.owner.get<{ cursor: string }>('events/?after=now')).body.cursor],
  ])('gets 410 for a cursor %s', async (_, cursorOf) => {
    await organization.project();
    const cursor = await cursorOf((await readAudit(organization.owner)).cursor);

    expect(await organization.owner.get(`audit/stream/?after=${cursor}`)).toMatchObject({
      status: 410,
      headers: { 'x-error-code': 'cursor_gone' },
    });
  });

  /** Returns an organization with the same epoch and more records. */
  async function longer(): Promise<TestOrganization> {
    const otherOrganization = await core.organization();
    for (let n = 0; n < 3; n += 1) await otherOrganization.project();
    await query(
      core,
      `update organization_head set epoch = (select epoch from organization_head where organization_id = $1) where organization_id = $2`,
      [organization.id, otherOrganization.id],
    );
    return otherOrganization;
  }

  it.each([
    ['a change', `update changeset set at = at - interval '31 days' where organization_id = $1`],
    ['a record of the access log', `update access_log set at = at - interval '31 days' where organization_id = $1`],
  ])('gets 410 if the next record is %s that is too old to be shown', async (kind, age) => {
    const short = await startSecondCore(core, { STRATA_AUDIT_MAX_DAYS: '30' });
    try {
      const { owner, ownerAuthorization, id } = organization;
      await organization.project({ name: 'first' });
      const start = (await readAudit(owner)).cursor;
      if (kind === 'a change') await organization.project({ name: 'second' });
      else await query(core, INSERT, [id, 'second']);
      const reader = new RawClient(short.origin, ownerAuthorization);
      expect(listObjectNames(await readAudit(reader, `after=${start}`))).toEqual(['second']);
      const { cursor } = await readAudit(reader);
      await query(core, age, [id]);

      expect((await reader.get(`audit/stream/?after=${start}`)).status).toBe(410);
      expect((await readAudit(reader, `after=${cursor}`)).records).toEqual([]);
      expect(listObjectNames(await readAudit(reader))).toEqual(kind === 'a change' ? [] : ['first']);
    } finally {
      await short.close();
    }
  });
});

describe('access to the audit stream', () => {
  it('requires the role ADMIN, also for service accounts', async () => {
    const statuses = await Promise.all(
      (['VIEWER', 'CONTRIB', 'ADMIN'] as const).map(
        async (role) => (await organization.as(role).get('audit/stream/')).status,
      ),
    );
    expect(statuses).toEqual([403, 403, 200]);
  });

  it('includes no record of another organization', async () => {
    const foreign = await core.organization();
    await foreign.project({ name: 'foreign' });
    await query(core, INSERT, [foreign.id, 'foreign']);
    await organization.project({ name: 'own' });
    await query(core, INSERT, [organization.id, 'own']);

    expect(listObjectNames(await readAudit(organization.owner))).toEqual(['own', 'own']);
    const { cursor } = await readAudit(foreign.owner);
    expect((await organization.owner.get(`audit/stream/?after=${cursor}`)).status).toBe(410);
  });

  it.each<[string, string, (url: string, membershipId: string) => Promise<unknown>]>([
    ['role is lowered', 'forbidden', (_, id) => organization.owner.patch(`memberships/${id}/`, { role: 'CONTRIB' })],
    ['key is replaced', 'credential_revoked', (url) => organization.owner.post(`${url}rekey/`, {})],
    ['account is deleted', 'credential_revoked', (url) => organization.owner.delete(url)],
  ])('ends before the next record when the %s', async (_, code, end) => {
    const siem = await account('ADMIN');
    const streams = [await follow(siem.authorization), await follow(siem.authorization, '', otherCore)];
    for (const stream of streams) await stream.until(({ lines }) => lines.at(-1)?.kind === 'bookmark');
    const [{ id } = { id: '' }] = await query<{ id: string }>(core, 'select id from membership where person_id = $1', [
      siem.id,
    ]);
    await end(siem.url, id);
    await organization.project({ name: `after ${randomUUID()}` });

    for (const stream of streams) {
      await stream.ended;
      expect(stream.lines.at(-1)).toMatchObject({ kind: 'close', code });
      expect(listObjectNames(stream).filter((name) => name.startsWith('after'))).toEqual([]);
    }
  });
});
