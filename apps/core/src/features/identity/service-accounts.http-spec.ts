import type { Page, ServiceAccount, ServiceAccountCreated, User } from '@strata/contract';
import { ROLES, type Role } from '@strata/domain';
import { RawClient, type Reply, type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { person } from '../../testing/people.ts';
import { query } from '../../testing/query.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

const holder = ({ apikey }: { readonly apikey: string }) => new RawClient(core.origin, `Api-Key ${apikey}`);
const current = (account: { readonly apikey: string }) => holder(account).get<User>('users/current/');

async function make(organization: TestOrganization, wish: object = {}, as: Role = 'OWNER') {
  const { body } = await organization.as(as).post<ServiceAccountCreated>('serviceaccounts/', { name: 'ci', ...wish });
  return body;
}

const revision = ({ headers }: Reply) => Number(headers['x-revision']);

describe('service accounts', () => {
  it('are made with a key that is shown once and works', async () => {
    const organization = await core.organization();

    const made = await organization.owner.post<ServiceAccountCreated>('serviceaccounts/', {
      name: ' ci ',
      description: 'Builds.',
      role: 'CONTRIB',
    });
    const read = await organization.owner.get<ServiceAccount>(made.body.url);

    expect(made).toMatchObject({
      status: 201,
      headers: { location: made.body.url, 'cache-control': 'no-store' },
      body: { description: 'Builds.', last_used_at: null, user: { name: 'ci', type: 'service', role: 'CONTRIB' } },
    });
    expect(made.body.apikey).toMatch(/^[A-Za-z0-9]{8}\.[\w-]{43}$/);
    expect(made.body.user.id).toBe(made.body.id);
    expect(made.body.created_at).toBe(made.body.modified_at);
    expect(read.body).not.toHaveProperty('apikey');
    expect(read.text).not.toContain(made.body.apikey.split('.')[1]);
    expect(await current(made.body)).toMatchObject({ status: 200, body: { id: made.body.id, role: 'CONTRIB' } });
  });

  it('are VIEWERs unless said otherwise, and belong to whoever made them', async () => {
    const organization = await core.organization();
    const maker = await organization.as('CONTRIB').get<User>('users/current/');

    const made = await make(organization, {}, 'CONTRIB');

    expect(made).toMatchObject({ owner: maker.body.url, user: { role: 'VIEWER' } });
  });

  it('have an owner in free text, or a member as owner', async () => {
    const organization = await core.organization();
    const { id } = await person(core, organization.id, 'VIEWER');

    expect(await make(organization, { owner: 'the platform team' })).toMatchObject({ owner: 'the platform team' });
    for (const owner of [id, `https://elsewhere/api/v1/users/${id}/`]) {
      const made = await make(organization, { owner });
      expect(made.owner).toBe(`${core.origin}/api/v1/users/${id}/`);
    }
  });

  it.each([
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(129) }, 'name'],
    [{ name: 'x', role: 'viewer' }, 'role'],
    [{ name: 'x', role: 'ROOT' }, 'role'],
    [{ name: 'x', owner: 'x'.repeat(129) }, 'owner'],
    [{ name: 'x', owner: 'users/%00/\u0000' }, 'owner'],
  ])('are not made from %j', async (body, field) => {
    const organization = await core.organization();

    const answer = await organization.owner.post('serviceaccounts/', body);

    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body as object)).toEqual([field]);
  });

  it('are found in lists of accounts and of users, page by page', async () => {
    const organization = await core.organization();
    const made = [await make(organization, { name: 'b' }), await make(organization, { name: 'A' })];

    const list = await organization
      .as('VIEWER')
      .get<Page<ServiceAccount>>('serviceaccounts/?ordering=name&page_size=2');
    const users = await organization.as('VIEWER').get<Page<User>>('users/?type=service');
    const some = await organization.owner.get<Page<ServiceAccount>>(
      `serviceaccounts/?id__in=${made[0]?.id},nobody,%ff`,
    );

    expect(list.body.results.map(({ user }) => user.name)).toEqual(['A', 'b']);
    expect(list.body.count).toBeGreaterThan(2);
    expect(list.body.next).toContain('page=2');
    expect(users.body.results.map(({ id }) => id)).toEqual(expect.arrayContaining(made.map(({ id }) => id)));
    expect(some.body.results.map(({ id }) => id)).toEqual([made[0]?.id]);
  });

  it('change in description and owner only, and mint a revision only when they do', async () => {
    const organization = await core.organization();
    const made = await make(organization);

    const changed = await organization.owner.patch<ServiceAccount>(made.url, { description: 'New.', role: 'OWNER' });
    const same = await organization.owner.put<ServiceAccount>(made.url, { description: 'New.' });

    expect(changed).toMatchObject({ status: 200, body: { description: 'New.', user: { role: 'VIEWER' } } });
    expect(changed.body.modified_at).not.toBe(made.modified_at);
    expect(same.body).toEqual(changed.body);
    expect(revision(same)).toBe(revision(changed));
  });

  it('answer 304 to who knows them and 412 to who does not know the latest', async () => {
    const organization = await core.organization();
    const made = await make(organization);
    const { headers } = await organization.owner.get(made.url);
    const etag = headers.etag ?? '';

    expect((await organization.owner.get(made.url, { 'if-none-match': etag })).status).toBe(304);
    expect((await organization.owner.patch(made.url, { description: '1' }, { 'if-match': etag })).status).toBe(200);
    expect((await organization.owner.patch(made.url, { description: '2' }, { 'if-match': etag })).status).toBe(412);
    expect((await organization.owner.delete(made.url, undefined, { 'if-match': etag })).status).toBe(412);
    expect((await organization.owner.get(made.url, { 'if-none-match': etag })).status).toBe(200);
  });

  it('tell when they were last used, and their keys', async () => {
    const organization = await core.organization();
    const made = await make(organization);
    await current(made);

    const prefix = made.apikey.split('.')[0];
    const used = await eventually(async () => {
      const { body } = await organization.owner.get<ServiceAccount>(made.url);
      return body.last_used_at === null ? null : body;
    });

    expect(used.keys).toEqual([
      { name: '', prefix, revoked: false, has_expired: false, created: made.created_at, expiry_date: null },
    ]);
  });
});

