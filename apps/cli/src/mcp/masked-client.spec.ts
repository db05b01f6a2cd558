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
  await client.call('effective_list', { query: { project: 'shop', mask_secrets: false } });
  await client.send('search_list', { query: { mask_secrets: 'false' } });
  await client.reply('changesets_retrieve', { path: { revision: '7/?mask_secrets=false' } });
  expect(requests).toEqual([
    'GET /api/v1/effective/?project=shop&mask_secrets=true',
    'GET /api/v1/search/?mask_secrets=true',
    'GET /api/v1/changesets/7%2F%3Fmask_secrets%3Dfalse/?mask_secrets=true',
  ]);
});

test('sends no request that reveals secrets', async () => {
  const path = { id: 'p' };
  await expect(client.reply('projects_effective_stream', { path, query: { reveal: true } })).rejects.toThrow('reveal');
  expect(requests).toEqual([]);
});

test('sends no request that writes', async () => {
  const rejected = [
    client.call('changesets_create', { body: { operations: [] } }),
    client.call('changesets_revert_create', { path: { revision: '12' } }),
    client.call('changesets_revert_plan_create', { path: { revision: '12' } }),
    client.call('auth_session_destroy'),
    client.send('projects_destroy', { path: { id: 'p' } }),
    client.reply('changesets_create', { body: {} }),
  ];
  const results = await Promise.allSettled(rejected);
  expect(results.map(({ status }) => status)).toEqual(rejected.map(() => 'rejected'));
  expect(requests).toEqual([]);
  await client.call('changesets_plan_create', { body: { operations: [] }, query: { assume_write: false } });
  expect(requests).toEqual(['POST /api/v1/changesets/plan/?assume_write=true']);
});
