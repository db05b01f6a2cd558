import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { MaskedClient } from './masked-client.ts';

const requests: string[] = [];
const server = http.createServer((request, response) => {
  requests.push(`${request.method} ${request.url}`);
  response.setHeader('x-request-id', 'r').end('{}');
});
let client: MaskedClient;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  client = new MaskedClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'Api-Key k');
});
afterAll(() => void server.close());
beforeEach(() => void requests.splice(0));

test('masks secrets in every request, even if its caller requests the opposite', async () => {
  await client.get('effective/', { project: 'shop', mask_secrets: false });
  await client.send('GET', 'search/', { query: { mask_secrets: 'false' } });
  await client.reply('GET', 'effective/', { query: { mask_secrets: false } });
  expect(requests).toEqual([
    'GET /api/v1/effective/?project=shop&mask_secrets=true',
    'GET /api/v1/search/?mask_secrets=true',
    'GET /api/v1/effective/?mask_secrets=true',
  ]);
});

test('sends no request that writes', async () => {
  const rejected = [
    client.post('changesets/', {}),
    client.post('changesets/12/revert/', {}),
    client.post('changesets/plan/../', {}),
    client.post('changesets/plan/?x=', {}),
    client.get('effective/?mask_secrets=false&x='),
    client.send('DELETE', 'auth/session/'),
    client.reply('POST', 'changesets/', { body: {} }),
    client.send('DELETE', 'changesets/plan/'),
  ];
  const results = await Promise.allSettled(rejected.map(async (request) => request));
  expect(results.map(({ status }) => status)).toEqual(rejected.map(() => 'rejected'));
  expect(requests).toEqual([]);
  await client.post('changesets/plan/', { operations: [] }, { query: { assume_write: false } });
  expect(requests).toEqual(['POST /api/v1/changesets/plan/?assume_write=true']);
});
