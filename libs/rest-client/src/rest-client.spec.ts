import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CorePool } from './core-pool.ts';
import { RestClient } from './rest-client.ts';

type Handler = (request: IncomingMessage & { readonly text: string }, response: ServerResponse) => void;

let server: Server;
let pool: CorePool;
let client: RestClient;
let handler: Handler;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    handler(Object.assign(request, { text }), response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  pool = new CorePool(`http://127.0.0.1:${port}`);
  client = new RestClient({
    pool,
    authorization: 'Api-Key a.b',
    headers: { 'x-request-id': 'r1', 'x-forwarded-for': '10.0.0.1' },
  });
});

afterAll(async () => {
  await pool.close();
  server.closeAllConnections();
  server.close();
});

const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

const PATH = '/api/v1/environments/e/';
const CREATION = { method: 'POST', path: '/api/v1/environments/', body: { name: 'x' } } as const;

describe('RestClient', () => {
  it('sends the credential, the forwarded headers and only the requested query', async () => {
    const seen: unknown[] = [];
    handler = (request, response) => {
      seen.push(request.method, request.url, request.headers);
      json(response, 200, { count: 0, next: null, previous: null, results: [] });
    };
    const query = { name: 'a b', id__in: ['1', '2'], parent__name: undefined };
    await client.request({ method: 'GET', path: '/api/v1/environments/', query });
    expect(seen).toMatchObject([
      'GET',
      '/api/v1/environments/?name=a%20b&id__in=1%2C2',
      { authorization: 'Api-Key a.b', 'x-request-id': 'r1', 'x-forwarded-for': '10.0.0.1' },
    ]);
  });

  it('sends bodies as JSON, with a condition', async () => {
    let seen: unknown;
    handler = (request, response) => {
      seen = { method: request.method, headers: request.headers, body: JSON.parse(request.text) };
      json(response, 200, { id: 'e' });
    };
    await client.request({ method: 'PATCH', path: PATH, body: { description: 'ü' }, ifMatch: '"1"' });
    expect(seen).toMatchObject({
      method: 'PATCH',
      headers: { 'content-type': 'application/json', 'if-match': '"1"' },
      body: { description: 'ü' },
    });
  });

  it('returns the version and the revision of the response', async () => {
    handler = (_, response) => json(response, 200, { values: { a: 'b' } }, { etag: '"d"', 'x-revision': '8' });
    const httpResponse = await client.request({ method: 'GET', path: PATH });
    expect(httpResponse).toMatchObject({ status: 200, etag: '"d"', body: { values: { a: 'b' } }, revision: 8 });
  });

  it('needs no body to delete', async () => {
    handler = (_, response) => response.writeHead(204).end();
    await expect(client.request({ method: 'DELETE', path: PATH })).resolves.toMatchObject({ status: 204, body: null });
  });

  it('throws the error of the core', async () => {
    handler = (_, response) => json(response, 400, { name: ['Taken.'] }, { 'x-error-code': 'duplicate_name' });
    await expect(client.request(CREATION)).rejects.toMatchObject({
      kind: 'invalid',
      code: 'duplicate_name',
      problems: [{ field: 'name', message: 'Taken.' }],
    });
  });

  it.each`
    what                     | call
    ${'a GET'}               | ${{ method: 'GET', path: PATH }}
    ${'a POST of many GETs'} | ${{ method: 'POST', path: '/api/v1/batch/', body: {}, isRead: true }}
  `('retries $what over a new connection if the old one was closed during the request', async ({ call }) => {
    let requests = 0;
    handler = (request, response) => {
      requests += 1;
      if (requests === 1) request.socket.destroy();
      else json(response, 200, { id: 'me' });
    };
    await expect(client.request(call)).resolves.toMatchObject({ body: { id: 'me' } });
  });

  it('never sends a write twice', async () => {
    let requests = 0;
    handler = (request) => {
      requests += 1;
      request.socket.destroy();
    };
    await expect(client.request(CREATION)).rejects.toMatchObject({ kind: 'unavailable' });
    expect(requests).toBe(1);
  });

  it('reports that the core cannot be reached', async () => {
    const nowhere = new CorePool('http://127.0.0.1:1');
    const anonymous = new RestClient({ pool: nowhere });
    await expect(anonymous.request({ method: 'GET', path: PATH })).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'core_unreachable',
    });
    await nowhere.close();
  });

  it('can be aborted', async () => {
    handler = () => undefined;
    const abort = new AbortController();
    const request = client.request({ method: 'GET', path: '/api/v1/features/', signal: abort.signal });
    abort.abort();
    await expect(request).rejects.toMatchObject({ name: 'AbortError' });
  });
});
