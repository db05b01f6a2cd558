import { randomUUID } from 'node:crypto';
import type { InvitationCreated, Page, Session } from '@strata/contract';
import { RawClient } from '@strata/testkit';
import { BrowserLike } from '../testing/browser-like.ts';
import { ProviderSignIns, PUBLIC_URL, problemCode } from '../testing/provider-sign-ins.ts';

let signIns: ProviderSignIns;

beforeAll(async () => {
  signIns = await ProviderSignIns.begin();
});
afterAll(() => signIns.end());

describe('sign-in with an identity provider', () => {
  it('sends the browser to the provider, with a code challenge and a cookie that no script can read', async () => {
    const browser = await signIns.browser();

    const { status, headers, setCookie } = await browser.begin();

    expect(status).toBe(302);
    const { origin, searchParams } = new URL(String(headers.location));
    expect(origin).toBe(signIns.provider.issuer);
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: signIns.client.client_id,
      redirect_uri: `${PUBLIC_URL}/session/provider/acme/callback`,
      response_type: 'code',
      scope: 'openid email profile',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    expect(setCookie).toMatch(/^__Host-strata_sign_in=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/);
    expect(Buffer.from(setCookie, 'base64url').toString('latin1')).not.toContain(searchParams.get('state'));
  });

  it('starts a session in the organization of the e-mail domain, and opens the requested page', async () => {
    const person = signIns.person();
    const browser = await signIns.browser();
    const begun = await browser.begin('/projects/shop?environment=a%20b#c');
    const response = await signIns.provider.authorize(String(begun.headers.location), person);

    const finished = await browser.finish(response);

    expect([finished.status, finished.headers.location]).toEqual([303, '/projects/shop?environment=a%20b#c']);
    const cookies = finished.headers['set-cookie'] ?? [];
    expect(cookies).toEqual([
      '__Host-strata_sign_in=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
      expect.stringMatching(
        /^__Host-strata_session=[\w-]+; Path=\/; Max-Age=43[12]\d\d; HttpOnly; SameSite=Strict; Secure$/,
      ),
    ]);
    expect((await browser.viewer()).body.data.viewer).toEqual({
      role: 'VIEWER',
      user: { email: person.email },
      organization: { id: signIns.organizationId },
    });
    expect((await browser.send('GET', '/session')).body).toMatchObject({
      signedIn: true,
      organization: signIns.organizationId,
    });
  });

  it('replaces the session of another user', async () => {
    const [first, second] = [signIns.person(), signIns.person()];
    const browser = await signIns.signedIn(first);

    await browser.finish(await signIns.response(browser, second));

    expect((await browser.viewer()).body.data.viewer.user).toEqual({ email: second.email });
  });

  it('opens the requested organization if the user belongs to it', async () => {
    const person = signIns.person();
    const member = new RawClient(signIns.core.origin, (await signIns.signedIn(person)).authorization);
    const otherOrganization = await signIns.core.organization();
    const { body } = await otherOrganization.owner.post<InvitationCreated>('invitations/', {
      email: person.email,
      role: 'CONTRIB',
    });
    await member.post(`invitations/${body.id}/accept/`, { token: body.token });

    for (const [requested, opened] of [
      [otherOrganization.id, otherOrganization.id],
      [undefined, signIns.organizationId],
      [randomUUID(), signIns.organizationId],
      ['no id', signIns.organizationId],
    ]) {
      const browser = await signIns.browser();
      const begun = await browser.begin('/', 'acme', requested);
      await browser.finish(await signIns.provider.authorize(String(begun.headers.location), person));
      expect((await browser.viewer()).body.data.viewer.organization).toEqual({ id: opened });
    }
  });

  it('lists the name and the id of each provider to users who are not signed in', async () => {
    const { body } = await (await signIns.browser()).send('GET', '/session');

    expect(body).toEqual({ signedIn: false, providers: [{ id: 'acme', name: signIns.client.name }] });
  });

  it('records the provider and the program of the browser in the list of sessions', async () => {
    const browser = await signIns.browser();
    const response = await signIns.response(browser);
    const headers = { 'user-agent': `Browser/1.0 ${'x'.repeat(300)}` };
    await browser.send('GET', response.pathname + response.search, { headers });

    const client = new RawClient(signIns.core.origin, browser.authorization);
    const { body } = await client.get<Page<Session>>('users/current/sessions/');

    expect(body.results).toMatchObject([
      { method: 'provider', provider: 'acme', client: headers['user-agent'].slice(0, 256), is_current: true },
    ]);
  });

  it.each([
    ['another host', 'https://evil.example'],
    ['another host without a protocol', '//evil.example'],
    ['another host after a backslash', '/\\evil.example'],
    ['another host after a tab', '/\t/evil.example'],
    ['another host after a line break', '/\n/evil.example'],
    ['a script', 'javascript:alert(1)'],
    ['a header', '/x\r\nset-cookie: strata_session=evil'],
    ['a path without a slash', 'projects'],
    ['no path', ''],
    ['a path that is too long for a cookie', `/${'x'.repeat(4_000)}`],
  ])('never redirects to %s', async (_, returnTo) => {
    const browser = await signIns.browser();
    const begun = await browser.begin(returnTo);
    const response = await signIns.provider.authorize(String(begun.headers.location), signIns.person());

    expect((await browser.finish(response)).headers.location).toBe('/');
  });

  it('takes the address for the provider from the settings, not from headers', async () => {
    const url = await signIns.sessions.gatewayWith({ ...signIns.settings(), STRATA_TRUST_PROXY: 'true' });
    const browser = new BrowserLike(url, { 'sec-fetch-site': 'same-origin', 'x-forwarded-host': 'evil.example' });

    const { headers } = await browser.send('GET', '/session/provider/acme', { host: 'evil.example' });

    expect(new URL(String(headers.location)).searchParams.get('redirect_uri')).toBe(
      `${PUBLIC_URL}/session/provider/acme/callback`,
    );
  });

  it('sends a browser at another address to the sign-in page at the public address', async () => {
    const url = await signIns.sessions.gatewayWith(signIns.settings());
    const browser = new BrowserLike(url, { 'sec-fetch-site': 'same-origin' });

    const { status, headers, setCookie } = await browser.send('GET', '/session/provider/acme?return=/lint');

    expect([status, setCookie]).toEqual([303, '']);
    expect(headers.location).toBe(`${PUBLIC_URL}/sign-in?problem=other_address&back=%2Flint`);
  });
});

