import type { LoggerService } from '@nestjs/common';
import { type ProviderClient, startIdentityProvider, type TestIdentityProvider } from '@strata/testkit';
import { readEnv } from '../env.ts';
import { createGateway } from '../gateway.ts';
import { BrowserLike } from '../testing/browser-like.ts';
import { ProviderBrowser, ProviderSignIns, PUBLIC_URL, problemCode } from '../testing/provider-sign-ins.ts';

const METADATA = '/.well-known/openid-configuration';

let signIns: ProviderSignIns;
let otherProvider: TestIdentityProvider;
let otherClient: ProviderClient;

beforeAll(async () => {
  signIns = await ProviderSignIns.begin();
});
beforeEach(async () => {
  otherProvider = await startIdentityProvider();
  otherClient = await otherProvider.register('other', PUBLIC_URL);
});
afterEach(() => otherProvider.close());
afterAll(() => signIns.end());

/** A browser at a gateway that has not fetched the metadata of the other provider. */
const newBrowser = () => signIns.browser(signIns.settings(otherClient));

async function problemOfOther(browser?: ProviderBrowser): Promise<string | null> {
  return problemCode(await (browser ?? (await newBrowser())).begin('/', 'other'));
}

describe('an identity provider that is down', () => {
  it('is reported, does not affect other providers and readiness, and works once it is up', async () => {
    await otherProvider.down();
    const browser = await newBrowser();

    expect(await problemOfOther(browser)).toBe('provider_unavailable');

    const url = await signIns.sessions.gatewayWith(signIns.settings(otherClient));
    expect((await new BrowserLike(url).send('GET', '/readyz')).status).toBe(200);
    expect((await browser.begin('/', 'acme')).status).toBe(302);
    await otherProvider.up();
    expect((await browser.begin('/', 'other')).status).toBe(302);
  });

  it('is reported if it stops before it returns the token', async () => {
    const browser = await newBrowser();
    const { headers } = await browser.begin('/', 'other');
    const response = await otherProvider.authorize(String(headers.location), otherProvider.person());
    await otherProvider.down();

    expect(problemCode(await browser.finish(response))).toBe('provider_unavailable');
  });

  it('does not prevent users from signing out of Strata', async () => {
    const browser = await signIns.signedIn();
    // a gateway that does not know the metadata
    const url = await signIns.sessions.gatewayWith({ ...signIns.settings(), STRATA_SOCKETS_PER_ADDRESS: '998' });
    const another = new ProviderBrowser(url);
    another.cookie = browser.cookie;
    await signIns.provider.down();
    try {
      expect((await another.send('DELETE', '/session')).body).toEqual({ signedIn: false });
    } finally {
      await signIns.provider.up();
    }
    expect((await browser.viewer()).status).toBe(401);
  });
});

describe('the metadata of an identity provider is rejected', () => {
  it.each(['127.0.0.1', 'localhost'] as const)('if %s is a private address, without a connection', async (host) => {
    const provider = await startIdentityProvider(host);
    const client = await provider.register('other', PUBLIC_URL);
    const browser = await signIns.browser({ ...signIns.settings(client), STRATA_PRIVATE_ISSUERS: 'false' });

    expect(await problemOfOther(browser)).toBe('provider_misconfigured');
    expect(provider.requests()).toEqual([]);
    await provider.close();
  });

  it.each([
    [
      'is longer than one megabyte',
      200,
      'application/json',
      `{"x":"${'x'.repeat(2_000_000)}"}`,
      'provider_unavailable',
    ],
    ['is not JSON', 200, 'text/html', '<h1>Please wait</h1>', 'provider_unavailable'],
    ['is an error', 503, 'application/json', '{}', 'provider_unavailable'],
    ['names another issuer', 200, 'application/json', '{"issuer":"https://evil.example"}', 'provider_misconfigured'],
  ])('if it %s', async (_, status, type, body, problem) => {
    otherProvider.serve(METADATA, (_request, response) =>
      response.writeHead(status, { 'content-type': type }).end(body),
    );

    expect(await problemOfOther()).toBe(problem);
  });

  it('if it redirects to another address', async () => {
    otherProvider.serve(METADATA, (_, response) =>
      response.writeHead(302, { location: signIns.provider.issuer + METADATA }).end(),
    );
    const before = signIns.provider.requests().length;

    expect(await problemOfOther()).toBe('provider_unavailable');
    expect(signIns.provider.requests().length).toBe(before);
  });

  it('if it does not arrive in time', async () => {
    otherProvider.serve(METADATA, (_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).write('{'),
    );

    expect(await problemOfOther()).toBe('provider_unavailable');
  });

  it('if its addresses are scripts', async () => {
    const endpoints = {
      authorization_endpoint: 'javascript:alert(1)',
      token_endpoint: `${otherProvider.issuer}/token`,
    };
    otherProvider.serve(METADATA, (_, response) =>
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ issuer: otherProvider.issuer, jwks_uri: `${otherProvider.issuer}/jwks`, ...endpoints })),
    );

    expect(await problemOfOther()).toBe('provider_misconfigured');
  });
});

it('a wrong client secret is reported as an error of the settings', async () => {
  const browser = await signIns.browser(signIns.settings({ ...otherClient, client_secret: 'wrong' }));
  const { headers } = await browser.begin('/', 'other');
  const response = await otherProvider.authorize(String(headers.location), otherProvider.person());

  expect(problemCode(await browser.finish(response))).toBe('provider_misconfigured');
});

it('the log names the provider and the kind of a failure, but contains no credential', async () => {
  const lines: unknown[] = [];
  const record = (...line: unknown[]) => void lines.push(line);
  const logger: LoggerService = { log: record, error: record, warn: record };
  const env = readEnv({
    ...signIns.settings({ ...otherClient, client_secret: 'a-wrong-secret' }),
    STRATA_CONSOLE: 'off',
  });
  const gateway = await createGateway(env, { logger });
  await gateway.listen(0, '127.0.0.1');
  try {
    const browser = new ProviderBrowser(await gateway.url());
    const response = await signIns.response(browser);
    const replayed = new ProviderBrowser(await gateway.url());
    replayed.cookie = browser.cookie;
    await browser.finish(response);
    const signedIn = browser.cookie;
    await replayed.finish(response);
    const { body } = await browser.send('DELETE', '/session');
    const { headers } = await browser.begin('/', 'other');
    await browser.finish(await otherProvider.authorize(String(headers.location), otherProvider.person()));

    const text = JSON.stringify(lines);
    expect(text).toContain('Identity provider acme: sign_in_mismatch (OAUTH_RESPONSE_BODY_ERROR, invalid_grant)');
    expect(text).toContain('Identity provider other: provider_misconfigured');
    const requested = new URL(String(headers.location)).searchParams;
    const secrets = [
      ...['code', 'state'].map((name) => response.searchParams.get(name)),
      ...['state', 'nonce', 'code_challenge'].map((name) => requested.get(name)),
      new URL(body.logoutUrl).searchParams.get('id_token_hint'),
      signedIn.split('=').at(-1),
      signIns.client.client_secret,
      'a-wrong-secret',
    ];
    for (const secret of secrets) {
      expect(secret).toBeTruthy();
      expect(text).not.toContain(secret);
    }
  } finally {
    await gateway.close();
  }
});
