import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { readEnv } from '../env.ts';
import { createGateway, type Gateway } from '../gateway.ts';

/** The core's answers that a real core gives rarely, or gave in an earlier release. */
let core: Server;
let gateway: Gateway;
let url: string;
/** The reads in batches and alone, by path and query. */
let requests: string[];
/** Returns the results of a batch. */
let batchResults: (paths: readonly string[]) => readonly object[];
let batchMs: number;
/** The credential of the latest request. */
let authorization: string | undefined;
let projectName: string;

const ROW = {
  id: '11111111-1111-4111-8111-111111111111',
  name: 'shop',
  url: 'http://x/api/v1/projects/11111111-1111-4111-8111-111111111111/',
};
const unchanged = {
  status: 304,
  revision: 1,
  etag: '"e"',
  cache_control: 'private, no-cache',
  error_code: null,
  retry_after: null,
  body: null,
};

async function readText(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

beforeAll(async () => {
  core = createServer(async (request, response) => {
    const text = await readText(request);
    requests.push(`${request.method} ${request.url}`);
    authorization = request.headers.authorization;
    const isBatch = request.url === '/api/v1/batch/';
    const paths = isBatch ? JSON.parse(text).requests.map(({ path }: { path: string }) => path) : [];
    // The state is read when the request arrives.
    const body = isBatch
      ? { results: batchResults(paths) }
      : { count: 1, next: null, previous: null, results: [{ ...ROW, name: projectName }] };
    if (isBatch) await sleep(batchMs);
    response.writeHead(200, {
      'content-type': 'application/json',
      etag: '"e"',
      'x-revision': '1',
      'cache-control': 'private, no-cache',
    });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => core.listen(0, '127.0.0.1', resolve));
  const { port } = core.address() as AddressInfo;
  gateway = await createGateway(readEnv({ STRATA_CORE_URL: `http://127.0.0.1:${port}` }), { logger: false });
  await gateway.listen(0, '127.0.0.1');
  url = await gateway.url();
});
afterAll(async () => {
  await gateway.close();
  core.closeAllConnections();
  core.close();
});

let credentials = 0;
let credential: string;
beforeEach(() => {
  requests = [];
  batchMs = 0;
  projectName = 'shop';
  batchResults = (paths) => paths.map(() => unchanged);
  credentials += 1;
  credential = `Api-Key ${credentials}`;
});

const QUERY = '{ projects(first: 5) { edges { node { name } } } }';

const send = (body: string = JSON.stringify({ query: QUERY }), sentCredential = credential) =>
  fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(sentCredential && { authorization: sentCredential }) },
    body,
  });

const isStored = async (query: string): Promise<boolean> => {
  for (let count = 0; count < 2; count += 1) await (await send(JSON.stringify({ query }))).text();
  return requests.at(-1) === 'POST /api/v1/batch/';
};

it('stores a response of which the core says that it contains no secret', async () => {
  expect(await isStored(QUERY)).toBe(true);
});

it('validates every read of a response with the credential of the caller, so that the core remembers it', async () => {
  await send();
  const reads = requests.map((request) => request.replace('GET /api/v1/', ''));
  const validations: (readonly string[])[] = [];
  batchResults = (paths) => {
    validations.push(paths);
    return paths.map(() => unchanged);
  };
  await send();
  expect(validations).toEqual([reads]);
  expect(authorization).toBe(credential);
});

it('does not store a single read that may contain secrets, because a core of the previous release does not say so', async () => {
  expect(await isStored('{ values(projectId: "p", parameterId: "x", reveal: true) { totalCount } }')).toBe(false);
});

it.each([
  ['no results', () => []],
  ['another status', () => [{ ...unchanged, status: 200 }]],
  ['a result without `cache_control`', () => [{ ...unchanged, cache_control: undefined }]],
  ['a secret in clear', () => [{ ...unchanged, cache_control: 'private, no-store' }]],
])('executes the query again if the validation returns %s', async (_, results) => {
  await send();
  batchResults = results;
  requests = [];
  expect(await (await send()).json()).toMatchObject({ data: { projects: { edges: [{ node: { name: 'shop' } }] } } });
  expect(requests).toEqual(['POST /api/v1/batch/', expect.stringMatching(/^GET /)]);
});

it('does not use a validation that began before the request', async () => {
  await send();
  batchMs = 300;
  requests = [];
  const first = send();
  while (requests.length === 0) await sleep(5);
  projectName = 'store';
  batchResults = () => [{ ...unchanged, status: 200 }];

  expect(await (await send()).json()).toMatchObject({ data: { projects: { edges: [{ node: { name: 'store' } }] } } });
  expect(await (await first).json()).toMatchObject({ data: { projects: { edges: [{ node: { name: 'shop' } }] } } });
});

it('shares a validation among a limited number of requests', async () => {
  await send();
  batchMs = 100;
  requests = [];
  await Promise.all(Array.from({ length: 60 }, () => send()));
  const batches = requests.filter((request) => request.startsWith('POST')).length;
  expect(requests).toHaveLength(batches);
  expect(batches).toBeGreaterThan(20);
  expect(batches).toBeLessThan(60);
});

it('needs no further validation of a response that is no longer current', async () => {
  await send();
  batchMs = 100;
  batchResults = () => [{ ...unchanged, status: 200 }];
  requests = [];
  await Promise.all(Array.from({ length: 10 }, () => send()));
  expect(requests.filter((request) => request.startsWith('POST'))).toHaveLength(1);
});

it('accepts variables that are nested too deeply to be written again', async () => {
  const nested = `{"query":"{ __typename }","variables":{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`;
  expect((await send(nested)).status).toBe((await send(nested, '')).status);
});