describe('signing out', () => {
  it('ends the session at the core, and returns the address at which the provider ends its own', async () => {
    const browser = await signIns.signedIn();
    const copy = await signIns.browser();
    copy.cookie = browser.cookie;

    const { status, body } = await browser.send('DELETE', '/session');

    expect([status, body.signedIn]).toEqual([200, false]);
    const { origin, searchParams } = new URL(body.logoutUrl);
    expect(origin).toBe(signIns.provider.issuer);
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: signIns.client.client_id,
      post_logout_redirect_uri: `${PUBLIC_URL}/sign-in`,
      id_token_hint: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    });
    expect((await copy.viewer()).status).toBe(401);
  });

  it('works when the session has ended already', async () => {
    const browser = await signIns.signedIn();
    const copy = await signIns.browser();
    copy.cookie = browser.cookie;
    await copy.send('DELETE', '/session');

    const { status, body, setCookie } = await browser.send('DELETE', '/session');

    expect([status, body]).toEqual([200, { signedIn: false }]);
    expect(setCookie).toContain('__Host-strata_session=; Path=/; Max-Age=0;');
  });

  it('does not involve a provider if the user signed in with a password', async () => {
    const browser = await signIns.browser();
    await browser.signIn(await signIns.sessions.member());

    expect((await browser.send('DELETE', '/session')).body).toEqual({ signedIn: false });
  });
});

it('a user without a verified address stays signed out', async () => {
  const browser = await signIns.browser();

  const finished = await browser.finish(await signIns.response(browser, signIns.person({ email_verified: false })));

  expect(problemCode(finished)).toBe('no_organization');
  expect((await browser.viewer()).status).toBe(401);
});
