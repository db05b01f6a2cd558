import { randomBytes } from 'node:crypto';
import type { AuthToken, ServiceAccountCreated } from '@strata/contract';
import { RawClient } from '@strata/testkit';
import { BrowserLike } from '../testing/browser-like.ts';
import { BrowserSessions, SESSION_KEY } from '../testing/browser-sessions.ts';
import { seal } from './sealed-cookie.ts';

let sessions: BrowserSessions;

beforeAll(async () => {
  sessions = await BrowserSessions.begin();
});
beforeEach(() => sessions.renewOrganization());
afterAll(() => sessions.end());

describe('browser sign-in', () => {
  it('sets a cookie that no script can read and that authorizes GraphQL', async () => {
    const { browser, reply, email } = await sessions.signedIn();

    expect(reply).toMatchObject({ status: 200, body: { signedIn: true, organization: sessions.organization.id } });
    expect(reply.setCookie).toMatch(/^strata_session=[\w-]+; Path=\/; Max-Age=43[12]\d\d; HttpOnly; SameSite=Strict$/);
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(await browser.viewer()).toMatchObject({
      status: 200,
      body: { data: { viewer: { user: { email }, organization: { id: sessions.organization.id } } } },
    });
    const sessionReply = await browser.send('GET', '/session');
    // Reading the session does not renew it: its end and its cookie stay the same.
    expect([sessionReply.body, sessionReply.setCookie]).toEqual([reply.body, '']);
  });

  it('works at every gateway with the same key', async () => {
    const { browser, email } = await sessions.signedIn();
    const another = new BrowserLike(await sessions.gatewayWith({ STRATA_SOCKETS_PER_ADDRESS: '999' }));
    another.cookie = browser.cookie;

    expect((await another.viewer()).body.data.viewer.user).toEqual({ email });
  });

  it('encrypts the content of the cookie', async () => {
    const { browser, reply, password } = await sessions.signedIn();
    const bytes = Buffer.from(browser.cookie.split('=')[1] ?? '', 'base64url').toString('latin1');

    for (const text of [JSON.stringify(reply.body), JSON.stringify(reply.headers), bytes]) {
      expect(text).not.toMatch(/Bearer|ses_/);
      expect(text).not.toContain(password);
    }
  });

  it("returns the core's error for a wrong password and sets no cookie", async () => {
    const { email } = await sessions.member();
    const browser = new BrowserLike(await sessions.gatewayWith());

    const response = await browser.signIn({ email, password: 'wrong' });

    expect(response).toMatchObject({
      status: 401,
      setCookie: '',
      body: {
        errors: [{ message: 'Incorrect authentication credentials.', extensions: { reason: 'bad_credential' } }],
      },
    });
  });

  it.each([
    ['an empty credential', {}],
    ['an e-mail address without a password', { email: 'a@b.c' }],
    ['a password together with an API key', { email: 'a@b.c', password: 'x', apiKey: 'a.b' }],
    ['numbers in place of texts', { email: 1, password: 2 }],
    ['a key with a line break', { apiKey: 'abcdefgh.0123456789abcdef\r\nx: y' }],
    ['a list', []],
    ['a password that is too long', { email: 'a@b.c', password: 'x'.repeat(2_000) }],
  ])('rejects %s', async (_, credential) => {
    const browser = new BrowserLike(await sessions.gatewayWith());

    expect(await browser.signIn(credential)).toMatchObject({ status: 400, body: { errors: [expect.anything()] } });
  });

  it('rejects forms, which other sites could send', async () => {
    const browser = new BrowserLike(await sessions.gatewayWith());
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };

    expect((await browser.send('POST', '/session', { body: 'email=a&password=b', headers })).status).toBe(415);
  });

  it('returns an error that says sessions are off, if there is no key', async () => {
    const browser = new BrowserLike(await sessions.gatewayWith({ STRATA_SESSION_KEY: '' }));

    for (const response of [await browser.send('GET', '/session'), await browser.signIn({ apiKey: 'a.b' })]) {
      expect(response).toMatchObject({ status: 503, body: { errors: [{ extensions: { reason: 'sessions_off' } }] } });
      expect(response.body.errors[0].message).toContain('STRATA_SESSION_KEY');
    }
  });
});

