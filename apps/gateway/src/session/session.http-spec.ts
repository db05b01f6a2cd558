import { randomBytes, randomUUID } from 'node:crypto';
import type { AuthToken, InvitationCreated, ServiceAccountCreated } from '@strata/contract';
import { RawClient, type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { readEnv } from '../env.ts';
import { createGateway, type Gateway } from '../gateway.ts';
import { BrowserLike } from '../testing/browser-like.ts';
import { SocketClient } from '../testing/socket-client.ts';
import { sealSession } from './sealed-session.ts';

const KEY = randomBytes(32);
const inBase64 = (key: Buffer) => key.toString('base64');

let core: RunningCore;
let organization: TestOrganization;
const gateways: Gateway[] = [];

beforeAll(async () => {
  core = await sharedCore();
});
beforeEach(async () => {
  organization = await core.organization();
});
afterAll(() => Promise.all(gateways.map((gateway) => gateway.close())));

/** One gateway for each set of settings, for all tests of the file. */
const started = new Map<string, Promise<string>>();
function gatewayWith(settings: Readonly<Record<string, string>> = {}): Promise<string> {
  const name = JSON.stringify(settings);
  const known = started.get(name) ?? start({ STRATA_SESSION_KEY: inBase64(KEY), ...settings });
  started.set(name, known);
  return known;
}

async function start(settings: Readonly<Record<string, string>>): Promise<string> {
  const env = readEnv({ STRATA_CORE_URL: core.origin, ...settings });
  const gateway = await createGateway(env, { logger: false });
  gateways.push(gateway);
  await gateway.listen(0, '127.0.0.1');
  return gateway.url();
}

/** Somebody whom the organization invited. */
async function member() {
  const nobody = new RawClient(core.origin, null);
  const [email, password] = [`${randomUUID()}@example.com`, randomUUID()];
  const { body } = await organization.owner.post<InvitationCreated>('invitations/', { email, role: 'VIEWER' });
  await nobody.post(`invitations/${body.id}/accept/`, { token: body.token, password });
  return { email, password };
}

async function signedIn() {
  const person = await member();
  const browser = new BrowserLike(await gatewayWith());
  const reply = await browser.signIn(person);
  return { browser, reply, ...person };
}

describe('signing in by a browser', () => {
  it('makes a cookie that no script can read, and GraphQL answers by it', async () => {
    const { browser, reply, email } = await signedIn();

    expect(reply).toMatchObject({ status: 200, body: { signedIn: true, organization: organization.id } });
    expect(reply.setCookie).toMatch(
      /^strata_session=[\w-]+; Path=\/; Max-Age=(43200|43199); HttpOnly; SameSite=Strict$/,
    );
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(await browser.viewer()).toMatchObject({
      status: 200,
      body: { data: { viewer: { user: { email }, organization: { id: organization.id } } } },
    });
    const told = await browser.send('GET', '/session');
    // nothing is renewed: the end stays, and so does the cookie
    expect([told.body, told.setCookie]).toEqual([reply.body, '']);
  });

  it('holds at every gateway that has the key', async () => {
    const { browser, email } = await signedIn();
    const another = new BrowserLike(await gatewayWith({ STRATA_SOCKETS_PER_ADDRESS: '999' }));
    another.cookie = browser.cookie;

    expect((await another.viewer()).body.data.viewer.user).toEqual({ email });
  });

  it('hides what it is made of', async () => {
    const { browser, reply, password } = await signedIn();
    const bytes = Buffer.from(browser.cookie.split('=')[1] ?? '', 'base64url').toString('latin1');

    for (const text of [JSON.stringify(reply.body), JSON.stringify(reply.headers), bytes]) {
      expect(text).not.toMatch(/Bearer|eyJ/);
      expect(text).not.toContain(password);
    }
  });

  it('tells a wrong password in the words of the core, and keeps nothing', async () => {
    const { email } = await member();
    const browser = new BrowserLike(await gatewayWith());

    const refused = await browser.signIn({ email, password: 'wrong' });

    expect(refused).toMatchObject({
      status: 401,
      setCookie: '',
      body: {
        errors: [{ message: 'Incorrect authentication credentials.', extensions: { reason: 'bad_credential' } }],
      },
    });
  });

  it.each([
    ['nothing', {}],
    ['half of it', { email: 'a@b.c' }],
    ['both', { email: 'a@b.c', password: 'x', apiKey: 'a.b' }],
    ['numbers', { email: 1, password: 2 }],
    ['a key with a line break', { apiKey: 'abcdefgh.0123456789abcdef\r\nx: y' }],
    ['a list', []],
    ['a password longer than any', { email: 'a@b.c', password: 'x'.repeat(2_000) }],
  ])('refuses %s', async (_, credential) => {
    const browser = new BrowserLike(await gatewayWith());

    expect(await browser.signIn(credential)).toMatchObject({ status: 400, body: { errors: [expect.anything()] } });
  });

  it('takes no form, which other sites could send', async () => {
    const browser = new BrowserLike(await gatewayWith());
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };

    expect((await browser.send('POST', '/session', { body: 'email=a&password=b', headers })).status).toBe(415);
  });

  it('is told to be off without a key', async () => {
    const browser = new BrowserLike(await gatewayWith({ STRATA_SESSION_KEY: '' }));

    for (const reply of [await browser.send('GET', '/session'), await browser.signIn({ apiKey: 'a.b' })]) {
      expect(reply).toMatchObject({ status: 503, body: { errors: [{ extensions: { reason: 'sessions_off' } }] } });
      expect(reply.body.errors[0].message).toContain('STRATA_SESSION_KEY');
    }
  });
});

