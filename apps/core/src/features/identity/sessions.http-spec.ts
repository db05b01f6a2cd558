import { randomUUID } from 'node:crypto';
import {
  type AuthToken,
  type Page,
  SESSIONS_MAX,
  type ServiceAccountCreated,
  type Session,
  type SessionEnd,
} from '@strata/contract';
import { type OwnCore, RawClient, type RunningCore, sharedCore } from '@strata/testkit';
import { ListeningClient } from '../../testing/listening-client.ts';
import { createPerson, type Person } from '../../testing/people.ts';
import { waitUntil } from '../../testing/until.ts';

let core: RunningCore;
let otherCore: OwnCore;
beforeAll(async () => {
  core = await sharedCore();
  otherCore = await core.another();
});
afterAll(() => otherCore?.close());

const as = (token: string, at: { readonly origin: string } = core) => new RawClient(at.origin, `Bearer ${token}`);
const anonymous = () => new RawClient(core.origin, null);
const readStatus = (token: string, at?: { readonly origin: string }) => async () =>
  (await as(token, at).get('users/current/')).status;
const endsEverywhere = (token: string) =>
  Promise.all([core, otherCore].map((process) => waitUntil(readStatus(token, process), (status) => status === 403)));

/** Starts a session and returns its token. */
async function start({ email, password }: Person, more: object = {}): Promise<string> {
  const { status, body } = await anonymous().post<AuthToken>('auth/session/', { email, password, ...more });
  expect(status).toBe(200);
  return body.access_token;
}

async function listSessions(token: string): Promise<readonly Session[]> {
  return (await as(token).get<Page<Session>>('users/current/sessions/')).body.results;
}

const member = async () => createPerson(core, (await core.organization()).id, 'VIEWER');

describe('a session', () => {
  it('starts with a password, and the list shows its program, its address and which one is in use', async () => {
    const ada = await member();
    const [laptop, phone] = [await start(ada, { client: 'Firefox' }), await start(ada, { client: 'Safari' })];

    const sessions = await listSessions(laptop);

    const common = { method: 'password', provider: null, address: '127.0.0.1' };
    expect(sessions).toEqual([
      expect.objectContaining({ ...common, client: 'Safari', is_current: false }),
      expect.objectContaining({ ...common, client: 'Firefox', is_current: true }),
    ]);
    expect(JSON.stringify(sessions)).not.toContain(laptop.split('.').at(-1));
    expect(await readStatus(phone)()).toBe(200);
  });

  it('ends alone, on every core', async () => {
    const ada = await member();
    const [mine, lost] = [await start(ada, { client: 'mine' }), await start(ada, { client: 'lost' })];
    expect(await readStatus(lost, otherCore)()).toBe(200);
    const { id } = (await listSessions(mine)).find(({ client }) => client === 'lost') as Session;

    expect((await as(mine).delete(`users/current/sessions/${id}/`)).status).toBe(204);

    await endsEverywhere(lost);
    expect(await readStatus(mine)()).toBe(200);
    expect((await as(mine).delete(`users/current/sessions/${id}/`)).status).toBe(404);
  });

  it('ends when its user signs out, and its event streams end', async () => {
    const token = await start(await member());
    const stream = await ListeningClient.open(otherCore.origin, { authorization: `Bearer ${token}` });

    const endResponse = await as(token).delete<SessionEnd>('auth/session/');

    expect(endResponse).toMatchObject({ status: 200, body: { provider: null, id_token: null } });
    await stream.ended;
    expect(stream.messages.at(-1)?.data).toMatchObject({ code: 'credential_revoked' });
    await endsEverywhere(token);
  });

  it('cannot be ended by another user, even in the same organization', async () => {
    const { id: organization } = await core.organization();
    const [ada, eve] = await Promise.all([
      createPerson(core, organization, 'VIEWER'),
      createPerson(core, organization, 'OWNER'),
    ]);
    const token = await start(ada);
    const [{ id } = { id: '' }] = await listSessions(token);

    const response = await as(await start(eve)).delete(`users/current/sessions/${id}/`);

    expect(response.status).toBe(404);
    expect(await readStatus(token)()).toBe(200);
  });

  it.each([
    ['signs out everywhere', (client: RawClient) => client.delete('users/current/tokens/')],
    [
      'changes the password',
      (client: RawClient, { password }: Person) =>
        client.post('users/current/password/', { old_password: password, new_password: randomUUID() }),
    ],
  ])('ends when its user %s', async (_, act) => {
    const ada = await member();
    const [here, otherToken] = [await start(ada), await start(ada)];

    expect((await act(as(here), ada)).status).toBe(204);

    await Promise.all([endsEverywhere(here), endsEverywhere(otherToken)]);
  });

  it('ends when its membership ends', async () => {
    const { id, owner } = await core.organization();
    const ada = await createPerson(core, id, 'VIEWER');
    const token = await start(ada);

    expect((await owner.delete(`memberships/${ada.membershipId}/`)).status).toBe(204);

    await endsEverywhere(token);
  });

  it('does not end for other tokens, which belong to no session', async () => {
    const { client } = await member();

    expect(await client.delete('auth/session/')).toMatchObject({
      status: 409,
      headers: { 'x-error-code': 'no_session' },
    });
  });

  it(`of a user with ${SESSIONS_MAX} sessions replaces the oldest one`, async () => {
    const { key } = await account();
    const withKey = new RawClient(core.origin, `Api-Key ${key}`);
    const first = (await withKey.post<AuthToken>('auth/session/', { client: 'first' })).body.access_token;
    for (let count = 1; count < SESSIONS_MAX; count++) await withKey.post('auth/session/', {});
    expect(await readStatus(first)()).toBe(200);

    const { body } = await withKey.post<AuthToken>('auth/session/', {});

    await endsEverywhere(first);
    expect(await listSessions(body.access_token)).toHaveLength(SESSIONS_MAX);
  });
});

