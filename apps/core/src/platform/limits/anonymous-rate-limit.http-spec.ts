import { setTimeout as sleep } from 'node:timers/promises';
import { RawClient, type Reply, testCredentials } from '@strata/testkit';
import { type CoreInProcess, startCoreInProcess, startSecondCore } from '../../testing/core-in-process.ts';

const RATE = 60;
const BAD_KEY = `Api-Key abcd1234.${'x'.repeat(43)}`;

let core: CoreInProcess;
let behindOne: CoreInProcess;
let behindTwo: CoreInProcess;
beforeAll(async () => {
  core = await startCoreInProcess();
  const settings = { STRATA_RATE_PER_ADDRESS: String(RATE) };
  behindOne = await startSecondCore(core, { ...settings, STRATA_TRUST_PROXY: '1' });
  behindTwo = await startSecondCore(core, { ...settings, STRATA_TRUST_PROXY: '2' });
});
afterAll(async () => {
  await behindTwo.close();
  await behindOne.close();
  await core.close();
});

const from = (forwarded: string) => ({ 'x-forwarded-for': forwarded });
const anonymous = () => new RawClient(behindOne.origin, null);

/** Sends requests until one is rejected. The limit allows one more request for each second that the test takes. */
async function untilRateLimited(ask: (n: number) => Promise<Reply<unknown>>) {
  for (let n = 0; n < 10 * RATE; n += 1) {
    const response = await ask(n);
    if (response.status === 429) return { allowed: n, reply: response };
  }
  throw new Error('No request was limited.');
}

const useUp = (address: string, path = 'environments/') => untilRateLimited(() => anonymous().get(path, from(address)));

describe('requests without a credential', () => {
  it('get 429 beyond the rate of an address, which does not affect other addresses', async () => {
    const { allowed, reply } = await useUp('192.0.2.1');

    expect(allowed).toBeGreaterThanOrEqual(RATE);
    expect(reply.body).toEqual({ detail: expect.stringContaining('The request had no effect') });
    expect(reply.headers).toMatchObject({
      'x-error-code': 'rate_limited',
      'ratelimit-policy': `"address";q=${RATE};w=60`,
      ratelimit: expect.stringMatching(/^"address";r=0;t=[1-9]\d*$/),
      'x-request-id': expect.any(String),
    });
    expect((await anonymous().get('environments/', from('192.0.2.2'))).status).toBe(401);
    await sleep(Number(reply.headers['retry-after']) * 1_000);
    expect((await anonymous().get('environments/', from('192.0.2.1'))).status).toBe(401);
  });

  it.each(['nowhere/', 'features/', '/api/schema/'])('are limited on every route: %s', async (path) => {
    const { allowed } = await useUp(`192.0.2.${path.length + 10}`, path);
    expect(allowed).toBeGreaterThanOrEqual(RATE);
  });

  it('include sign-ins, with the right password or a wrong one', async () => {
    const { ownerEmail: email, ownerPassword: password } = testCredentials();
    await useUp('192.0.2.40');
    const { reply } = await untilRateLimited(() =>
      anonymous().post('auth/token/', { email, password }, from('192.0.2.40')),
    );
    expect(reply.headers['x-error-code']).toBe('rate_limited');
  });

  it('are counted by the address that the trusted proxies report, and other forwarded addresses are ignored', async () => {
    const client = new RawClient(behindTwo.origin, null);
    const { allowed } = await untilRateLimited((n) =>
      client.get('environments/', from(`198.51.100.${n % 250}, 192.0.2.50, 10.0.0.${n % 250}`)),
    );

    expect(allowed).toBeGreaterThanOrEqual(RATE);
    expect((await client.get('environments/', from('192.0.2.50, 192.0.2.51, 10.0.0.1'))).status).toBe(401);
  });

  it('are counted per network for IPv6', async () => {
    const { allowed } = await untilRateLimited((n) =>
      anonymous().get('environments/', from(`2001:db8:0:1::${(n + 1).toString(16)}`)),
    );

    expect(allowed).toBeLessThan(10 * RATE);
    expect((await anonymous().get('environments/', from('2001:db8:0:2::1'))).status).toBe(401);
  });
});

it('a request with an invalid credential counts, and so does a request to a public route', async () => {
  const bad = new RawClient(behindOne.origin, BAD_KEY);
  for (const [path, status] of [
    ['environments/', 403],
    ['features/', 200],
  ] as const) {
    expect((await bad.get(path, from('192.0.2.60'))).status).toBe(status);
  }
  for (const path of ['environments/', 'features/']) {
    await untilRateLimited(() => bad.get(path, from('192.0.2.60')));
  }
});

it('a request with a valid credential from the same address succeeds and does not count', async () => {
  const organization = await core.organization();
  const withCredential = new RawClient(behindOne.origin, await organization.authorization('VIEWER'));
  for (let n = 0; n < 2 * RATE; n += 1) {
    expect((await withCredential.get('environments/', from('192.0.2.70'))).status).toBe(200);
  }
  expect((await useUp('192.0.2.70')).allowed).toBeGreaterThanOrEqual(RATE);

  expect((await withCredential.get('environments/', from('192.0.2.70'))).status).toBe(200);
});

it('health checks always succeed', async () => {
  await useUp('192.0.2.80');
  for (let n = 0; n < 2 * RATE; n += 1) {
    for (const path of ['/healthz', '/readyz']) {
      expect((await anonymous().get(path, from('192.0.2.80'))).status).toBe(200);
    }
  }
});