describe('a session made from a key', () => {
  it('ends with the key, wherever the cookie is', async () => {
    const { body: account } = await organization.owner.post<ServiceAccountCreated>('serviceaccounts/', {
      name: 'robot',
      role: 'VIEWER',
    });
    const browser = new BrowserLike(await gatewayWith());
    const begun = await browser.signIn({ apiKey: account.apikey });
    expect(begun).toMatchObject({ status: 200, body: { signedIn: true, organization: organization.id } });
    expect((await browser.viewer()).body.data.viewer.role).toBe('VIEWER');

    await organization.owner.delete(account.url);

    expect((await browser.viewer()).body.errors[0].extensions.code).toBe('UNAUTHENTICATED');
    const told = await browser.send('GET', '/session');
    expect(told).toMatchObject({ status: 200, body: { signedIn: false } });
    expect(told.setCookie).toContain('Max-Age=0');
  });

  it('is refused for a key that is none', async () => {
    const browser = new BrowserLike(await gatewayWith());

    expect(await browser.signIn({ apiKey: `abcdefgh.${'x'.repeat(43)}` })).toMatchObject({
      status: 401,
      setCookie: '',
    });
  });
});

describe('nobody who is signed in', () => {
  it('is 401 with a GraphQL error, before and after', async () => {
    const stranger = new BrowserLike(await gatewayWith());
    const refused = {
      status: 401,
      headers: { 'www-authenticate': 'Api-Key, Bearer' },
      body: {
        data: null,
        errors: [{ extensions: { code: 'UNAUTHENTICATED', requestId: expect.any(String) }, path: ['viewer'] }],
      },
    };
    expect(await stranger.viewer()).toMatchObject(refused);

    const { browser } = await signedIn();
    expect((await browser.viewer()).status).toBe(200);
    await browser.send('DELETE', '/session');
    expect(await browser.viewer()).toMatchObject(refused);
  });

  it('may still ask what needs nobody, and hears of a wrong key as ever', async () => {
    const stranger = new BrowserLike(await gatewayWith());
    const typename = await stranger.send('POST', '/graphql', { body: { query: '{ __typename }' } });
    expect([typename.status, typename.body.data]).toEqual([200, { __typename: 'Query' }]);

    const wrong = await stranger.send('POST', '/graphql', {
      body: { query: '{ viewer { __typename } }' },
      headers: { authorization: `Api-Key abcdefgh.${'x'.repeat(43)}` },
    });
    expect([wrong.status, wrong.body.errors[0].extensions.code]).toEqual([200, 'UNAUTHENTICATED']);
  });
});

describe('the end of a session', () => {
  it('comes by signing out', async () => {
    const { browser } = await signedIn();

    const ended = await browser.send('DELETE', '/session');

    expect(ended).toMatchObject({ status: 200, body: { signedIn: false } });
    expect(ended.setCookie).toBe('strata_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict');
    expect((await browser.viewer()).body.errors[0].extensions.code).toBe('UNAUTHENTICATED');
  });

  it('comes by signing out everywhere, also for copies of the cookie', async () => {
    const { browser } = await signedIn();
    const copy = new BrowserLike(await gatewayWith());
    copy.cookie = browser.cookie;

    const query = 'mutation { signOutEverywhere { __typename } }';
    const { body } = await browser.send('POST', '/graphql', { body: { query } });

    expect(body.data).toEqual({ signOutEverywhere: { __typename: 'Done' } });
    expect((await copy.viewer()).body.errors[0].extensions.code).toBe('UNAUTHENTICATED');
    expect((await copy.send('GET', '/session')).body).toEqual({ signedIn: false });
  });

  it('comes with a new password, and signing in with it begins another', async () => {
    const { browser, email, password } = await signedIn();
    const changed = await browser.send('POST', '/graphql', {
      body: {
        query: 'mutation ($input: ChangePasswordInput!) { changePassword(input: $input) { __typename } }',
        variables: { input: { oldPassword: password, newPassword: 'a quite new password' } },
      },
    });

    expect(changed.body.data).toEqual({ changePassword: { __typename: 'Done' } });
    expect((await browser.viewer()).body.errors[0].extensions.code).toBe('UNAUTHENTICATED');
    const again = await browser.signIn({ email, password: 'a quite new password' });
    expect([again.status, again.body.organization]).toEqual([200, organization.id]);
    expect((await browser.viewer()).body.data.viewer.user).toEqual({ email });
  });
});

