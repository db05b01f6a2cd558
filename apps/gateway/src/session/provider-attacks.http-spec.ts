import { type ProviderClient, startIdentityProvider, type TestIdentityProvider } from '@strata/testkit';
import { SESSION_KEY } from '../testing/browser-sessions.ts';
import { type ProviderBrowser, ProviderSignIns, PUBLIC_URL, problemCode } from '../testing/provider-sign-ins.ts';
import { SIGN_IN_FLOW, type SignInFlow, seal, unseal } from './sealed-cookie.ts';

let signIns: ProviderSignIns;
/** A second provider, which may be under the control of an attacker. */
let otherProvider: TestIdentityProvider;
let otherClient: ProviderClient;

beforeAll(async () => {
  [signIns, otherProvider] = await Promise.all([ProviderSignIns.begin(), startIdentityProvider()]);
  otherClient = await otherProvider.register('other', PUBLIC_URL);
});
afterEach(() => signIns.provider.serve('/token', null));
afterAll(() => Promise.all([signIns.end(), otherProvider.close()]));

const FLOW_COOKIE = `__Host-${SIGN_IN_FLOW.name}`;

const with_ = (url: URL, changedMembers: Readonly<Record<string, string | null>>): URL => {
  const copy = new URL(url);
  for (const [name, text] of Object.entries(changedMembers)) {
    if (text === null) copy.searchParams.delete(name);
    else copy.searchParams.set(name, text);
  }
  return copy;
};

/** Replaces parts of the flow that the browser has started, as only the holder of the key could. */
function changeFlow(browser: ProviderBrowser, changedMembers: Partial<SignInFlow>): void {
  const [, sealed = ''] = browser.cookie.split('=');
  const flow = unseal(SESSION_KEY, FLOW_COOKIE, SIGN_IN_FLOW.content, sealed, 0);
  if (flow === null) throw new Error('The browser has started no sign-in.');
  browser.cookie = `${FLOW_COOKIE}=${seal(SESSION_KEY, FLOW_COOKIE, { ...flow, ...changedMembers })}`;
}

/** Expects that the response starts no session and ends the sign-in. */
async function expectRejected(browser: ProviderBrowser, response: URL, problem: string): Promise<void> {
  const finished = await browser.finish(response);
  expect([problemCode(finished), finished.setCookie]).toEqual([problem, expect.not.stringContaining('strata_session')]);
  expect(finished.setCookie).toContain(`${FLOW_COOKIE}=; Path=/; Max-Age=0;`);
  expect((await browser.viewer()).status).toBe(401);
}

const tokenRequests = (provider: TestIdentityProvider) =>
  provider.requests().filter((path) => path === '/token').length;

describe('a response of a provider is rejected', () => {
  it.each([
    ['has another state', { state: 'x'.repeat(43) }],
    ['has no state', { state: null }],
    ['is from another issuer', { iss: 'https://evil.example' }],
    ['does not name its issuer, although the provider always does', { iss: null }],
    ['has no code', { code: null }],
  ])('before its code is used if it %s', async (_, changedMembers) => {
    const browser = await signIns.browser();
    const response = await signIns.response(browser);
    const before = tokenRequests(signIns.provider);

    await expectRejected(browser, with_(response, changedMembers), 'sign_in_mismatch');

    expect(tokenRequests(signIns.provider)).toBe(before);
  });

  it('if its browser has not started a sign-in', async () => {
    const response = await signIns.response(await signIns.browser());

    await expectRejected(await signIns.browser(), response, 'sign_in_expired');
  });

  it('if its browser has started the sign-in more than ten minutes ago', async () => {
    const browser = await signIns.browser();
    const response = await signIns.response(browser);
    changeFlow(browser, { endsAt: Math.floor(Date.now() / 1_000) });

    await expectRejected(browser, response, 'sign_in_expired');
  });

  it('if it belongs to the sign-in of another browser', async () => {
    const [attacker, victim] = [await signIns.browser(), await signIns.browser()];
    const response = await signIns.response(attacker);
    await victim.begin();

    await expectRejected(victim, response, 'sign_in_mismatch');
  });

  it('if it was used before', async () => {
    const browser = await signIns.browser();
    const response = await signIns.response(browser);
    const copy = await signIns.browser();
    copy.cookie = browser.cookie;
    expect((await browser.finish(response)).headers.location).toBe('/projects');

    await expectRejected(copy, response, 'sign_in_mismatch');
    await expectRejected(await signIns.browser(), response, 'sign_in_expired');
  });

  it('if an attacker adds the cookie of another sign-in', async () => {
    const [attacker, victim] = [await signIns.browser(), await signIns.browser()];
    const response = await signIns.response(attacker);
    await victim.begin();
    victim.cookie = `${victim.cookie}; ${attacker.cookie}`;

    await expectRejected(victim, response, 'sign_in_expired');
  });
});

describe('a code is useless', () => {
  it('in the sign-in of another browser, because the code challenge differs', async () => {
    const [attacker, victim] = [await signIns.browser(), await signIns.browser()];
    const { headers } = await victim.begin();
    const request = String(headers.location);
    const stolen = await signIns.provider.authorize(request, signIns.person());
    const ownResponse = await signIns.response(attacker);
    // the nonce would reveal the attack as well
    changeFlow(attacker, { nonce: new URL(request).searchParams.get('nonce') ?? '' });

    await expectRejected(attacker, with_(ownResponse, { code: stolen.searchParams.get('code') }), 'sign_in_mismatch');
  });

  it('without the code verifier', async () => {
    const browser = await signIns.browser();
    const response = await signIns.response(browser);
    changeFlow(browser, { codeVerifier: 'x'.repeat(43) });

    await expectRejected(browser, response, 'sign_in_mismatch');
  });
});

