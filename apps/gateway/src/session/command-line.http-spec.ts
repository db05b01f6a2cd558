import { hash, randomBytes, randomUUID } from 'node:crypto';
import type { AuthToken, Page, ServiceAccountCreated, Session, SignInCode } from '@strata/contract';
import { RawClient } from '@strata/testkit';
import { BrowserLike, type BrowserReply } from '../testing/browser-like.ts';
import { BrowserSessions } from '../testing/browser-sessions.ts';

let sessions: BrowserSessions;

beforeAll(async () => {
  sessions = await BrowserSessions.begin();
});
beforeEach(() => sessions.renewOrganization());
afterAll(() => sessions.end());

const VERIFIER = randomBytes(32).toString('base64url');
const WANTED = { challenge: hash('sha256', VERIFIER, 'base64url'), machine: 'ada-laptop.local' };

const approve = (browser: BrowserLike, headers = {}, body: unknown = WANTED): Promise<BrowserReply> =>
  browser.send('POST', '/session/code', { body, headers });

describe('the approval of a command line', () => {
  it('returns a code with which the command line signs in as the user', async () => {
    const { browser, email } = await sessions.signedIn();

    const { status, headers, body } = await approve(browser);

    expect([status, headers['cache-control'], headers['referrer-policy']]).toEqual([200, 'no-store', 'no-referrer']);
    const { code } = body as SignInCode;
    const { body: token } = await new RawClient(sessions.core.origin, null).post<AuthToken>('auth/session/', {
      ...{ code, code_verifier: VERIFIER },
    });
    const strata = new RawClient(sessions.core.origin, `Bearer ${token.access_token}`);
    expect((await strata.get('users/current/')).body).toMatchObject({ email });
    const { body: ownSessions } = await strata.get<Page<Session>>('users/current/sessions/');
    expect(ownSessions.results).toContainEqual(
      expect.objectContaining({ client: 'strata on ada-laptop.local', is_current: true }),
    );
  });

  it('is rejected from pages of other sites, from forms, and without a session', async () => {
    const { browser } = await sessions.signedIn();
    const url = await sessions.gatewayWith();
    const foreign = new BrowserLike(url, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' });
    foreign.cookie = browser.cookie;

    expect((await approve(foreign)).status).toBe(403);
    expect((await approve(browser, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await approve(new BrowserLike(url))).status).toBe(401);
  });

  it('is rejected if the page shows another organization than that of the session', async () => {
    const { browser } = await sessions.signedIn();

    expect(await approve(browser, { 'strata-organization': randomUUID() })).toMatchObject({
      status: 409,
      body: { errors: [{ extensions: { reason: 'other_organization' } }] },
    });
  });

  it('is rejected for the session of a service account', async () => {
    const robot = { name: 'robot', role: 'OWNER' };
    const { body } = await sessions.organization.owner.post<ServiceAccountCreated>('serviceaccounts/', robot);
    const browser = new BrowserLike(await sessions.gatewayWith());
    await browser.signIn({ apiKey: body.apikey });

    expect((await approve(browser)).status).toBe(403);
  });

  it.each([
    ['a name that imitates another program', { ...WANTED, machine: 'Firefox/140.0 (Windows)' }],
    ['no challenge', { machine: 'laptop' }],
    ['a challenge that is no hash', { ...WANTED, challenge: 'x' }],
  ])('is rejected with %s', async (_, body) => {
    const { browser } = await sessions.signedIn();

    expect((await approve(browser, {}, body)).status).toBe(400);
  });
});
