import { randomUUID } from 'node:crypto';
import { RawClient, type Reply, type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import pg from 'pg';
import { moduleOfCore, startSecondCore } from '../../testing/core-in-process.ts';
import { createPerson } from '../../testing/people.ts';
import { query } from '../../testing/query.ts';
import { waitUntil } from '../../testing/until.ts';

let core: RunningCore;
let organization: TestOrganization;
beforeAll(async () => {
  core = await sharedCore();
});
beforeEach(async () => {
  organization = await core.organization();
});

type Named = { readonly id: string; readonly url: string; readonly name: string; readonly description: string };
const keyed = (key: string = randomUUID()) => ({ 'idempotency-key': key });
const alike = ({ status, body, headers }: Reply) => ({ status, body, revision: headers['x-revision'] });
const listNames = async (path: string) =>
  (await organization.owner.get<{ results: Named[] }>(path)).body.results.map(({ name }) => name);
const revision = async () => Number((await organization.owner.get('environments/')).headers['x-revision']);

describe('a write with an Idempotency-Key', () => {
  it('runs once: a retry does nothing and returns the first response', async () => {
    const headers = keyed();
    const first = await organization.owner.post<Named>('projects/', { name: 'shop' }, headers);
    const before = await revision();

    const again = await organization.owner.post<Named>('projects/', { name: 'shop' }, headers);

    expect(first.status).toBe(201);
    expect(alike(again)).toEqual(alike(first));
    expect(again.headers.location).toBe(first.body.url);
    expect(await revision()).toBe(before);
  });

  it('runs once if twenty requests arrive at two cores', async () => {
    const second = await startSecondCore(core);
    try {
      const headers = keyed();
      const clients = [core, second].map(({ origin }) => new RawClient(origin, organization.ownerAuthorization));
      const replies = await Promise.all(
        Array.from({ length: 10 }, () =>
          clients.map((client) => client.post<Named>('projects/', { name: 'once' }, headers)),
        ).flat(),
      );

      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201));
      expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1);
      expect((await listNames('projects/')).filter((name) => name === 'once')).toHaveLength(1);
    } finally {
      await second.close();
    }
  });

  it('returns the first response if a core of the previous release stored only the id of the created object', async () => {
    const parameter = await organization.parameter();
    const environment = (await organization.environmentNamed('default')).url;
    const requests = [
      ['post', 'projects/', { name: 'made before' }],
      ['post', `${parameter.url}values/`, { environment, internal_value: 'made before' }],
      ['patch', environment, { description: 'changed before' }],
    ] as const;
    const beside = await startSecondCore(core);
    try {
      const { Vault } = await moduleOfCore<typeof import('../vault/vault.ts')>('./platform/vault/vault.js');
      const vault = beside.core.app.get(Vault);
      for (const [method, path, body] of requests) {
        const headers = keyed();
        const key = headers['idempotency-key'];
        const first = await organization.owner[method]<Named>(path, body, headers);
        const [owner] = await query<{ person_id: string }>(
          core,
          'select person_id from idempotency_key where key = $1',
          [key],
        );
        const location = {
          organizationId: organization.id,
          column: 'idempotency_key.sealed_result',
          rowId: `${owner?.person_id}|${key}`,
        };
        // for a change, that release stored nothing
        const sealedId = method === 'post' ? await vault.seal(location, JSON.stringify(first.body.id)) : null;
        await query(core, 'update idempotency_key set sealed_result = $2 where key = $1', [key, sealedId]);

        expect(alike(await organization.owner[method](path, body, headers))).toEqual(alike(first));
      }
    } finally {
      await beside.close();
    }
  });

  it('returns its own result after later writes of other callers', async () => {
    const { body: project } = await organization.owner.post<Named>('projects/', { name: 'shop' });
    const headers = keyed();
    const first = await organization.owner.patch<Named>(project.url, { description: 'mine' }, headers);
    await organization.owner.patch(project.url, { description: 'theirs' });

    const again = await organization.owner.patch<Named>(project.url, { description: 'mine' }, headers);

    expect(alike(again)).toEqual(alike(first));
    expect((await organization.owner.get<Named>(project.url)).body.description).toBe('theirs');
  });

  it('returns a value as this write set it, after later writes', async () => {
    const { url } = await organization.value();
    const headers = keyed();
    const first = await organization.owner.patch(url, { internal_value: 'mine' }, headers);
    await organization.owner.patch(url, { internal_value: 'theirs' });

    const again = await organization.owner.patch(url, { internal_value: 'mine' }, headers);

    expect(first.body).toMatchObject({ internal_value: 'mine' });
    expect(alike(again)).toEqual(alike(first));
    expect((await organization.owner.get(url)).body).toMatchObject({ internal_value: 'theirs' });
  });

  it('returns 204 again after a deletion, and does not delete a newer object of the same name', async () => {
    const { body: project } = await organization.owner.post<Named>('projects/', { name: 'shop' });
    const headers = keyed();
    const first = await organization.owner.delete(project.url, undefined, headers);
    await organization.owner.post('projects/', { name: 'shop' });

    const again = await organization.owner.delete(project.url, undefined, headers);

    expect([first.status, again.status]).toEqual([204, 204]);
    expect(await listNames('projects/')).toContain('shop');
    expect((await organization.owner.delete(project.url)).status).toBe(404);
  });

  it('can be sent again after it was rejected, corrected or unchanged', async () => {
    const headers = keyed();
    const response = await organization.owner.post('projects/', { name: '' }, headers);
    const corrected = await organization.owner.post('projects/', { name: 'shop' }, headers);

    expect([response.status, corrected.status]).toEqual([400, 201]);
  });

  it.each([
    ['another body', 'post', 'projects/', { name: 'other' }],
    ['another path', 'post', 'environments/', { name: 'shop' }],
    ['another query', 'post', 'projects/?x=1', { name: 'shop' }],
    ['another method', 'patch', 'projects/', { name: 'shop' }],
  ] as const)('is rejected if the key was used with %s', async (_, method, path, body) => {
    const headers = keyed();
    await organization.owner.post('projects/', { name: 'shop' }, headers);
    const before = await revision();
    const target = method === 'patch' ? (await projectNamed('shop')).url : path;

    const reply = await organization.owner[method](target, body, headers);

    expect(reply).toMatchObject({ status: 422, headers: { 'x-error-code': 'idempotency_key_reused' } });
    expect(await revision()).toBe(before);
  });

  it('creates one organization from twenty requests at two cores, although its name need not be unique', async () => {
    const { owner, ownerAuthorization } = organization;
    const second = await startSecondCore(core);
    try {
      const [headers, name] = [keyed(), `twin ${randomUUID()}`];
      const clients = [core, second].map(({ origin }) => new RawClient(origin, ownerAuthorization));
      const request = () => clients.map((client) => client.post<Named>('organizations/', { name }, headers));
      const replies = await Promise.all(Array.from({ length: 10 }, request).flat());

      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201));
      expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1);
      const countOrganizations = async () =>
        (await owner.get<{ count: number }>(`organizations/?name=${name}`)).body.count;
      expect(await countOrganizations()).toBe(1);
      expect((await owner.post('organizations/', { name: 'other' }, headers)).status).toBe(422);
      await owner.post('organizations/', { name });
      expect(await countOrganizations()).toBe(2);
    } finally {
      await second.close();
    }
  });

  it('creates one organization if a second core receives it while the first one still runs it', async () => {
    const second = await startSecondCore(core);
    const blocker = new pg.Client({ connectionString: core.database.url });
    await blocker.connect();
    try {
      const [headers, name] = [keyed(), `slow ${randomUUID()}`];
      await blocker.query('begin');
      await blocker.query('lock table organization in share mode'); // reads succeed but inserts wait
      const requests = [core, second].map(({ origin }) =>
        new RawClient(origin, organization.ownerAuthorization).post<Named>('organizations/', { name }, headers),
      );
      await waitUntil(
        () =>
          query<{ count: number }>(
            core,
            `select count(*)::int as count from pg_stat_activity
              where datname = current_database() and wait_event_type = 'Lock'`,
          ),
        ([counted]) => (counted?.count ?? 0) >= 2,
      );
      await blocker.query('rollback');

      const replies = await Promise.all(requests);
      expect(replies.map(({ status }) => status)).toEqual([201, 201]);
      expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1);
      const { body } = await organization.owner.get<{ count: number }>(`organizations/?name=${name}`);
      expect(body.count).toBe(1);
    } finally {
      await blocker.end();
      await second.close();
    }
  });

  it('uses a key of its own caller: another caller can use the same key', async () => {
    const headers = keyed();
    const mine = await organization.as('OWNER').post('projects/', { name: 'mine' }, headers);
    const yours = await organization.as('ADMIN').post('projects/', { name: 'yours' }, headers);

    expect([mine.status, yours.status]).toEqual([201, 201]);
  });

  it('does not show a new API key twice, and does not create two', async () => {
    const headers = keyed();
    const input = { name: 'ci', role: 'VIEWER' };
    const first = await organization.owner.post<{ apikey: string }>('serviceaccounts/', input, headers);
    const again = await organization.owner.post('serviceaccounts/', input, headers);

    expect(again).toMatchObject({ status: 409, headers: { 'x-error-code': 'shown_once' } });
    expect(again.text).not.toContain(first.body.apikey);
    expect((await namesOfAccounts()).filter((name) => name === 'ci')).toHaveLength(1);
  });

  it('returns 400 if the key is malformed', async () => {
    for (const key of [' ', 'two words', 'x'.repeat(256), 'é']) {
      const reply = await organization.owner.post('projects/', { name: 'shop' }, keyed(key));
      expect(reply).toMatchObject({ status: 400, headers: { 'x-error-code': 'invalid_idempotency_key' } });
    }
  });

  it('stores neither the request nor the response in readable form', async () => {
    const text = `secret-${randomUUID()}`;
    await organization.owner.post('projects/', { name: 'shop', description: text }, keyed());
    const rows = await query(
      core,
      `select encode(digest, 'escape') || coalesce(encode(sealed_result, 'escape'), '') as stored, idempotency_key.*
         from idempotency_key where organization_id = $1`,
      [organization.id],
    );

    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(text);
    expect(JSON.stringify(rows)).not.toContain('shop');
  });

  it('can reuse the key after a day', async () => {
    const headers = keyed();
    await organization.owner.post<Named>('projects/', { name: 'shop' }, headers);
    await query(core, `update idempotency_key set at = at - interval '25 hours' where organization_id = $1`, [
      organization.id,
    ]);
    const first = await organization.owner.post<Named>('projects/', { name: 'another' }, headers);
    const again = await organization.owner.post<Named>('projects/', { name: 'another' }, headers);

    expect(first.status).toBe(201);
    expect(alike(again)).toEqual(alike(first));
  });

  it('is supported for users whose ids come from an external issuer', async () => {
    const { client } = await createPerson(core, organization.id, 'ADMIN', `auth0|${randomUUID()}`);
    const headers = keyed();
    const first = await client.post('projects/', { name: 'shop' }, headers);
    const again = await client.post('projects/', { name: 'shop' }, headers);

    expect(first.status).toBe(201);
    expect(alike(again)).toEqual(alike(first));
  });
});

async function projectNamed(name: string): Promise<Named> {
  const { body } = await organization.owner.get<{ results: Named[] }>(`projects/?name=${name}`);
  return body.results[0] as Named;
}

async function namesOfAccounts(): Promise<string[]> {
  const { body } = await organization.owner.get<{ results: { user: { name: string } }[] }>('serviceaccounts/');
  return body.results.map(({ user }) => user.name);
}
