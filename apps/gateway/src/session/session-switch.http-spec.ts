import { randomUUID } from 'node:crypto';
import type { Invitation, InvitationCreated, ServiceAccountCreated } from '@strata/contract';
import { RawClient, type TestOrganization } from '@strata/testkit';
import { BrowserLike } from '../testing/browser-like.ts';
import { BrowserSessions } from '../testing/browser-sessions.ts';

let sessions: BrowserSessions;

beforeAll(async () => {
  sessions = await BrowserSessions.begin();
});
beforeEach(() => sessions.renewOrganization());
afterAll(() => sessions.end());

/** Creates a member of two organizations who is signed in to the first one. */
async function memberOfTwo() {
  const { browser, email, password } = await sessions.signedIn();
  const otherOrganization = await sessions.core.organization();
  const { body: invited } = await otherOrganization.owner.post<InvitationCreated>('invitations/', {
    email,
    role: 'ADMIN',
  });
  const person = new RawClient(sessions.core.origin, await bearer(email, password));
  const accepted = await person.post<Invitation>(`invitations/${invited.id}/accept/`, { token: invited.token });
  if (accepted.status !== 200) throw new Error(accepted.text);
  return { browser, other: otherOrganization, email };
}

async function bearer(email: string, password: string): Promise<string> {
  const anonymous = new RawClient(sessions.core.origin, null);
  const { body } = await anonymous.post<{ access_token: string }>('auth/token/', { email, password });
  return `Bearer ${body.access_token}`;
}

const goTo = (browser: BrowserLike, { id }: Pick<TestOrganization, 'id'>) =>
  browser.send('POST', '/session/organization', { body: { organization: id } });

describe('a session', () => {
  it('can switch to another organization of the same user without a password, and keeps its end', async () => {
    const { browser, other, email } = await memberOfTwo();
    const before = await browser.send('GET', '/session');

    const response = await goTo(browser, other);

    expect(response).toMatchObject({
      status: 200,
      body: { signedIn: true, organization: other.id, endsAt: before.body.endsAt },
    });
    expect(response.setCookie).toMatch(/; HttpOnly; SameSite=Strict$/);
    expect((await browser.viewer()).body.data.viewer).toEqual({
      role: 'ADMIN',
      user: { email },
      organization: { id: other.id },
    });
    expect((await goTo(browser, sessions.organization)).status).toBe(200);
    expect((await browser.viewer()).body.data.viewer.role).toBe('VIEWER');
  });

  it('is unchanged if the user is not a member of the other organization', async () => {
    const { browser } = await sessions.signedIn();
    const theirs = await sessions.core.organization();

    const responses = [await goTo(browser, theirs), await goTo(browser, { id: randomUUID() })];

    for (const { status, setCookie, body } of responses) {
      expect([status, setCookie, body.errors[0].extensions.reason]).toEqual([400, '', 'unknown_link']);
    }
    expect(responses[0]?.body.errors[0].message).toBe(responses[1]?.body.errors[0].message);
    expect((await browser.viewer()).body.data.viewer.organization.id).toBe(sessions.organization.id);
  });

  it('of an API key stays in the organization of the key', async () => {
    const name = { name: 'robot', role: 'VIEWER' };
    const { body: account } = await sessions.organization.owner.post<ServiceAccountCreated>('serviceaccounts/', name);
    const browser = new BrowserLike(await sessions.gatewayWith());
    await browser.signIn({ apiKey: account.apikey });

    expect(await goTo(browser, sessions.organization)).toMatchObject({ status: 403, setCookie: '' });
  });

  it('cannot be switched by pages of other sites, by forms, or without a session', async () => {
    const { browser, other } = await memberOfTwo();
    const url = await sessions.gatewayWith();
    const foreign = new BrowserLike(url, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' });
    foreign.cookie = browser.cookie;
    expect((await goTo(foreign, other)).status).toBe(403);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const form = await browser.send('POST', '/session/organization', { body: `organization=${other.id}`, headers });
    expect(form.status).toBe(415);
    expect(await goTo(new BrowserLike(url), other)).toMatchObject({
      status: 401,
      body: { errors: [{ extensions: { reason: 'unauthenticated' } }] },
    });
    expect((await browser.viewer()).body.data.viewer.organization.id).toBe(sessions.organization.id);
  });

  it.each([
    ['nothing', {}],
    ['a number', { organization: 1 }],
    ['more than it takes', { organization: 'x', password: 'y' }],
  ])('is not switched by %s', async (_, body) => {
    const { browser } = await sessions.signedIn();

    expect((await browser.send('POST', '/session/organization', { body })).status).toBe(400);
  });

  it('rejects requests from a page that shows another organization', async () => {
    const { browser, other } = await memberOfTwo();
    const meant = { 'strata-organization': sessions.organization.id };
    expect((await browser.viewer(meant)).status).toBe(200);
    await goTo(browser, other);

    const { body } = await browser.viewer(meant);

    expect(body.data ?? null).toBeNull();
    expect(body.errors[0]).toMatchObject({
      message: expect.stringContaining('Reload the page'),
      extensions: { reason: 'other_organization' },
    });
    expect((await browser.viewer({ 'strata-organization': other.id })).status).toBe(200);
  });
});