describe('a new key', () => {
  it('comes with the answer and ends the old one at once, in the same process', async () => {
    const organization = await core.organization();
    const made = await make(organization);
    expect((await current(made)).status).toBe(200);

    const rekeyed = await organization.owner.post<ServiceAccountCreated>(`${made.url}rekey/`);

    expect((await current(made)).status).toBe(403);
    expect(rekeyed).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' }, body: { id: made.id } });
    expect((await current(rekeyed.body)).status).toBe(200);
    expect(rekeyed.body.keys?.map(({ revoked }) => revoked)).toEqual([false, true]);
    expect(revision(rekeyed)).toBeGreaterThan(0);
  });

  it('may expire', async () => {
    const organization = await core.organization();
    const made = await make(organization);
    const later = new Date(Date.now() + 3_600_000).toISOString();

    const rekeyed = await organization.owner.post<ServiceAccountCreated>(`${made.url}rekey/`, { expire_at: later });
    expect(rekeyed.body.keys?.[0]?.expiry_date).toBe(later.replace('Z', '000Z'));
    expect((await current(rekeyed.body)).status).toBe(200);

    const again = await organization.owner.post<ServiceAccountCreated>(`${made.url}rekey/`, { expire_at: later });
    await query(core, `update api_key set expires_at = now() - interval '1 second' where person_id = $1`, [made.id]);
    expect((await current(again.body)).status).toBe(403);
  });

  it.each(['2020-01-01T00:00:00Z', 'tomorrow', 7, '2024-13-01'])('does not expire at %j', async (expiry) => {
    const organization = await core.organization();
    const made = await make(organization);

    const answer = await organization.owner.post(`${made.url}rekey/`, { expire_at: expiry });

    expect(answer).toMatchObject({ status: 400, body: { expire_at: [expect.any(String)] } });
    expect((await current(made)).status).toBe(200);
  });

  it('does not let old ones pile up', async () => {
    const organization = await core.organization();
    const made = await make(organization);
    for (let n = 0; n < 12; n += 1) await organization.owner.post(`${made.url}rekey/`);

    const { body } = await organization.owner.get<ServiceAccount>(made.url);

    expect(body.keys).toHaveLength(10);
    expect(body.keys?.filter(({ revoked }) => !revoked)).toHaveLength(1);
  });
});

describe('a service account that is deleted', () => {
  it('is gone at once with its user, membership and key', async () => {
    const organization = await core.organization();
    const made = await make(organization);
    expect((await current(made)).status).toBe(200);

    const answer = await organization.owner.delete(made.url);

    expect(answer).toMatchObject({ status: 204, text: '', headers: { 'content-length': '0' } });
    expect(revision(answer)).toBeGreaterThan(0);
    expect((await current(made)).status).toBe(403);
    for (const path of [made.url, made.user.url, `memberships/${made.user.membership_id}/`]) {
      expect((await organization.owner.get(path)).status).toBe(404);
    }
    expect((await organization.owner.delete(made.url)).status).toBe(404);
    expect(await query(core, 'select 1 from person where id = $1', [made.id])).toEqual([]);
  });

  it('leaves its changes in the ledger', async () => {
    const organization = await core.organization();
    const made = await make(organization);
    await organization.owner.delete(made.url);

    const changes = await query<{ action: string; object_type: string; event_type: string | null }>(
      core,
      `select action, object_type, event_type from change where organization_id = $1 and object_name = 'ci'
        order by revision, ordinal`,
      [organization.id],
    );

    expect(changes).toEqual([
      { action: 'create', object_type: 'ServiceAccount', event_type: null },
      { action: 'create', object_type: 'Membership', event_type: null },
      { action: 'delete', object_type: 'ServiceAccount', event_type: null },
      { action: 'delete', object_type: 'Membership', event_type: null },
    ]);
  });
});