async function account() {
  const { owner } = await core.organization();
  const { body } = await owner.post<ServiceAccountCreated>('serviceaccounts/', { name: randomUUID(), role: 'CONTRIB' });
  return { owner, id: body.user.id, key: body.apikey };
}

describe('a session that was started with an API key', () => {
  it('has the rights of the service account, and ends with the key', async () => {
    const { owner, id, key } = await account();
    const withKey = new RawClient(core.origin, `Api-Key ${key}`);
    const token = (await withKey.post<AuthToken>('auth/session/', { client: 'browser' })).body.access_token;
    expect((await as(token).get('users/current/')).body).toMatchObject({ id, role: 'CONTRIB' });
    expect((await listSessions(token))[0]).toMatchObject({ method: 'api_key', client: 'browser' });

    await owner.post(`serviceaccounts/${id}/rekey/`, {});

    await endsEverywhere(token);
  });

  it('cannot start another session, which would outlast it', async () => {
    const { key } = await account();
    const withKey = new RawClient(core.origin, `Api-Key ${key}`);
    const token = (await withKey.post<AuthToken>('auth/session/', {})).body.access_token;

    expect((await as(token).post('auth/session/', {})).status).toBe(400);
  });
});

describe('the token of a session', () => {
  it('is exchanged for one of another organization of the user, and both end together', async () => {
    const ada = await member();
    const second = await core.organization();
    await second.owner.post('invitations/', { email: ada.email, role: 'ADMIN' }).then(async ({ body }) => {
      const { id, token } = body as { id: string; token: string };
      expect((await ada.client.post(`invitations/${id}/accept/`, { token })).status).toBe(200);
    });
    const first = await start(ada);

    const { status, body } = await as(first).post<AuthToken>('auth/token/', { organization: second.id });

    expect([status, body.organization]).toEqual([200, second.id]);
    expect((await as(body.access_token).get('users/current/')).body).toMatchObject({ id: ada.id, role: 'ADMIN' });
    expect((await as(first).get('users/current/')).body).toMatchObject({ id: ada.id, role: 'VIEWER' });
    await as(body.access_token).delete('auth/session/');
    await Promise.all([endsEverywhere(first), endsEverywhere(body.access_token)]);
  });

  it('is rejected if its organization, its secret or its session is replaced', async () => {
    const [ada, eve] = [await member(), await member()];
    const [ownToken, foreignToken] = [await start(ada), await start(eve)].map((token) => token.split('.'));
    const replaced = [0, 1, 2].map((index) => ownToken?.with(index, foreignToken?.[index] ?? '').join('.') ?? '');

    expect(await Promise.all(replaced.map((token) => readStatus(token)()))).toEqual([403, 403, 403]);
  });
});

describe('starting a session', () => {
  it.each([
    ['a wrong password', async () => ({ email: (await member()).email, password: 'wrong' }), 403],
    ['an unknown address', async () => ({ email: 'nobody@example.com', password: 'wrong' }), 403],
    ['no password', async () => ({ email: 'somebody@example.com' }), 400],
    ['nothing', async () => ({}), 400],
    ['a number as the password', async () => ({ email: 'a@example.com', password: 1 }), 400],
    ['a description of the program that is too long', async () => ({ client: 'x'.repeat(257) }), 400],
  ])('with %s is rejected', async (_, body, status) => {
    expect((await anonymous().post('auth/session/', await body())).status).toBe(status);
  });

  it('for an organization of others is rejected', async () => {
    const { email, password } = await member();
    const { id: organization } = await core.organization();

    expect((await anonymous().post('auth/session/', { email, password, organization })).status).toBe(400);
  });
});
