import { createHash } from 'node:crypto';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { startIdentityProvider, type TestIdentityProvider } from './test-identity-provider.ts';

let provider: TestIdentityProvider;

beforeAll(async () => {
  provider = await startIdentityProvider();
});
afterAll(() => provider.close());

it('signs people in with a code, and puts their claims into the id token', async () => {
  const client = await provider.register('acme', 'https://config.example');
  const ada = provider.person({ email: 'ada@example.com', groups: ['ops'] });
  const redirectUri = 'https://config.example/session/provider/acme/callback';
  const verifier = 'v'.repeat(43);
  const query = new URLSearchParams({
    client_id: client.client_id,
    response_type: 'code',
    scope: 'openid email profile',
    redirect_uri: redirectUri,
    state: 'state',
    nonce: 'nonce',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });

  const back = await provider.authorize(`${provider.issuer}/auth?${query}`, ada);

  expect(back.origin + back.pathname).toBe(redirectUri);
  const response = await fetch(`${provider.issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${client.client_id}:${client.client_secret}`)}` },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: back.searchParams.get('code') ?? '',
      redirect_uri: redirectUri,
      code_verifier: verifier,
    }),
  });
  const { id_token: token } = (await response.json()) as { id_token: string };
  const keys = createRemoteJWKSet(new URL(`${provider.issuer}/jwks`));
  const { payload } = await jwtVerify(token, keys, { issuer: provider.issuer, audience: client.client_id });
  expect(payload).toMatchObject({ ...ada, nonce: 'nonce' });
  await jwtVerify(await provider.idToken(client, { sub: ada.sub }), keys, { audience: client.client_id });
});