describe('who may do what with service accounts', () => {
  const rank = (role: Role) => ROLES.indexOf(role);

  it.each(ROLES)('a %s makes those of their own role and below', async (role) => {
    const organization = await core.organization();
    for (const given of ROLES) {
      const { status, headers } = await organization.as(role).post('serviceaccounts/', { name: 'x', role: given });
      const may = role !== 'VIEWER' && rank(given) <= rank(role);
      expect([role, given, status]).toEqual([role, given, may ? 201 : 403]);
      if (!may && role !== 'VIEWER') expect(headers['x-error-code']).toBe('role_above_own');
    }
  });

  it.each(ROLES)("a %s changes others' of their own role and below, from ADMIN on", async (role) => {
    const organization = await core.organization();
    for (const theirs of ROLES) {
      const account = await make(organization, { role: theirs });
      const may = rank(role) >= rank('ADMIN') && rank(role) >= rank(theirs);
      const client = organization.as(role);
      const statuses = [
        (await client.patch(account.url, { description: 'x' })).status,
        (await client.put(account.url, { description: 'y' })).status,
        (await client.post(`${account.url}rekey/`)).status,
        (await client.delete(account.url)).status,
      ];
      expect([role, theirs, ...statuses]).toEqual([
        role,
        theirs,
        ...(may ? [200, 200, 200, 204] : [403, 403, 403, 403]),
      ]);
    }
  });

  it('a CONTRIB manages their own until those may more than they do', async () => {
    const organization = await core.organization();
    const account = await make(organization, { role: 'CONTRIB' }, 'CONTRIB');
    const client = organization.as('CONTRIB');

    expect((await client.patch(account.url, { description: 'mine' })).status).toBe(200);
    expect((await client.post(`${account.url}rekey/`)).status).toBe(200);
    await organization.owner.patch(`memberships/${account.user.membership_id}/`, { role: 'ADMIN' });
    expect(await client.post(`${account.url}rekey/`)).toMatchObject({
      status: 403,
      headers: { 'x-error-code': 'role_above_own' },
    });
    expect((await client.delete(account.url)).status).toBe(403);
  });

  it.each(ROLES)('a %s reads all of them', async (role) => {
    const organization = await core.organization();
    const account = await make(organization, { role: 'OWNER' });

    expect((await organization.as(role).get(account.url)).status).toBe(200);
    expect((await organization.as(role).get('serviceaccounts/')).status).toBe(200);
  });
});

describe('a key that is taken away under traffic', () => {
  it('works nowhere two seconds later, and not once more in the process that took it', async () => {
    const organization = await core.organization();
    const other = await core.another();
    try {
      const made = await make(organization);
      const elsewhere = new RawClient(other.origin, `Api-Key ${made.apikey}`);
      let running = true;
      let gone = Number.POSITIVE_INFINITY;
      const late: number[] = [];
      const traffic = Array.from({ length: 8 }, async () => {
        while (running) {
          const began = performance.now();
          const { status } = await current(made);
          if (status === 200 && began > gone) late.push(began - gone);
        }
      });
      const trafficElsewhere = (async () => {
        while (running) await elsewhere.get('users/current/');
      })();
      await eventually(async () => ((await elsewhere.get('users/current/')).status === 200 ? true : null));

      await organization.owner.delete(made.url);
      gone = performance.now();
      const deadline = gone + 2_000;
      let last = 200;
      while (last !== 403 && performance.now() < deadline) last = (await elsewhere.get('users/current/')).status;
      await new Promise((resolve) => setTimeout(resolve, 300));
      running = false;
      await Promise.all([...traffic, trafficElsewhere]);

      expect(last).toBe(403);
      expect(late).toEqual([]);
    } finally {
      await other.close();
    }
  });
});

/** What a background task will have done in a moment. */
async function eventually<T>(look: () => Promise<T | null>): Promise<T> {
  for (let n = 0; n < 100; n += 1) {
    const found = await look();
    if (found !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('It did not happen.');
}
