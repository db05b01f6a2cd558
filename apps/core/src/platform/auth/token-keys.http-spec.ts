import { createPrivateKey, createPublicKey } from 'node:crypto';
import type { AuthToken, User } from '@strata/contract';
import { RawClient, testCredentials } from '@strata/testkit';
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, type JSONWebKeySet, jwtVerify, SignJWT } from 'jose';
import pg from 'pg';
import {
  type CoreInProcess,
  moduleOfCore,
  startCoreInProcess,
  startSecondCore,
} from '../../testing/core-in-process.ts';
import { query } from '../../testing/query.ts';
import { waitUntil } from '../../testing/until.ts';
import { readRootKeys } from '../vault/root-key.ts';
import { requireServiceKeys } from '../vault/service-keys.ts';

let core: CoreInProcess;
let otherCore: CoreInProcess;
beforeAll(async () => {
  core = await startCoreInProcess();
  otherCore = await startSecondCore(core);
});
afterAll(async () => {
  await otherCore?.close();
  await core?.close();
});

const { ownerEmail: email, ownerPassword: password, rootKey } = testCredentials();

async function signIn({ origin } = core): Promise<string> {
  const { body } = await new RawClient(origin, null).post<AuthToken>('auth/token/', { email, password });
  return body.access_token;
}

/** Cores read their keys every 10 s, and recognize a token that they have verified for 60 s. */
const REVOKED_MS_MAX = 25_000;

const statuses = (token: string) =>
  Promise.all(
    [core, otherCore].map(
      async ({ origin }) => (await new RawClient(origin, `Bearer ${token}`).get<User>('users/current/')).status,
    ),
  );
const eventually = (token: string, status: number) =>
  waitUntil(
    () => statuses(token),
    (current) => current.every((value) => value === status),
  );

const publishedKeys = async (): Promise<JSONWebKeySet> =>
  (await (await fetch(`${core.origin}/.well-known/jwks.json`)).json()) as JSONWebKeySet;
const publishedIds = async () => (await publishedKeys()).keys.map(({ kid }) => kid);
const keyId = (token: string) => decodeProtectedHeader(token).kid;

/** Verifies a token as a program of others does, with a library of others and the published keys only. */
async function verifyElsewhere(token: string) {
  const keys = createRemoteJWKSet(new URL(`${core.origin}/.well-known/jwks.json`));
  return (await jwtVerify(token, keys, { issuer: 'strata', audience: 'strata', algorithms: ['ES256'] })).payload;
}

async function rotate(isRevocation = false): Promise<string> {
  const { rotateTokenKey } = await moduleOfCore<typeof import('./rotate-token-key.ts')>(
    './platform/auth/rotate-token-key.js',
  );

  const client = new pg.Client({ connectionString: core.database.url });
  await client.connect();
  try {
    return await rotateTokenKey(client, readRootKeys({ STRATA_ROOT_KEY: rootKey }), isRevocation);
  } finally {
    await client.end();
  }
}

/** Returns the key with which the release before signs and verifies all tokens. */
async function initialKey() {
  const rootKeys = readRootKeys({ STRATA_ROOT_KEY: rootKey });
  const serviceKeys = await requireServiceKeys((sql) => query(core, sql), rootKeys);
  return createPrivateKey({ key: serviceKeys.tokenKey() as never, format: 'jwk' });
}

/** Signs the claims of a token as the release before did: without the id of a key. */
async function withoutKeyId(token: string): Promise<string> {
  return new SignJWT(decodeJwt(token)).setProtectedHeader({ alg: 'ES256', typ: 'JWT' }).sign(await initialKey());
}

describe('the keys of tokens', () => {
  it('are published, and name the key of each token, so that others can verify it', async () => {
    const token = await signIn();
    const response = await fetch(`${core.origin}/api/.well-known/jwks.json`);

    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'public, max-age=300']);
    const { keys } = (await response.json()) as JSONWebKeySet;
    expect(keys).toEqual([
      {
        kty: 'EC',
        crv: 'P-256',
        x: expect.any(String),
        y: expect.any(String),
        kid: keyId(token),
        alg: 'ES256',
        use: 'sig',
      },
    ]);
    expect(await verifyElsewhere(token)).toMatchObject({ iss: 'strata', organization: expect.any(String) });
  });

  it('work beside the release before: each accepts the tokens of the other', async () => {
    const token = await signIn();

    const publicKey = createPublicKey(await initialKey());
    expect((await jwtVerify(token, publicKey)).payload.sub).toEqual(expect.any(String));
    expect(await statuses(await withoutKeyId(token))).toEqual([200, 200]);
  });

  it('do not rotate while cores of the release before may run', async () => {
    await query(core, 'update schema_compatibility set serves_cores_from = 16');
    await expect(rotate()).rejects.toThrow('strata migrate --enforce');
    await query(core, 'update schema_compatibility set serves_cores_from = 61');
    expect(await publishedIds()).toHaveLength(1);
  });

  it('rotate without invalidating a token: the next one is published first, and the previous one verifies until the end', async () => {
    const first = await signIn();
    const early = await withoutKeyId(first);
    expect(await rotate()).toContain('signs tokens in 10 minutes');
    await expect(rotate()).rejects.toThrow('not complete');

    const ids = await waitUntil(publishedIds, (current) => current.length === 2);
    expect(ids).toContain(keyId(first));
    expect(keyId(await signIn())).toBe(keyId(first));
    const [next] = ids.filter((id) => id !== keyId(first));
    await query(core, `update token_signing_key set signs_from = clock_timestamp() where id = $1`, [next]);
    const second = await waitUntil(signIn, (token) => keyId(token) === next);
    const beside = await waitUntil(
      () => signIn(otherCore),
      (token) => keyId(token) === next,
    );

    for (const token of [first, early, second, beside]) expect(await statuses(token)).toEqual([200, 200]);
    for (const token of [first, second]) expect(await verifyElsewhere(token)).toHaveProperty('sub');

    await query(core, `update token_signing_key set verifies_until = clock_timestamp() where id = $1`, [keyId(first)]);
    await eventually(first, 403);
    await eventually(early, 403);
    expect(await statuses(second)).toEqual([200, 200]);
    expect(await publishedIds()).toEqual([next]);
    await expect(verifyElsewhere(first)).rejects.toThrow('no applicable key');
  });

  it('are revoked at once after a leak', async () => {
    const leaked = await signIn();
    expect(await statuses(leaked)).toEqual([200, 200]);

    expect(await rotate(true)).toContain('rejected within 10 seconds');

    const token = await waitUntil(signIn, (current) => keyId(current) !== keyId(leaked));
    // Requests of the same person with another token keep their identity cached.
    const deadline = performance.now() + REVOKED_MS_MAX;
    let rejections = await statuses(leaked);
    while (rejections.includes(200) && performance.now() < deadline) {
      expect(await statuses(token)).toEqual([200, 200]);
      rejections = await statuses(leaked);
    }
    expect(rejections).toEqual([403, 403]);
    expect(await publishedIds()).toEqual([keyId(token)]);
  });

  it('are not accepted from the token itself', async () => {
    const token = await signIn();
    const { payload } = await jwtVerify(token, createRemoteJWKSet(new URL(`${core.origin}/.well-known/jwks.json`)));
    for (const header of [{ kid: 'unknown' }, { kid: keyId(token), jwk: (await publishedKeys()).keys[0] }]) {
      const forged = await new SignJWT(payload)
        .setProtectedHeader({ alg: 'ES256', typ: 'JWT', ...header } as never)
        .sign(await initialKey());
      expect(await statuses(forged)).toEqual([403, 403]);
    }
  });
});
