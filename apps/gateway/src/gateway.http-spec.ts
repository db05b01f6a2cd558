import { once } from 'node:events';
import { connect } from 'node:net';
import { readEnv } from './env.ts';
import { createGateway, type Gateway } from './gateway.ts';
import { LIMITS } from './limits.ts';
import { ScriptedCore } from './testing/scripted-core.ts';

let core: ScriptedCore;
let gateway: Gateway;
let url: string;

beforeAll(async () => {
  core = new ScriptedCore();
  await core.start();
  gateway = await createGateway(readEnv({ STRATA_CORE_URL: core.origin }), { logger: false });
  await gateway.listen(0, '127.0.0.1');
  url = await gateway.url();
});

afterAll(async () => {
  await gateway.close();
  await core.stop();
});

beforeEach(() => {
  core.requests.length = 0;
  core.error = null;
});

const JSON_TYPE = { 'content-type': 'application/json' };

interface Body {
  readonly errors: readonly { readonly message: string; readonly extensions: Record<string, unknown> }[];
  readonly extensions: Record<string, unknown>;
}

async function post(body: string | object, headers: Record<string, string> = JSON_TYPE) {
  const text = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  const answer = await fetch(`${url}/graphql`, { method: 'POST', headers, body: text });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Body };
}

describe('health', () => {
  it('reports the gateway as alive in any state of the core, and as ready if the core is ready', async () => {
    const statuses = async () =>
      Promise.all(['healthz', 'readyz'].map(async (path) => (await fetch(`${url}/${path}`)).status));

    expect(await statuses()).toEqual([200, 200]);
    core.error = { status: 503, code: 'unavailable' };
    expect(await statuses()).toEqual([200, 503]);
    core.error = null;
    await core.stop();
    expect(await statuses()).toEqual([200, 503]);
    await core.start();
    expect(await statuses()).toEqual([200, 200]);
  });

  it('names STRATA_CORE_URL if it leads to a gateway', async () => {
    const misdirected = await createGateway(readEnv({ STRATA_CORE_URL: url }), { logger: false });
    try {
      await misdirected.listen(0, '127.0.0.1');
      const answer = await fetch(`${await misdirected.url()}/readyz`);

      expect([answer.status, await answer.json()]).toEqual([503, { status: 'not ready', reason: 'core_url' }]);
    } finally {
      await misdirected.close();
    }
  });
});

