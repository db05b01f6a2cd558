import { setTimeout as sleep } from 'node:timers/promises';
import { RawClient, type Reply, testCredentials } from '@strata/testkit';
import { type CoreInProcess, coreBeside, startCoreInProcess } from '../../testing/core-in-process.ts';

const RATE = 60;
const BAD_KEY = `Api-Key abcd1234.${'x'.repeat(43)}`;

let core: CoreInProcess;
let behindOne: CoreInProcess;
let behindTwo: CoreInProcess;
beforeAll(async () => {
  core = await startCoreInProcess();
  const settings = { STRATA_RATE_PER_ADDRESS: String(RATE) };
  behindOne = await coreBeside(core, { ...settings, STRATA_TRUST_PROXY: '1' });
  behindTwo = await coreBeside(core, { ...settings, STRATA_TRUST_PROXY: '2' });
});
afterAll(async () => {
  await behindTwo.close();
  await behindOne.close();
  await core.close();
});

const from = (forwarded: string) => ({ 'x-forwarded-for': forwarded });
const stranger = () => new RawClient(behindOne.origin, null);

/** Asks until it is refused; with each second that the machine needs, one more is allowed. */
async function untilRefused(ask: (n: number) => Promise<Reply<unknown>>) {
  for (let n = 0; n < 10 * RATE; n += 1) {
    const reply = await ask(n);
    if (reply.status === 429) return { allowed: n, reply };
  }
  throw new Error('Nothing was refused.');
}

const useUp = (address: string, path = 'environments/') => untilRefused(() => stranger().get(path, from(address)));

describe('requests without a credential', () => {
  it('are refused with 429 beyond the rate of their address, which others do not notice', async () => {
    const { allowed, reply } = await useUp('192.0.2.1');

    expect(allowed).toBeGreaterThanOrEqual(RATE);
    expect(reply.body).toEqual({ detail: expect.stringContaining('Nothing was done') });
    expect(reply.headers).toMatchObject({
      'x-error-code': 'rate_limited',
      'ratelimit-policy': `"address";q=${RATE};w=60`,
      ratelimit: expect.stringMatching(/^"address";r=0;t=[1-9]\d*$/),
      'x-request-id': expect.any(String),
    });
    expect((await stranger().get('environments/', from('192.0.2.2'))).status).toBe(401);
    await sleep(Number(reply.headers['retry-after']) * 1_000);
    expect((await stranger().get('environments/', from('192.0.2.1'))).status).toBe(401);
  });

  it.each(['nowhere/', 'features/', '/api/schema/'])('are refused wherever they lead: %s', async (path) => {
    const { allowed } = await useUp(`192.0.2.${path.length + 10}`, path);
    expect(allowed).toBeGreaterThanOrEqual(RATE);
  });

  it('are refused when they sign in, right password or not', async () => {
    const { ownerEmail: email, ownerPassword: password } = testCredentials();
    await useUp('192.0.2.40');
    const { reply } = await untilRefused(() => stranger().post('auth/token/', { email, password }, from('192.0.2.40')));
    expect(reply.headers['x-error-code']).toBe('rate_limited');
  });

  it('count by the address that the believed proxies saw, whatever else is claimed', async () => {
    const client = new RawClient(behindTwo.origin, null);
    const { allowed } = await untilRefused((n) =>
      client.get('environments/', from(`198.51.100.${n % 250}, 192.0.2.50, 10.0.0.${n % 250}`)),
    );

    expect(allowed).toBeGreaterThanOrEqual(RATE);
    expect((await client.get('environments/', from('192.0.2.50, 192.0.2.51, 10.0.0.1'))).status).toBe(401);
  });

  it('count for a whole network of IPv6', async () => {
    const { allowed } = await untilRefused((n) =>
      stranger().get('environments/', from(`2001:db8:0:1::${(n + 1).toString(16)}`)),
    );

    expect(allowed).toBeLessThan(10 * RATE);
    expect((await stranger().get('environments/', from('2001:db8:0:2::1'))).status).toBe(401);
  });
});

it('a credential that is no good does not help, nor one where none is needed', async () => {
  const bad = new RawClient(behindOne.origin, BAD_KEY);
  for (const [path, status] of [
    ['environments/', 403],
    ['features/', 200],
  ] as const) {
    expect((await bad.get(path, from('192.0.2.60'))).status).toBe(status);
  }
  for (const path of ['environments/', 'features/']) {
    await untilRefused(() => bad.get(path, from('192.0.2.60')));
  }
});

it('whoever shows a good credential goes on behind the same address, and takes nothing of it', async () => {
  const organization = await core.organization();
  const known = new RawClient(behindOne.origin, await organization.authorization('VIEWER'));
  for (let n = 0; n < 2 * RATE; n += 1) {
    expect((await known.get('environments/', from('192.0.2.70'))).status).toBe(200);
  }
  expect((await useUp('192.0.2.70')).allowed).toBeGreaterThanOrEqual(RATE);

  expect((await known.get('environments/', from('192.0.2.70'))).status).toBe(200);
});

it('whoever watches the process is always answered', async () => {
  await useUp('192.0.2.80');
  for (let n = 0; n < 2 * RATE; n += 1) {
    for (const path of ['/healthz', '/readyz']) {
      expect((await stranger().get(path, from('192.0.2.80'))).status).toBe(200);
    }
  }
});