describe('a cookie that is not ours', () => {
  const soon = () => Math.floor(Date.now() / 1_000) + 600;
  const session = (endsAt = soon()) => ({
    authorization: organization.ownerAuthorization,
    organizationId: organization.id,
    endsAt,
  });
  const good = () => sealSession(KEY, 'strata_session', session());

  it('is one that these tests could make', async () => {
    const browser = new BrowserLike(await gatewayWith());
    browser.cookie = `strata_session=${good()}`;

    expect((await browser.viewer()).body.data.viewer.role).toBe('OWNER');
  });

  it.each([
    ['was sealed under another key', () => sealSession(randomBytes(32), 'strata_session', session())],
    ['was sealed for the cookie of https', () => sealSession(KEY, '__Host-strata_session', session())],
    ['is over', () => sealSession(KEY, 'strata_session', session(soon() - 601))],
    ['was cut off', () => good().slice(0, -4)],
    ['was cut off in the middle of the seal', () => good().slice(0, 20)],
    // of the last character of base64 some bits mean nothing
    ['was altered', () => good().replace(/.(?=.{8}$)/, (one) => (one === 'A' ? 'B' : 'A'))],
    ['has another version', () => `Ag${good().slice(2)}`],
    ['is the credential itself', () => organization.ownerAuthorization.replace('Bearer ', '')],
    ['is empty', () => ''],
    ['comes twice', () => `${good()}; strata_session=${good()}`],
    ['holds something else', () => sealSession(KEY, 'strata_session', { ...session(), authorization: '' })],
  ])('counts for nothing when it %s', async (_, cookie) => {
    const browser = new BrowserLike(await gatewayWith());
    browser.cookie = `strata_session=${cookie()}`;

    const { status, body } = await browser.viewer();

    expect([status, body.errors[0].extensions.code]).toEqual([401, 'UNAUTHENTICATED']);
    expect((await browser.send('GET', '/session')).body).toEqual({ signedIn: false });
  });

  it('is beaten by a credential in a header', async () => {
    const { browser } = await signedIn();
    const authorization = await organization.authorization('CONTRIB');

    expect((await browser.viewer({ authorization })).body.data.viewer.role).toBe('CONTRIB');
    expect((await browser.viewer({ authorization: 'Bearer a.b.c' })).body.errors[0].extensions.code).toBe(
      'UNAUTHENTICATED',
    );
  });
});

/** What browsers say of pages that are not ours. */
const FOREIGN: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
  ['a neighbour in the domain', { origin: 'http://evil.localhost', 'sec-fetch-site': 'same-site' }],
  ['a page without an origin of its own', { origin: 'null' }],
  ['another port of the host', { origin: 'http://127.0.0.1:1' }],
  ['somebody who does not say', {}],
];

describe('a page of somebody else', () => {
  it.each(FOREIGN)('of %s can neither begin, use nor end a session', async (_, site) => {
    const { browser, email, password } = await signedIn();
    const foreign = new BrowserLike(await gatewayWith(), site);
    foreign.cookie = browser.cookie;

    const replies = [
      await foreign.signIn({ email, password }),
      await foreign.send('DELETE', '/session'),
      await foreign.viewer(),
    ];

    for (const { status, body, setCookie } of replies) {
      expect([status, body.errors[0].extensions.reason, setCookie]).toEqual([403, 'other_origin', '']);
    }
    expect((await browser.viewer()).status).toBe(200);
  });

  it('cannot use it although programs of that page may speak to us with a key', async () => {
    const { browser } = await signedIn();
    const url = await gatewayWith({ STRATA_ALLOWED_ORIGINS: 'https://friend.example' });
    const friend = new BrowserLike(url, { origin: 'https://friend.example', 'sec-fetch-site': 'cross-site' });
    const authorization = await organization.authorization('VIEWER');
    expect((await friend.viewer({ authorization })).body.data.viewer.role).toBe('VIEWER');

    friend.cookie = browser.cookie;

    expect((await friend.viewer()).status).toBe(403);
  });
});