describe('a document that is rejected before the core receives a request', () => {
  const deep = (n: number) => `{ environments { edges { node { ${'parent { '.repeat(n)} name ${'}'.repeat(n)} } } } }`;
  const aliases = Array.from({ length: 100 }, (_, index) => `a${index}: viewer { role }`).join(' ');

  it.each`
    what                             | query                                                                                                                       | code
    ${'too many levels'}             | ${deep(9)}                                                                                                                  | ${'COMPLEXITY_EXCEEDED'}
    ${'200 levels'}                  | ${deep(200)}                                                                                                                | ${'COMPLEXITY_EXCEEDED'}
    ${'too many aliases'}            | ${`{ ${aliases} }`}                                                                                                         | ${'COMPLEXITY_EXCEEDED'}
    ${'too many directives'}         | ${`{ ${'__typename @include(if: true) '.repeat(60)} }`}                                                                     | ${'COMPLEXITY_EXCEEDED'}
    ${'too many fields'}             | ${`{ ${'changesCursor '.repeat(2_000)} }`}                                                                                  | ${'COMPLEXITY_EXCEEDED'}
    ${'too many rows'}               | ${'{ projects(first: 200) { edges { node { parameters(first: 200) { edges { node { name effective { value } } } } } } } }'} | ${'COMPLEXITY_EXCEEDED'}
    ${'too many mutations'}          | ${`mutation { ${Array.from({ length: 20 }, (_, index) => `m${index}: enableWebhook(id: "x") { __typename }`).join(' ')} }`} | ${'COMPLEXITY_EXCEEDED'}
    ${'a cycle of fragments'}        | ${'{ viewer { ...A } } fragment A on Viewer { ...B } fragment B on Viewer { ...A }'}                                        | ${'GRAPHQL_VALIDATION_FAILED'}
    ${'deep introspection'}          | ${'{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }'}                 | ${'GRAPHQL_VALIDATION_FAILED'}
    ${'an unknown field'}            | ${'{ passwords }'}                                                                                                          | ${'GRAPHQL_VALIDATION_FAILED'}
    ${'text that is not GraphQL'}    | ${'SELECT 1'}                                                                                                               | ${'GRAPHQL_PARSE_FAILED'}
    ${'a page size above the limit'} | ${'{ projects(first: 201) { totalCount } }'}                                                                                | ${'BAD_USER_INPUT'}
    ${'a negative page size'}        | ${'{ projects(first: -1) { totalCount } }'}                                                                                 | ${'BAD_USER_INPUT'}
    ${'an invented row cursor'}      | ${'{ projects(after: "x") { totalCount } }'}                                                                                | ${'BAD_USER_INPUT'}
    ${'a subscription'}              | ${'subscription { changes { cursor } }'}                                                                                    | ${'BAD_USER_INPUT'}
    ${'an invented nodeId'}          | ${'{ node(id: "x") { id } }'}                                                                                               | ${'BAD_USER_INPUT'}
  `('returns $code if it contains $what', async ({ query, code }) => {
    const { body } = await post({ query });

    expect(body.errors[0]?.extensions.code).toBe(code);
    expect(body.errors[0]).not.toHaveProperty('extensions.stacktrace');
    expect(core.requests).toEqual([]);
  });

  it('has a 4xx status', async () => {
    expect((await post({ query: deep(9) })).status).toBe(400);
    expect((await post({ query: '{ passwords }' })).status).toBe(400);
  });
});

