import type { AuditTrail, Page, ServiceAccount, ServiceAccountCreated, User } from '@strata/contract';
import { ROLES, type Role } from '@strata/domain';
import { RawClient, type Reply, type RunningCore, sharedCore } from '@strata/testkit';
import { createPerson } from '../../testing/people.ts';
import { query } from '../../testing/query.ts';
import { readCurrentUser, serviceAccount } from '../../testing/service-accounts.ts';
import { waitUntil } from '../../testing/until.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

const revision = ({ headers }: Reply) => Number(headers['x-revision']);

describe('service accounts', () => {
  it('are created with a working key that is shown once', async () => {
    const organization = await core.organization();

    const account = await organization.owner.post<ServiceAccountCreated>('serviceaccounts/', {
      name: ' ci ',
      description: 'Builds.',
      role: 'CONTRIB',
    });
    const read = await organization.owner.get<ServiceAccount>(account.body.url);

    expect(account).toMatchObject({
      status: 201,
      headers: { location: account.body.url, 'cache-control': 'no-store' },
      body: { description: 'Builds.', last_used_at: null, user: { name: 'ci', type: 'service', role: 'CONTRIB' } },
    });
    expect(account.body.apikey).toMatch(/^[A-Za-z0-9]{8}\.[\w-]{43}$/);
    expect(account.body.user.id).toBe(account.body.id);
    expect(account.body.created_at).toBe(account.body.modified_at);
    expect(read.body).not.toHaveProperty('apikey');
    expect(read.text).not.toContain(account.body.apikey.split('.')[1]);
    expect(await readCurrentUser(core, account.body)).toMatchObject({
      status: 200,
      body: { id: account.body.id, role: 'CONTRIB' },
    });
  });

  it('have an empty e-mail address in every response', async () => {
    const organization = await core.organization();
    const account = await serviceAccount(organization);
    const { owner } = organization;
    const { body: user } = await owner.get<User>(account.user.url);
    const { body: users } = await owner.get<Page<User>>('users/?type=service');
    const { body: self } = await new RawClient(core.origin, `Api-Key ${account.apikey}`).get<User>('users/current/');
    const { body: audit } = await owner.get<Page<AuditTrail>>('audit/');

    expect([account.user.email, user.email, self.email]).toEqual(['', '', '']);
    expect(new Set(users.results.map(({ email }) => email))).toEqual(new Set(['']));
    const actors = audit.results.map(({ user: actor }) => actor).filter(({ type }) => type === 'service');
    expect(new Set(actors.map(({ email }) => email))).toEqual(new Set(['']));
  });

  it('are VIEWERs by default, and their creator owns them', async () => {
    const organization = await core.organization();
    const maker = await organization.as('CONTRIB').get<User>('users/current/');

    const account = await serviceAccount(organization, {}, 'CONTRIB');

    expect(account).toMatchObject({ owner: maker.body.url, user: { role: 'VIEWER' } });
  });

  it('have an owner, which is free text or a member', async () => {
    const organization = await core.organization();
    const { id } = await createPerson(core, organization.id, 'VIEWER');

    expect(await serviceAccount(organization, { owner: 'the platform team' })).toMatchObject({
      owner: 'the platform team',
    });
    for (const owner of [id, `https://elsewhere/api/v1/users/${id}/`]) {
      const account = await serviceAccount(organization, { owner });
      expect(account.owner).toBe(`${core.origin}/api/v1/users/${id}/`);
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
  ])('cannot be created from %j', async (body, field) => {
    const organization = await core.organization();

    const response = await organization.owner.post('serviceaccounts/', body);

    expect(response.status).toBe(400);
    expect(Object.keys(response.body as object)).toEqual([field]);
  });

  it('are listed among accounts and among users, page by page', async () => {
    const organization = await core.organization();
    const accounts = [
      await serviceAccount(organization, { name: 'b' }),
      await serviceAccount(organization, { name: 'A' }),
    ];

    const list = await organization
      .as('VIEWER')
      .get<Page<ServiceAccount>>('serviceaccounts/?ordering=name&page_size=2');
    const users = await organization.as('VIEWER').get<Page<User>>('users/?type=service');
    const filteredAccounts = await organization.owner.get<Page<ServiceAccount>>(
      `serviceaccounts/?id__in=${accounts[0]?.id},nobody,%ff`,
    );

    expect(list.body.results.map(({ user }) => user.name)).toEqual(['A', 'b']);
    expect(list.body.count).toBeGreaterThan(2);
    expect(list.body.next).toContain('page=2');
    expect(users.body.results.map(({ id }) => id)).toEqual(expect.arrayContaining(accounts.map(({ id }) => id)));
    expect(filteredAccounts.body.results.map(({ id }) => id)).toEqual([accounts[0]?.id]);
  });

  it('change only in description and owner, and create a revision only if these differ', async () => {
    const organization = await core.organization();
    const account = await serviceAccount(organization);

    const changeResponse = await organization.owner.patch<ServiceAccount>(account.url, {
      description: 'New.',
      role: 'OWNER',
    });
    const same = await organization.owner.put<ServiceAccount>(account.url, { description: 'New.' });

    expect(changeResponse).toMatchObject({ status: 200, body: { description: 'New.', user: { role: 'VIEWER' } } });
    expect(changeResponse.body.modified_at).not.toBe(account.modified_at);
    expect(same.body).toEqual(changeResponse.body);
    expect(revision(same)).toBe(revision(changeResponse));
  });

  it('return 304 for a current copy, and 412 for a stale precondition', async () => {
    const organization = await core.organization();
    const account = await serviceAccount(organization);
    const { headers } = await organization.owner.get(account.url);
    const etag = headers.etag ?? '';

    expect((await organization.owner.get(account.url, { 'if-none-match': etag })).status).toBe(304);
    expect((await organization.owner.patch(account.url, { description: '1' }, { 'if-match': etag })).status).toBe(200);
    expect((await organization.owner.patch(account.url, { description: '2' }, { 'if-match': etag })).status).toBe(412);
    expect((await organization.owner.delete(account.url, undefined, { 'if-match': etag })).status).toBe(412);
    expect((await organization.owner.get(account.url, { 'if-none-match': etag })).status).toBe(200);
  });

  it('contain their keys and when they were last used', async () => {
    const organization = await core.organization();
    const account = await serviceAccount(organization);
    await readCurrentUser(core, account);

    const prefix = account.apikey.split('.')[0];
    const used = await waitUntil(
      async () => (await organization.owner.get<ServiceAccount>(account.url)).body,
      (account) => account.last_used_at !== null,
    );

    expect(used.keys).toEqual([
      {
        ...{ name: '', prefix, revoked: false, has_expired: false, created: account.created_at, expiry_date: null },
        ...{ scopes: ['read', 'write', 'reveal'], projects: null, environments: null },
        ...{ last_read_at: expect.any(String), last_write_at: null, last_reveal_at: null },
      },
    ]);
  });
});

describe('a service account that is deleted', () => {
  it('is removed immediately with its user, membership and key', async () => {
    const organization = await core.organization();
    const account = await serviceAccount(organization);
    expect((await readCurrentUser(core, account)).status).toBe(200);

    const response = await organization.owner.delete(account.url);

    expect(response).toMatchObject({ status: 204, text: '', headers: { 'content-length': '0' } });
    expect(revision(response)).toBeGreaterThan(0);
    expect((await readCurrentUser(core, account)).status).toBe(403);
    for (const path of [account.url, account.user.url, `memberships/${account.user.membership_id}/`]) {
      expect((await organization.owner.get(path)).status).toBe(404);
    }
    expect((await organization.owner.delete(account.url)).status).toBe(404);
    expect(await query(core, 'select 1 from person where id = $1', [account.id])).toEqual([]);
  });

  it('leaves its changes in the ledger', async () => {
    const organization = await core.organization();
    const account = await serviceAccount(organization);
    await organization.owner.delete(account.url);

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

describe('permissions on service accounts', () => {
  const rank = (role: Role) => ROLES.indexOf(role);

  it.each(ROLES)('let a %s create accounts up to their own role', async (role) => {
    const organization = await core.organization();
    for (const newRole of ROLES) {
      const { status, headers } = await organization.as(role).post('serviceaccounts/', { name: 'x', role: newRole });
      const may = role !== 'VIEWER' && rank(newRole) <= rank(role);
      expect([role, newRole, status]).toEqual([role, newRole, may ? 201 : 403]);
      if (!may && role !== 'VIEWER') expect(headers['x-error-code']).toBe('role_above_own');
    }
  });

  it.each(ROLES)(
    'let a %s change accounts of others up to their own role, if they are at least ADMIN',
    async (role) => {
      const organization = await core.organization();
      for (const theirs of ROLES) {
        const account = await serviceAccount(organization, { role: theirs });
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
    },
  );

  it('let a CONTRIB manage their own accounts until an account gets a higher role', async () => {
    const organization = await core.organization();
    const account = await serviceAccount(organization, { role: 'CONTRIB' }, 'CONTRIB');
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

  it.each(ROLES)('let a %s read all accounts', async (role) => {
    const organization = await core.organization();
    const account = await serviceAccount(organization, { role: 'OWNER' });

    expect((await organization.as(role).get(account.url)).status).toBe(200);
    expect((await organization.as(role).get('serviceaccounts/')).status).toBe(200);
  });
});