describe('where a browser may sign in', () => {
  it('is not over plain http from elsewhere, and it is told what is needed', async () => {
    const browser = new BrowserLike(await gatewayWith(), { origin: 'http://config.example:4000' });

    const host = 'config.example:4000';
    const refused = await browser.send('POST', '/session', { body: await member(), host });

    expect(refused).toMatchObject({
      status: 403,
      setCookie: '',
      body: { errors: [{ extensions: { reason: 'https_needed' } }] },
    });
    expect(refused.body.errors[0].message).toMatch(/https.*STRATA_PUBLIC_URL/s);
    expect((await browser.send('GET', '/session', { host })).status).toBe(403);
  });

  it.each([
    [
      'a proxy that says so',
      { STRATA_TRUST_PROXY: 'true' },
      { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'config.example' },
    ],
    ['STRATA_PUBLIC_URL', { STRATA_PUBLIC_URL: 'https://config.example' }, {}],
  ])('is over https, known by %s', async (_, settings, headers) => {
    const browser = new BrowserLike(await gatewayWith(settings), {
      origin: 'https://config.example',
      'sec-fetch-site': 'same-origin',
    });
    const person = await member();

    const begun = await browser.send('POST', '/session', { body: person, headers, host: 'config.example' });

    expect(begun.setCookie).toMatch(
      /^__Host-strata_session=[\w-]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict; Secure$/,
    );
    const query = '{ viewer { user { email } } }';
    const asked = await browser.send('POST', '/graphql', { body: { query }, headers, host: 'config.example' });
    expect(asked.body.data.viewer.user).toEqual({ email: person.email });
  });

  it('is not where a stranger says that a proxy has said so', async () => {
    const browser = new BrowserLike(await gatewayWith(), { origin: 'https://config.example' });
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'config.example' };

    const refused = await browser.send('POST', '/session', { body: await member(), headers, host: 'config.example' });

    expect(refused.body.errors[0].extensions.reason).toBe('https_needed');
  });
});

describe('a websocket', () => {
  const open = (url: string, headers: Record<string, string>) =>
    new SocketClient(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', headers);

  it('is opened by the cookie, without a word about credentials', async () => {
    const { browser } = await signedIn();
    const url = await gatewayWith();
    const socket = await open(url, { cookie: browser.cookie, origin: url }).init({});
    socket.subscribe('1', '{ viewer { organization { id } } }');

    const answer = await socket.receives(({ type }) => type === 'next');

    expect(answer.payload).toMatchObject({ data: { viewer: { organization: { id: organization.id } } } });
    socket.socket.close();
  });

  it.each(FOREIGN.map(([who, site]) => [who, site.origin] as const))('of %s is not opened by it', async (_, origin) => {
    const { browser } = await signedIn();
    const url = await gatewayWith({ STRATA_ALLOWED_ORIGINS: '*' });
    const socket = await open(url, { cookie: browser.cookie, ...(origin !== undefined && { origin }) }).open();
    socket.send({ type: 'connection_init' });

    expect(await socket.ended).toMatchObject({ code: 4403 });
  });

  it('ends with its session, however long the credential would hold', async () => {
    const endsAt = Math.floor(Date.now() / 1_000) + 2;
    const session = { authorization: organization.ownerAuthorization, organizationId: organization.id, endsAt };
    const url = await gatewayWith();
    const cookie = `strata_session=${sealSession(KEY, 'strata_session', session)}`;
    const socket = await open(url, { cookie, origin: url }).init({});

    expect(await socket.ended).toMatchObject({ code: 4403 });
  });

  it('is told when somebody signs out everywhere', async () => {
    const { browser } = await signedIn();
    const url = await gatewayWith();
    const socket = await open(url, { cookie: browser.cookie, origin: url }).init({});
    socket.subscribe('1', 'subscription { changes { cursor } }');
    await organization.environment();
    await socket.receives(({ type }) => type === 'next');

    await browser.send('POST', '/graphql', { body: { query: 'mutation { signOutEverywhere { __typename } }' } });

    expect(await socket.ended).toMatchObject({ code: 4403 });
  });
});

it('a token that was got by GraphQL is no session', async () => {
  const { email, password } = await member();
  const { body } = await new RawClient(core.origin, null).post<AuthToken>('auth/token/', { email, password });
  const browser = new BrowserLike(await gatewayWith());
  browser.cookie = `strata_session=${Buffer.from(body.access_token).toString('base64url')}`;

  expect((await browser.viewer()).body.errors[0].extensions.code).toBe('UNAUTHENTICATED');
});
