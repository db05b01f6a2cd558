import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { readEnv } from '../env.ts';
import { createGateway, type Gateway } from '../gateway.ts';

/** The core's answers that a real core gives rarely, or gave in an earlier release. */
let core: Server;
let gateway: Gateway;
let url: string;
/** The method, path and query of each request. `VALIDATE` is the method of one read with an entity tag, and of a batch of such reads. */
let requests: string[];
/** Returns the results of a validation. */
let validated: (paths: readonly string[]) => readonly Result[];
let validationMs: number;
/** The credential of the latest request. */
let authorization: string | undefined;
let projectName: string;

const ROW = {
  id: '11111111-1111-4111-8111-111111111111',
  name: 'shop',
  url: 'http://x/api/v1/projects/11111111-1111-4111-8111-111111111111/',
};
interface Result {
  readonly status: number;
  readonly cache_control?: string | undefined;
}

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
    authorization = request.headers.authorization;
    const page = { count: 1, next: null, previous: null, results: [{ ...ROW, name: projectName }] };
    const { requests: batch }: { requests: { path: string; if_none_match?: string }[] | undefined } = JSON.parse(
      text || '{}',
    );
    const reads = batch ?? [{ path: String(request.url?.slice(8)), if_none_match: request.headers['if-none-match'] }];
    const isValidation = reads.every(({ if_none_match: etag }) => etag !== undefined);
    requests.push(`${isValidation ? 'VALIDATE' : request.method} ${request.url}`);
    // The state is read when the request arrives.
    const paths = reads.map(({ path }) => path);
    const results = isValidation ? validated(paths) : paths.map(() => ({ ...unchanged, status: 200, body: page }));
    if (isValidation) await sleep(validationMs);
    const [{ status = 500, cache_control: cacheControl = null } = {}] = batch
      ? [{ ...unchanged, status: 200 }]
      : results;
    response.writeHead(status, {
      'content-type': 'application/json',
      etag: '"e"',
      'x-revision': '1',
      ...(cacheControl && { 'cache-control': cacheControl }),
    });
    response.end(status === 304 ? undefined : JSON.stringify(batch ? { results } : page));
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
  validationMs = 0;
  projectName = 'shop';
  validated = (paths) => paths.map(() => unchanged);
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
  return requests.at(-1)?.startsWith('VALIDATE ') === true;
};

it('stores a response of which the core says that it contains no secret', async () => {
  expect(await isStored(QUERY)).toBe(true);
});

it.each([
  ['one read alone', QUERY, 1],
  ['several reads in one batch', '{ projects(first: 5) { totalCount } environments(first: 5) { totalCount } }', 2],
])('validates %s with the credential of the caller, so that the core remembers the read', async (_, query, reads) => {
  const validations: (readonly string[])[] = [];
  validated = (paths) => {
    validations.push(paths);
    return paths.map(() => unchanged);
  };
  for (let time = 1; time <= 2; time += 1) expect((await send(JSON.stringify({ query }))).status).toBe(200);
  expect(validations).toEqual([expect.arrayContaining([expect.stringMatching(/^projects\/\?/)])]);
  expect(validations[0]).toHaveLength(reads);
  expect(requests).toHaveLength(2);
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
  validated = results;
  requests = [];
  expect(await (await send()).json()).toMatchObject({ data: { projects: { edges: [{ node: { name: 'shop' } }] } } });
  expect(requests).toEqual([expect.stringMatching(/^VALIDATE /), expect.stringMatching(/^GET /)]);
});

it('does not use a validation that began before the request', async () => {
  await send();
  validationMs = 300;
  requests = [];
  const first = send();
  while (requests.length === 0) await sleep(5);
  projectName = 'store';
  validated = () => [{ ...unchanged, status: 200 }];

  expect(await (await send()).json()).toMatchObject({ data: { projects: { edges: [{ node: { name: 'store' } }] } } });
  expect(await (await first).json()).toMatchObject({ data: { projects: { edges: [{ node: { name: 'shop' } }] } } });
});

it('shares a validation among a limited number of requests', async () => {
  await send();
  validationMs = 400;
  requests = [];
  await Promise.all(Array.from({ length: 60 }, () => send()));
  const validations = requests.filter((request) => request.startsWith('VALIDATE')).length;
  expect(requests).toHaveLength(validations);
  expect(validations).toBeGreaterThan(20);
  expect(validations).toBeLessThan(60);
});

it('needs no further validation of a response that is no longer current', async () => {
  await send();
  validationMs = 100;
  validated = () => [{ ...unchanged, status: 200 }];
  requests = [];
  await Promise.all(Array.from({ length: 10 }, () => send()));
  expect(requests.filter((request) => request.startsWith('VALIDATE'))).toHaveLength(1);
});

it('accepts variables that are nested too deeply to be written again', async () => {
  const nested = `{"query":"{ __typename }","variables":{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`;
  expect((await send(nested)).status).toBe((await send(nested, '')).status);
});
