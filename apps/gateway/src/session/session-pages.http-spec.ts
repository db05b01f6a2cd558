import { BrowserLike } from '../testing/browser-like.ts';
import { BrowserSessions, SESSION_KEY } from '../testing/browser-sessions.ts';
import { SocketClient } from '../testing/socket-client.ts';
import { seal } from './sealed-cookie.ts';

let sessions: BrowserSessions;

beforeAll(async () => {
  sessions = await BrowserSessions.begin();
});
beforeEach(() => sessions.renewOrganization());
afterAll(() => sessions.end());

/** The headers that browsers send from pages of other sites. */
const FOREIGN: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
  ['another host of the domain', { origin: 'http://evil.localhost', 'sec-fetch-site': 'same-site' }],
  ['another host of the domain without an origin', { 'sec-fetch-site': 'same-site' }],
  ['a page without an origin of its own', { origin: 'null' }],
  ['another port of the host', { origin: 'http://127.0.0.1:1' }],
  ['a client without these headers', {}],
];

describe('a page of another site', () => {
  it.each(FOREIGN)('of %s cannot start, use or end a session', async (_, site) => {
    const { browser, email, password } = await sessions.signedIn();
    const foreign = new BrowserLike(await sessions.gatewayWith(), site);
    foreign.cookie = browser.cookie;

    const responses = [
      await foreign.signIn({ email, password }),
      await foreign.send('DELETE', '/session'),
      await foreign.viewer(),
    ];

    for (const { status, body, setCookie } of responses) {
      expect([status, body.errors[0].extensions.reason, setCookie]).toEqual([403, 'other_origin', '']);
    }
    expect((await browser.viewer()).status).toBe(200);
  });

  it.each<[string, (origin: string) => string]>([
    ['begins with ours', (origin) => `${origin}.evil.example`],
    ['has more digits in its port', (origin) => `${origin}0`],
    ['is the beginning of ours', (origin) => origin.slice(0, -1)],
    ['is ours without a port', (origin) => origin.replace(/:\d+$/, '')],
    ['ends with ours', (origin) => `https://evil.example/${origin}`],
    ['has another scheme', (origin) => origin.replace('http:', 'https:')],
  ])('cannot use the session if its origin %s', async (_, similar) => {
    const { browser, email, password } = await sessions.signedIn();
    const url = await sessions.gatewayWith();
    const foreign = new BrowserLike(url, { origin: similar(url) });
    foreign.cookie = browser.cookie;

    for (const { status, body } of [await foreign.signIn({ email, password }), await foreign.viewer()]) {
      expect([status, body.errors[0].extensions.reason]).toEqual([403, 'other_origin']);
    }
  });

  it('cannot use the session, although its scripts may send requests with an API key', async () => {
    const { browser } = await sessions.signedIn();
    const url = await sessions.gatewayWith({ STRATA_ALLOWED_ORIGINS: 'https://friend.example' });
    const friend = new BrowserLike(url, { origin: 'https://friend.example', 'sec-fetch-site': 'cross-site' });
    const authorization = await sessions.organization.authorization('VIEWER');
    expect((await friend.viewer({ authorization })).body.data.viewer.role).toBe('VIEWER');

    friend.cookie = browser.cookie;

    expect((await friend.viewer()).status).toBe(403);
  });
});

describe('browser sign-in', () => {
  it('is rejected over plain http from another machine, with the reason', async () => {
    const browser = new BrowserLike(await sessions.gatewayWith(), { origin: 'http://config.example:4000' });

    const host = 'config.example:4000';
    const response = await browser.send('POST', '/session', { body: await sessions.member(), host });

    expect(response).toMatchObject({
      status: 403,
      setCookie: '',
      body: { errors: [{ extensions: { reason: 'https_needed' } }] },
    });
    expect(response.body.errors[0].message).toMatch(/HTTPS.*STRATA_PUBLIC_URL/s);
    expect((await browser.send('GET', '/session', { host })).status).toBe(403);
  });

  it.each([
    [
      'a proxy that says so',
      { STRATA_TRUST_PROXY: 'true' },
      { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'config.example' },
    ],
    ['STRATA_PUBLIC_URL', { STRATA_PUBLIC_URL: 'https://config.example' }, {}],
  ])('is accepted over https, detected by %s', async (_, settings, headers) => {
    const browser = new BrowserLike(await sessions.gatewayWith(settings), {
      origin: 'https://config.example',
      'sec-fetch-site': 'same-origin',
    });
    const person = await sessions.member();

    const begun = await browser.send('POST', '/session', { body: person, headers, host: 'config.example' });

    expect(begun.setCookie).toMatch(
      /^__Host-strata_session=[\w-]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict; Secure$/,
    );
    const query = '{ viewer { user { email } } }';
    const queried = await browser.send('POST', '/graphql', { body: { query }, headers, host: 'config.example' });
    expect(queried.body.data.viewer.user).toEqual({ email: person.email });
  });

  it('ignores forwarded headers of untrusted proxies', async () => {
    const browser = new BrowserLike(await sessions.gatewayWith(), { origin: 'https://config.example' });
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'config.example' };

    const response = await browser.send('POST', '/session', {
      body: await sessions.member(),
      headers,
      host: 'config.example',
    });

    expect(response.body.errors[0].extensions.reason).toBe('https_needed');
  });
});

describe('a websocket', () => {
  const open = (url: string, headers: Record<string, string>) =>
    new SocketClient(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', headers);

  it('is authorized by the cookie without a credential in its messages', async () => {
    const { browser } = await sessions.signedIn();
    const url = await sessions.gatewayWith();
    const socket = await open(url, { cookie: browser.cookie, origin: url }).init({});
    socket.subscribe('1', '{ viewer { organization { id } } }');

    const answer = await socket.receives(({ type }) => type === 'next');

    expect(answer.payload).toMatchObject({ data: { viewer: { organization: { id: sessions.organization.id } } } });
    socket.socket.close();
  });

  it.each(FOREIGN.map(([who, site]) => [who, site.origin] as const))(
    'is not authorized by the cookie if it is opened by a page of %s',
    async (_, origin) => {
      const { browser } = await sessions.signedIn();
      const url = await sessions.gatewayWith({ STRATA_ALLOWED_ORIGINS: '*' });
      const socket = await open(url, { cookie: browser.cookie, ...(origin !== undefined && { origin }) }).open();
      socket.send({ type: 'connection_init' });

      expect(await socket.ended).toMatchObject({ code: 4403 });
    },
  );

  it('closes when its session ends, even if the credential is still valid', async () => {
    const endsAt = Math.floor(Date.now() / 1_000) + 2;
    const session = {
      authorization: sessions.organization.ownerAuthorization,
      organizationId: sessions.organization.id,
      endsAt,
    };
    const url = await sessions.gatewayWith();
    const cookie = `strata_session=${seal(SESSION_KEY, 'strata_session', session)}`;
    const socket = await open(url, { cookie, origin: url }).init({});

    expect(await socket.ended).toMatchObject({ code: 4403 });
  });

  it('is closed when the user signs out everywhere', async () => {
    const { browser } = await sessions.signedIn();
    const url = await sessions.gatewayWith();
    const socket = await open(url, { cookie: browser.cookie, origin: url }).init({});
    socket.subscribe('1', 'subscription { changeFeed { cursor } }');
    // The first bookmark confirms that the stream is open before the test writes.
    await socket.receives(({ type }) => type === 'next');

    await browser.send('POST', '/graphql', { body: { query: 'mutation { signOutEverywhere { __typename } }' } });

    expect(await socket.ended).toMatchObject({ code: 4403 });
  });
});