describe('a session that was started with an API key', () => {
  it('ends with the key in every browser', async () => {
    const { body: account } = await sessions.organization.owner.post<ServiceAccountCreated>('serviceaccounts/', {
      name: 'robot',
      role: 'VIEWER',
    });
    const browser = new BrowserLike(await sessions.gatewayWith());
    const begun = await browser.signIn({ apiKey: account.apikey });
    expect(begun).toMatchObject({ status: 200, body: { signedIn: true, organization: sessions.organization.id } });
    expect((await browser.viewer()).body.data.viewer.role).toBe('VIEWER');

    await sessions.organization.owner.delete(account.url);

    expect((await browser.viewer()).body.errors[0].extensions.code).toBe('UNAUTHENTICATED');
    const sessionReply = await browser.send('GET', '/session');
    expect(sessionReply).toMatchObject({ status: 200, body: { signedIn: false } });
    expect(sessionReply.setCookie).toContain('Max-Age=0');
  });

  it('is rejected for an invalid key', async () => {
    const browser = new BrowserLike(await sessions.gatewayWith());

    expect(await browser.signIn({ apiKey: `abcdefgh.${'x'.repeat(43)}` })).toMatchObject({
      status: 401,
      setCookie: '',
    });
  });
});

describe('an anonymous caller', () => {
  it('receives 401 with a GraphQL error, before and after a session', async () => {
    const stranger = new BrowserLike(await sessions.gatewayWith());
    const signedOut = {
      status: 401,
      headers: { 'www-authenticate': 'Api-Key, Bearer' },
      body: {
        data: null,
        errors: [{ extensions: { code: 'UNAUTHENTICATED', requestId: expect.any(String) }, path: ['viewer'] }],
      },
    };
    expect(await stranger.viewer()).toMatchObject(signedOut);

    const { browser } = await sessions.signedIn();
    expect((await browser.viewer()).status).toBe(200);
    await browser.send('DELETE', '/session');
    expect(await browser.viewer()).toMatchObject(signedOut);
  });

  it('may use anonymous operations, and receives the usual error for a wrong key', async () => {
    const stranger = new BrowserLike(await sessions.gatewayWith());
    const typename = await stranger.send('POST', '/graphql', { body: { query: '{ __typename }' } });
    expect([typename.status, typename.body.data]).toEqual([200, { __typename: 'Query' }]);

    const wrong = await stranger.send('POST', '/graphql', {
      body: { query: '{ viewer { __typename } }' },
      headers: { authorization: `Api-Key abcdefgh.${'x'.repeat(43)}` },
    });
    expect([wrong.status, wrong.body.errors[0].extensions.code]).toEqual([200, 'UNAUTHENTICATED']);
  });
});

describe('a session', () => {
  it('ends when the user signs out', async () => {
    const { browser } = await sessions.signedIn();

    const endResponse = await browser.send('DELETE', '/session');

    expect(endResponse).toMatchObject({ status: 200, body: { signedIn: false } });
    expect(endResponse.setCookie).toBe('strata_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict');
    expect((await browser.viewer()).body.errors[0].extensions.code).toBe('UNAUTHENTICATED');
  });

  it('ends for all copies of its cookie when the user signs out everywhere', async () => {
    const { browser } = await sessions.signedIn();
    const copy = new BrowserLike(await sessions.gatewayWith());
    copy.cookie = browser.cookie;

    const query = 'mutation { signOutEverywhere { __typename } }';
    const { body } = await browser.send('POST', '/graphql', { body: { query } });

    expect(body.data).toEqual({ signOutEverywhere: { __typename: 'Done' } });
    expect((await copy.viewer()).body.errors[0].extensions.code).toBe('UNAUTHENTICATED');
    expect((await copy.send('GET', '/session')).body).toMatchObject({ signedIn: false });
  });

  it('ends when the user changes the password, and the user can sign in with the new one', async () => {
    const { browser, email, password } = await sessions.signedIn();
    const changeResponse = await browser.send('POST', '/graphql', {
      body: {
        query: 'mutation ($input: ChangePasswordInput!) { changePassword(input: $input) { __typename } }',
        variables: { input: { oldPassword: password, newPassword: 'a quite new password' } },
      },
    });

    expect(changeResponse.body.data).toEqual({ changePassword: { __typename: 'Done' } });
    expect((await browser.viewer()).body.errors[0].extensions.code).toBe('UNAUTHENTICATED');
    const repeatedResponse = await browser.signIn({ email, password: 'a quite new password' });
    expect([repeatedResponse.status, repeatedResponse.body.organization]).toEqual([200, sessions.organization.id]);
    expect((await browser.viewer()).body.data.viewer.user).toEqual({ email });
  });
});

