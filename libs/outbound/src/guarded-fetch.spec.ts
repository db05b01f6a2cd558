import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { addressGuard } from './address-guard.ts';
import { COMPRESSED_RESPONSE, createGuardedFetch } from './guarded-fetch.ts';

const encodings: unknown[] = [];
let reply: http.RequestListener = () => undefined;
const server = http.createServer((request, response) => {
  encodings.push(request.headers['accept-encoding']);
  reply(request, response);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
const outbound = createGuardedFetch(addressGuard({ allowPrivate: true, setting: 'STRATA_PRIVATE_DESTINATIONS' }));
afterAll(() => {
  outbound.destroy();
  server.closeAllConnections();
  server.close();
});

describe('a response', () => {
  it('is requested without compression, whatever the caller requests, and with its other headers', async () => {
    reply = (request, response) => response.end(request.headers['user-agent']);
    const response = await outbound.fetch(url, { headers: { 'accept-encoding': 'gzip', 'user-agent': 'strata' } });
    expect([encodings.at(-1), await response.text()]).toEqual(['identity', 'strata']);
  });

  it.each(['gzip', 'br', 'unknown'])(
    'with the encoding %s is rejected: a small one could fill the memory',
    async (encoding) => {
      reply = (_request, response) => response.writeHead(200, { 'content-encoding': encoding }).end(gzipSync('{}'));
      await expect(outbound.fetch(url)).rejects.toMatchObject({ code: COMPRESSED_RESPONSE });
    },
  );

  it('is not read beyond a mebibyte', async () => {
    reply = (_request, response) => response.end('x'.repeat(1_048_577));
    await expect(outbound.fetch(url).then((response) => response.text())).rejects.toThrow();
  });
});