describe('a request that is not valid GraphQL over HTTP', () => {
  const query = JSON.stringify({ query: '{ viewer { role } }' });

  it.each`
    what                          | body                                                                         | headers                                                    | status
    ${'a form'}                   | ${'query={viewer{role}}'}                                                    | ${{ 'content-type': 'application/x-www-form-urlencoded' }} | ${[400, 415]}
    ${'plain text'}               | ${query}                                                                     | ${{ 'content-type': 'text/plain' }}                        | ${[400, 415]}
    ${'a list of requests'}       | ${`[${query},${query}]`}                                                     | ${JSON_TYPE}                                               | ${[400]}
    ${'broken JSON'}              | ${'{"query":'}                                                               | ${JSON_TYPE}                                               | ${[400]}
    ${'Latin-1'}                  | ${new Uint8Array(Buffer.from(`{"query":"{a(b:\\"caf\xe9\\")}"}`, 'latin1'))} | ${JSON_TYPE}                                               | ${[400]}
    ${'a prototype'}              | ${`{"variables":{"__proto__":{}},${query.slice(1)}`}                         | ${JSON_TYPE}                                               | ${[400]}
    ${'no query'}                 | ${'{}'}                                                                      | ${JSON_TYPE}                                               | ${[400]}
    ${'a query that is not text'} | ${'{"query":5}'}                                                             | ${JSON_TYPE}                                               | ${[400]}
    ${'10,000 brackets'}          | ${'['.repeat(10_000)}                                                        | ${JSON_TYPE}                                               | ${[400]}
    ${'two megabytes'}            | ${`{"query":"${'x'.repeat(2e6)}"}`}                                          | ${JSON_TYPE}                                               | ${[413]}
  `('is rejected with an error in the format of GraphQL if it contains $what', async ({ body, headers, status }) => {
    const answer = await post(body, headers);

    expect(status).toContain(answer.status);
    expect(answer.body.errors[0]).toMatchObject({ message: expect.any(String), extensions: { code: 'BAD_REQUEST' } });
    expect(core.requests).toEqual([]);
  });

  it('is rejected with a response that a client can read, which sends all of a long body first', async () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').pause();
    let text = '';
    socket.on('data', (data) => {
      text += String(data);
    });
    const head = ['POST /graphql HTTP/1.1', 'Host: localhost', 'Content-Type: application/json'];
    socket.write([...head, 'Content-Length: 6000000', '', ''].join('\r\n'));
    for (let part = 0; part < 60; part += 1) await new Promise((resolve) => socket.write('x'.repeat(100_000), resolve));
    socket.end(['GET /healthz HTTP/1.1', 'Host: localhost', 'Connection: close', '', ''].join('\r\n'));
    socket.resume();
    await once(socket, 'close');

    expect(text.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']);
  });

  it('is rejected if it is a GET, which a page of another site could make a browser send', async () => {
    const answer = await fetch(`${url}/graphql?query=${encodeURIComponent('{ viewer { role } }')}`);

    expect(answer.status).toBe(400);
    expect(core.requests).toEqual([]);
  });
});

describe('a request with a host header', () => {
  /** Sends raw text, because HTTP clients do not send such a request. */
  async function sendRaw(text: string): Promise<{ status: number; body: string }> {
    const line = connect(Number(new URL(url).port), '127.0.0.1');
    line.end(text);
    let received = '';
    for await (const data of line) received += String(data);
    const [head = '', body = ''] = received.split('\r\n\r\n');
    return { status: Number(head.split(' ')[1]), body };
  }
  const query = JSON.stringify({ query: '{ __typename }' });

  it.each(['a b', '[::1', '<script>', 'x:99999', 'x:y', 'http://x/', 'me@x', 'x/y', '%', ''])(
    'is rejected with 400 at any path if the host is "%s"',
    async (host) => {
      const lines = [`Host: ${host}`, 'Connection: close', 'Content-Type: application/json'];
      const post = [`POST /graphql HTTP/1.1`, ...lines, `Content-Length: ${query.length}`, '', query].join('\r\n');
      const page = [`GET /graphql HTTP/1.1`, ...lines, 'Accept: text/html', '', ''].join('\r\n');
      const upgrade = [
        'GET /graphql HTTP/1.1',
        `Host: ${host}`,
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        `Sec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}`,
        '',
        '',
      ].join('\r\n');

      const [posted, shown, upgraded] = await Promise.all([post, page, upgrade].map(sendRaw));
      expect([posted?.status, shown?.status, upgraded?.status]).toEqual([400, 400, 400]);
      expect(JSON.parse(posted?.body ?? '')).toMatchObject({ errors: [{ extensions: { code: 'BAD_REQUEST' } }] });
    },
  );

  it.each(['POST /graphql', 'GET /', 'GET /healthz', 'GET /session'])(
    'is rejected with 400 if it has two hosts: %s',
    async (line) => {
      const hosts = ['Host: strata.example.com', 'host: other.example.com'];
      const head = [`${line} HTTP/1.1`, ...hosts, 'Connection: close', 'Content-Type: application/json'];

      expect(await sendRaw([...head, `Content-Length: ${query.length}`, '', query].join('\r\n'))).toMatchObject({
        status: 400,
      });
    },
  );

  it('is rejected with 400 if it has two hosts and upgrades to a websocket', async () => {
    const head = ['GET /graphql HTTP/1.1', 'Host: a', 'Host: b', 'Connection: Upgrade', 'Upgrade: websocket'];
    const key = `Sec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}`;

    const { status } = await sendRaw([...head, 'Sec-WebSocket-Version: 13', key, '', ''].join('\r\n'));
    expect(status).toBe(400);
  });

  it.each(['strata.example.com', 'STRATA:8080', '[::1]:4000', '127.0.0.1'])(
    'is accepted with the host %s',
    async (host) => {
      const lines = [`Host: ${host}`, 'Connection: close', 'Content-Type: application/json'];
      const post = [`POST /graphql HTTP/1.1`, ...lines, `Content-Length: ${query.length}`, '', query].join('\r\n');

      expect((await sendRaw(post)).status).toBe(200);
    },
  );

  it('may have no host if it is a health check, because old load balancers send none', async () => {
    expect((await sendRaw('GET /healthz HTTP/1.0\r\n\r\n')).status).toBe(200);
  });

  it.each([
    ['an operation that its document does not contain', { query: 'query A { __typename }', operationName: 'B' }],
    ['no operation of a document with several', { query: 'query A { __typename } query B { __typename }' }],
    [
      'an operation of a document without operations',
      { query: 'fragment F on Query { __typename }', operationName: 'F' },
    ],
    ['a subscription', { query: 'subscription { changes { cursor } }' }],
  ])('is rejected with 400 and a reason if it contains %s', async (_, document) => {
    const { status, body } = await post(document);

    expect(status).toBe(400);
    expect(body.errors[0]?.extensions.code).toMatch(
      /^(OPERATION_RESOLUTION_FAILURE|GRAPHQL_VALIDATION_FAILED|BAD_USER_INPUT)$/,
    );
    expect(body.errors[0]?.message).toMatch(/operation|websocket|never used/);
  });
});

describe('a response', () => {
  it('contains the request id and the cost, but no internal details', async () => {
    const query = '{ environments(first: 2) { edges { node { id } } } }';
    const { body, headers } = await post({ query }, { ...JSON_TYPE, 'x-request-id': 'trace-1' });

    // The scripted core returns an empty object for a list, which the gateway must treat as a bug.
    expect(headers.get('x-request-id')).toBe('trace-1');
    expect(body.errors).toEqual([
      {
        message: 'An internal error occurred in the gateway.',
        path: expect.any(Array),
        locations: expect.any(Array),
        extensions: { code: 'INTERNAL', requestId: 'trace-1' },
      },
    ]);
    expect(body.extensions.cost).toEqual({ requested: 7, limit: LIMITS.cost });
  });

  it('comes from the core, to which the request is forwarded with its credential, interface and request id', async () => {
    await post(
      { query: '{ changesCursor }' },
      { ...JSON_TYPE, authorization: 'Api-Key a.b', 'x-request-id': 'trace-2' },
    );

    expect(core.headers).toMatchObject({
      authorization: 'Api-Key a.b',
      'x-strata-surface': 'graphql',
      'x-request-id': 'trace-2',
    });
  });

  it.each`
    status | code                 | expected
    ${401} | ${'unauthenticated'} | ${'UNAUTHENTICATED'}
    ${403} | ${'bad_credential'}  | ${'UNAUTHENTICATED'}
    ${403} | ${'forbidden'}       | ${'FORBIDDEN'}
    ${429} | ${'too_many'}        | ${'RATE_LIMITED'}
    ${503} | ${'maintenance'}     | ${'UNAVAILABLE'}
    ${410} | ${'cursor_gone'}     | ${'CURSOR_EXPIRED'}
    ${500} | ${'internal'}        | ${'INTERNAL'}
  `('has the code $expected if the core returns $status $code', async ({ status, code, expected }) => {
    core.error = { status, code };
    const { body } = await post({ query: '{ changesCursor }' });

    expect(body.errors[0]?.extensions.code).toBe(expected);
  });
});

describe('the playground', () => {
  it('allows scripts of its own origin only', async () => {
    const page = await fetch(`${url}/graphql`, { headers: { accept: 'text/html' } });
    const html = await page.text();

    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'; script-src 'self'/);
    const files = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path);
    expect(files).toHaveLength(2);
    for (const path of files) expect((await fetch(url + path)).status).toBe(200);
    expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\/|<script>|style=| on\w+=/);
  });

  it('is switched off in production, as is introspection', async () => {
    const env = readEnv({ STRATA_CORE_URL: core.origin, NODE_ENV: 'production' });
    const production = await createGateway(env, { logger: false });
    await production.listen(0, '127.0.0.1');
    const origin = await production.url();
    const page = await fetch(`${origin}/graphql`, { headers: { accept: 'text/html' } });
    const answer = await fetch(`${origin}/graphql`, {
      method: 'POST',
      headers: JSON_TYPE,
      body: JSON.stringify({ query: '{ __schema { queryType { name } } }' }),
    });
    const script = await fetch(`${origin}/playground/playground.js`);
    await production.close();

    expect(await page.text()).not.toContain('<html');
    expect(script.status).toBe(404);
    expect(await answer.json()).toMatchObject({ errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] });
  });
});