describe('an id token is rejected', () => {
  /** Makes the provider return this token for any code. */
  const returnToken = (token: Promise<string>) =>
    signIns.provider.serve('/token', async (_, response) => {
      const body = { access_token: 'x', token_type: 'Bearer', id_token: await token };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
    });

  it.each([
    ['it has the nonce of another sign-in', { nonce: 'x'.repeat(43) }],
    ['it has no nonce', {}],
    ['it is for another client', { aud: 'another' }],
    ['it is from another issuer', { iss: 'https://evil.example' }],
  ])('if %s', async (_, claims) => {
    const browser = await signIns.browser();
    const person = signIns.person();
    const response = await signIns.response(browser, person);
    returnToken(signIns.provider.idToken(signIns.client, { ...person, ...claims }));

    await expectRejected(browser, response, 'sign_in_mismatch');
  });

  it('if another provider has signed it', async () => {
    const browser = await signIns.browser();
    const { headers } = await browser.begin();
    const authorization = String(headers.location);
    const person = signIns.person();
    const response = await signIns.provider.authorize(authorization, person);
    const nonce = new URL(authorization).searchParams.get('nonce');
    returnToken(otherProvider.idToken(signIns.client, { ...person, nonce, iss: signIns.provider.issuer }));

    await expectRejected(browser, response, 'bad_credential');
  });
});

describe('a response of one provider', () => {
  it('is not accepted for another one, and its code is not sent there', async () => {
    const browser = await signIns.browser(signIns.settings(otherClient));
    const { headers } = await browser.begin('/', 'other');
    const response = await otherProvider.authorize(String(headers.location), otherProvider.person());
    const before = tokenRequests(signIns.provider);

    const atAcme = new URL(`${PUBLIC_URL}/session/provider/acme/callback${response.search}`);
    await expectRejected(browser, atAcme, 'sign_in_mismatch');

    expect(tokenRequests(signIns.provider)).toBe(before);
  });

  it('is not accepted if the browser was sent to another one', async () => {
    const browser = await signIns.browser(signIns.settings(otherClient));
    const { headers } = await browser.begin('/', 'other');
    const state = new URL(String(headers.location)).searchParams.get('state');
    // the other provider sends the browser on to this one, to receive the code of its user
    const forwarded = with_(new URL(String(headers.location)), {
      client_id: signIns.client.client_id,
      redirect_uri: `${PUBLIC_URL}/session/provider/acme/callback`,
    });
    const response = await signIns.provider.authorize(
      `${signIns.provider.issuer}/auth${forwarded.search}`,
      signIns.person(),
    );
    expect(response.searchParams.get('state')).toBe(state);
    const before = tokenRequests(otherProvider);

    const atOther = new URL(`${PUBLIC_URL}/session/provider/other/callback${response.search}`);
    await expectRejected(browser, atOther, 'sign_in_mismatch');

    expect(tokenRequests(otherProvider)).toBe(before);
  });
});

it('a code is not sent to a provider that the browser was not sent to, even if it does not name its issuer', async () => {
  const metadata = await (await fetch(`${otherProvider.issuer}/.well-known/openid-configuration`)).json();
  otherProvider.serve('/.well-known/openid-configuration', (_, response) => {
    const changedMembers = { ...(metadata as object), authorization_response_iss_parameter_supported: false };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(changedMembers));
  });
  const browser = await signIns.browser({ ...signIns.settings(otherClient), STRATA_SOCKETS_PER_ADDRESS: '997' });
  const response = with_(await signIns.response(browser), { iss: null });
  const before = tokenRequests(otherProvider);

  const atOther = new URL(`${PUBLIC_URL}/session/provider/other/callback${response.search}`);
  await expectRejected(browser, atOther, 'sign_in_mismatch');

  expect(tokenRequests(otherProvider)).toBe(before);
});

it('a page of another site cannot start a sign-in', async () => {
  const browser = await signIns.signedIn();

  const begun = await browser.open('/session/provider/acme', 'cross-site', 'config.example');

  expect([problemCode(begun), begun.setCookie]).toEqual(['other_origin', '']);
  expect((await browser.viewer()).status).toBe(200);
});

it('an error of the provider is shown by its kind, without the text of the provider', async () => {
  const browser = await signIns.browser();
  const canceled = await signIns.response(browser, null);
  expect(canceled.searchParams.get('error_description')).toContain('<b>');

  const finished = await browser.finish(canceled);

  expect(finished.headers.location).toBe('/sign-in?problem=provider_denied&back=%2Fprojects');
  const secondResult = await signIns.response(browser, null);
  const failed = await browser.finish(with_(secondResult, { error: 'server_error' }));
  expect(failed.headers.location).toBe('/sign-in?problem=provider_failed&back=%2Fprojects');
});

it('an unknown provider is reported', async () => {
  expect(problemCode(await (await signIns.browser()).begin('/', 'unknown'))).toBe('provider_unknown');
});