describe('an invalid cookie', () => {
  const soon = () => Math.floor(Date.now() / 1_000) + 600;
  const session = (endsAt = soon()) => ({
    authorization: sessions.organization.ownerAuthorization,
    organizationId: sessions.organization.id,
    endsAt,
  });
  const good = () => seal(SESSION_KEY, 'strata_session', session());

  it('is based on a valid cookie in these tests', async () => {
    const browser = new BrowserLike(await sessions.gatewayWith());
    browser.cookie = `strata_session=${good()}`;

    expect((await browser.viewer()).body.data.viewer.role).toBe('OWNER');
  });

  it.each([
    ['was sealed under another key', () => seal(randomBytes(32), 'strata_session', session())],
    ['was sealed for the cookie of https', () => seal(SESSION_KEY, '__Host-strata_session', session())],
    ['has expired', () => seal(SESSION_KEY, 'strata_session', session(soon() - 601))],
    ['was truncated', () => good().slice(0, -4)],
    ['was truncated within its header', () => good().slice(0, 20)],
    // Replaces a character before the last one, because some bits of the last base64 character have no meaning.
    ['was altered', () => good().replace(/.(?=.{8}$)/, (character) => (character === 'A' ? 'B' : 'A'))],
    ['has another version', () => `Ag${good().slice(2)}`],
    ['is the credential itself', () => sessions.organization.ownerAuthorization.replace('Bearer ', '')],
    ['is empty', () => ''],
    ['is sent twice', () => `${good()}; strata_session=${good()}`],
    ['contains no credential', () => seal(SESSION_KEY, 'strata_session', { ...session(), authorization: '' })],
  ])('is ignored if it %s', async (_, cookie) => {
    const browser = new BrowserLike(await sessions.gatewayWith());
    browser.cookie = `strata_session=${cookie()}`;

    const { status, body } = await browser.viewer();

    expect([status, body.errors[0].extensions.code]).toEqual([401, 'UNAUTHENTICATED']);
    expect((await browser.send('GET', '/session')).body).toMatchObject({ signedIn: false });
  });

  it('can be deleted by signing out if it is from a release without sessions, and contains another token', async () => {
    const browser = new BrowserLike(await sessions.gatewayWith());
    browser.cookie = `strata_session=${good()}`;

    expect(await browser.send('DELETE', '/session')).toMatchObject({ status: 200, body: { signedIn: false } });
    expect(browser.cookie).toBe('');
  });

  it('is ignored if a header has a credential', async () => {
    const { browser } = await sessions.signedIn();
    const authorization = await sessions.organization.authorization('CONTRIB');

    expect((await browser.viewer({ authorization })).body.data.viewer.role).toBe('CONTRIB');
    expect((await browser.viewer({ authorization: 'Bearer a.b.c' })).body.errors[0].extensions.code).toBe(
      'UNAUTHENTICATED',
    );
  });
});

it('a token from GraphQL is not a session', async () => {
  const { email, password } = await sessions.member();
  const { body } = await new RawClient(sessions.core.origin, null).post<AuthToken>('auth/token/', { email, password });
  const browser = new BrowserLike(await sessions.gatewayWith());
  browser.cookie = `strata_session=${Buffer.from(body.access_token).toString('base64url')}`;

  expect((await browser.viewer()).body.errors[0].extensions.code).toBe('UNAUTHENTICATED');
});
