import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { addressGuard } from './address-guard.ts';
import { createGuardedAgents } from './guarded-agents.ts';

const FORBIDDEN = { code: 'PRIVATE_ADDRESS' };

/** Sends a request as SDKs do. */
function send(allowPrivate: boolean, url: string): Promise<number | undefined> {
  const agents = createGuardedAgents(addressGuard({ allowPrivate, setting: 'STRATA_PRIVATE_DESTINATIONS' }), 1);
  return new Promise<number | undefined>((resolve, reject) => {
    const request = http.get(url, { agent: agents.httpAgent }, (response) => resolve(response.resume().statusCode));
    request.once('error', reject);
  }).finally(() => agents.destroy());
}

describe('a request of an SDK', () => {
  it.each([
    'http://169.254.169.254/',
    'http://100.100.100.200/',
    'http://[fd00:ec2::254]/',
    'http://[::ffff:169.254.169.254]/',
    'http://[fe80::1]/',
    // addresses that a gateway translates to 169.254.169.254
    'http://[64:ff9b::a9fe:a9fe]/',
    'http://[64:ff9b:1::a9fe:a9fe]/',
    'http://[64:ff9b:1:a9fe:a9:fe00::]/',
    'http://[2002:a9fe:a9fe::1]/',
    'http://[2001::5601:5601]/',
    'http://[::a9fe:a9fe]/',
    'http://[::ffff:0:a9fe:a9fe]/',
    'http://[64:ff9b::6464:64c8]/',
  ])('is never sent to %s, also if private addresses are allowed', async (url) => {
    for (const allowPrivate of [true, false]) {
      await expect(send(allowPrivate, url)).rejects.toMatchObject(FORBIDDEN);
    }
  });

  it.each([
    ...['http://127.0.0.1:9/', 'http://10.0.0.1/', 'http://[::1]:9/', 'http://localhost:9/'],
    ...['http://[64:ff9b::a00:1]/', 'http://[64:ff9b::7f00:1]/'],
  ])('is not sent to the private address %s unless the operator allows it', async (url) => {
    await expect(send(false, url)).rejects.toMatchObject(FORBIDDEN);
  });

  it('may be sent to a public address that a gateway translates', () => {
    const guard = addressGuard({ allowPrivate: false, setting: 'STRATA_PRIVATE_DESTINATIONS' });
    expect(() => guard.assertHost({ hostname: '[64:ff9b::808:808]' })).not.toThrow();
  });

  it('is sent to a loopback address if the operator allows private ones', async () => {
    await expect(send(true, 'http://127.0.0.1:9/')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});

describe('a request of an SDK whose fence', () => {
  const received: string[] = [];
  const server = http.createServer((request, response) => {
    received.push(request.url ?? '');
    // A request to /wait gets no response.
    if (request.url !== '/wait') response.end();
  });
  let port = 0;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const closing = new AbortController();
  let isOpen = true;
  const guard = addressGuard({
    allowPrivate: true,
    setting: 'STRATA_PRIVATE_DESTINATIONS',
    fence: { isOpen: () => isOpen, signal: closing.signal },
  });
  const agents = createGuardedAgents(guard, 1);
  const get = (path: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const url = `http://127.0.0.1:${port}${path}`;
      const request = http.get(url, { agent: agents.httpAgent }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode));
      });
      request.once('error', reject);
    });

  it('closes ends, and none is sent afterwards, also on a connection that is open', async () => {
    expect(await get('/open')).toBe(200);
    isOpen = false;
    await expect(get('/late')).rejects.toMatchObject({ code: 'FENCE_CLOSED' });
    isOpen = true;
    expect(await get('/open')).toBe(200);

    const waiting = get('/wait');
    await new Promise((resolve) => server.once('request', resolve));
    closing.abort();

    await expect(waiting).rejects.toMatchObject({ code: 'FENCE_CLOSED' });
    expect(received).toEqual(['/open', '/open', '/wait']);
    agents.destroy();
  });
});
