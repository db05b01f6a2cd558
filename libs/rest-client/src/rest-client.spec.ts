import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RestClient } from './rest-client.ts';

type Handler = (request: IncomingMessage & { readonly text: string }, response: ServerResponse) => void;

let server: Server;
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
  client = new RestClient({
    origin: `http://127.0.0.1:${port}`,
    authorization: 'Api-Key a.b',
    headers: { 'x-request-id': 'r1', 'x-forwarded-for': '10.0.0.1' },
  });
});

afterAll(async () => {
  await client.close();
  server.closeAllConnections();
  server.close();
});

const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

describe('RestClient', () => {
  it('sends the credential, the forwarded headers, and only what was asked', async () => {
    const seen: unknown[] = [];
    handler = (request, response) => {
      seen.push(request.method, request.url, request.headers);
      json(response, 200, { count: 0, next: null, previous: null, results: [] });
    };
    await client.environments.list({ name: 'a b', id__in: ['1', '2'], parent__name: undefined });
    expect(seen).toMatchObject([
      'GET',
      '/api/v1/environments/?name=a%20b&id__in=1%2C2',
      { authorization: 'Api-Key a.b', 'x-request-id': 'r1', 'x-forwarded-for': '10.0.0.1' },
    ]);
  });

  it('escapes ids', async () => {
    let url: string | undefined;
    handler = (request, response) => {
      url = request.url;
      json(response, 200, {});
    };
    await client.users.get('auth0|1/../2');
    expect(url).toBe('/api/v1/users/auth0%7C1%2F..%2F2/');
  });

  it('sends bodies as JSON, with a condition', async () => {
    let seen: unknown;
    handler = (request, response) => {
      seen = { method: request.method, headers: request.headers, body: JSON.parse(request.text) };
      json(response, 200, { id: 'e' });
    };
    await client.environments.patch('e', { description: 'ü' }, { ifMatch: '"1"' });
    expect(seen).toMatchObject({
      method: 'PATCH',
      headers: { 'content-type': 'application/json', 'if-match': '"1"' },
      body: { description: 'ü' },
    });
  });

  it('walks through all pages', async () => {
    handler = (request, response) => {
      const page = Number(new URL(request.url ?? '', 'http://x').searchParams.get('page'));
      const next = page < 3 ? 'http://elsewhere/' : null;
      json(response, 200, { count: 3, next, previous: null, results: [{ id: String(page) }] });
    };
    const ids: string[] = [];
    for await (const { id } of client.projects.all()) ids.push(id);
    expect(ids).toEqual(['1', '2', '3']);
  });

  it('says when nothing has changed, and remembers the newest revision', async () => {
    handler = (request, response) => {
      if (request.headers['if-none-match'] === '"d"') response.writeHead(304, { etag: '"d"', 'x-revision': '7' }).end();
      else json(response, 200, { values: { a: 'b' } }, { etag: '"d"', 'x-revision': '8' });
    };
    const first = await client.effective('p', { environment: 'production' });
    expect(first).toMatchObject({ status: 200, notModified: false, etag: '"d"', body: { values: { a: 'b' } } });
    const second = await client.effective('p', {}, { ifNoneMatch: '"d"' });
    expect(second).toMatchObject({ status: 304, notModified: true, body: null, revision: 7 });
    expect(client.revision).toBe(8);
  });

  it('needs no body to delete', async () => {
    handler = (_, response) => response.writeHead(204).end();
    await expect(client.environments.delete('e')).resolves.toBeUndefined();
  });

  it('throws the refusal of the core as it was', async () => {
    handler = (_, response) => json(response, 400, { name: ['Taken.'] }, { 'x-error-code': 'duplicate_name' });
    await expect(client.environments.create({ name: 'x' })).rejects.toMatchObject({
      kind: 'invalid',
      code: 'duplicate_name',
      problems: [{ field: 'name', message: 'Taken.' }],
    });
  });

  it('reads again over a new connection when the old one was closed under its hands', async () => {
    let requests = 0;
    handler = (request, response) => {
      requests += 1;
      if (requests === 1) request.socket.destroy();
      else json(response, 200, { id: 'me' });
    };
    await expect(client.users.current()).resolves.toMatchObject({ id: 'me' });
  });

  it('never writes twice', async () => {
    let requests = 0;
    handler = (request) => {
      requests += 1;
      request.socket.destroy();
    };
    await expect(client.environments.create({ name: 'x' })).rejects.toMatchObject({ kind: 'unavailable' });
    expect(requests).toBe(1);
  });

  it('says that nobody is there', async () => {
    const nobody = new RestClient({ origin: 'http://127.0.0.1:1' });
    await expect(nobody.users.current()).rejects.toMatchObject({ kind: 'unavailable', code: 'core_unreachable' });
    await nobody.close();
  });

  it('can be interrupted', async () => {
    handler = () => undefined;
    const abort = new AbortController();
    const request = client.request({ method: 'GET', path: '/api/v1/features/', signal: abort.signal });
    abort.abort();
    await expect(request).rejects.toMatchObject({ name: 'AbortError' });
  });
});
