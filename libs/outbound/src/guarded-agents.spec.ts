import http from 'node:http';
import { addressGuard } from './address-guard.ts';
import { guardedAgents } from './guarded-agents.ts';

const FORBIDDEN = { code: 'PRIVATE_ADDRESS' };

/** Sends a request as SDKs do. */
function send(allowPrivate: boolean, url: string): Promise<number | undefined> {
  const agents = guardedAgents(addressGuard({ allowPrivate, setting: 'STRATA_PRIVATE_DESTINATIONS' }), 1);
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
  ])('is never sent to %s, also if private addresses are allowed', async (url) => {
    for (const allowPrivate of [true, false]) {
      await expect(send(allowPrivate, url)).rejects.toMatchObject(FORBIDDEN);
    }
  });

  it.each(['http://127.0.0.1:9/', 'http://10.0.0.1/', 'http://[::1]:9/', 'http://localhost:9/'])(
    'is not sent to the private address %s unless the operator allows it',
    async (url) => {
      await expect(send(false, url)).rejects.toMatchObject(FORBIDDEN);
    },
  );

  it('is sent to a loopback address if the operator allows private ones', async () => {
    await expect(send(true, 'http://127.0.0.1:9/')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
