import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { createIssuerFetch } from './issuer-fetch.ts';

const FORBIDDEN = { code: 'PRIVATE_ADDRESS' };

/** Metadata services of clouds, whose responses contain credentials of the machine, and other spellings of them. */
const METADATA_SERVICES = [
  'http://169.254.169.254/',
  'http://100.100.100.200/',
  'http://1684301000/',
  'http://[fd00:ec2::254]/',
  'http://[fd00:0ec2:0:0:0:0:0:254]/',
  'http://[::ffff:169.254.169.254]/',
  'http://[::ffff:100.100.100.200]/',
  'http://[fe80::1]/',
];

describe('a request to an issuer', () => {
  it.each(METADATA_SERVICES)('is never sent to %s, also if private addresses are allowed', async (url) => {
    for (const allowPrivate of [true, false]) {
      await expect(createIssuerFetch({ allowPrivate })(url)).rejects.toMatchObject(FORBIDDEN);
    }
  });

  it.each([
    'http://127.0.0.1:4000/',
    'http://10.0.0.1/',
    'http://[::1]:4000/',
    'http://[fd00::1]/',
    'http://100.64.0.1/',
  ])('is not sent to the private address %s unless the operator allows it', async (url) => {
    await expect(createIssuerFetch({ allowPrivate: false })(url)).rejects.toMatchObject(FORBIDDEN);
  });

  it('is not sent to a name with a private address', async () => {
    const rejected = createIssuerFetch({ allowPrivate: false })('http://localhost:4000/');
    await expect(rejected).rejects.toMatchObject({ cause: FORBIDDEN });
  });

  it.each([301, 302, 303, 307, 308])('fails instead of following a redirect with status %s', async (status) => {
    const requests: string[] = [];
    const server = http.createServer(({ url = '' }, response) => {
      requests.push(url);
      // ends, so that a request that follows redirects fails this test and does not wait
      if (requests.length > 1) response.end('{}');
      else response.writeHead(status, { location: '/elsewhere' }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/start`;
      await expect(createIssuerFetch({ allowPrivate: true })(url)).rejects.toThrow('fetch failed');
      expect(requests).toEqual(['/start']);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
