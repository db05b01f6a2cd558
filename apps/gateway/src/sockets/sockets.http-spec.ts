import { request } from 'node:http';
import { readEnv } from '../env.ts';
import { createGateway, type Gateway } from '../gateway.ts';
import { LIMITS } from '../limits.ts';
import { ScriptedCore } from '../testing/scripted-core.ts';
import { CREDENTIAL, SocketClient } from '../testing/socket-client.ts';
import { SOCKET_LIMITS } from './socket-limits.ts';

/** Longer than any test, because a busy machine may not process a close frame within five seconds. */
const CLOSING_MS = 120_000;

let core: ScriptedCore;
let gateway: Gateway;
let url: string;

beforeEach(async () => {
  core = new ScriptedCore();
  await core.start();
  const env = readEnv({ STRATA_CORE_URL: core.origin, STRATA_ALLOWED_ORIGINS: 'https://console.example.com' });
  gateway = await createGateway(env, {
    logger: false,
    socketTimes: { closingMs: CLOSING_MS },
  });
  await gateway.listen(0, '127.0.0.1');
  url = `${(await gateway.url()).replace('http', 'ws')}/graphql`;
});

afterEach(async () => {
  await gateway.close();
  await core.stop();
});

describe('the handshake', () => {
  it.each`
    payload                          | header
    ${{ Authorization: CREDENTIAL }} | ${'upper case'}
    ${{ authorization: CREDENTIAL }} | ${'lower case'}
  `('accepts a credential in $header', async ({ payload }) => {
    const socket = await new SocketClient(url).init(payload);

    expect(socket.received).toEqual([{ type: 'connection_ack' }]);
  });

  it.each`
    what              | payload
    ${'none'}         | ${undefined}
    ${'an empty one'} | ${{ Authorization: '' }}
    ${'a number'}     | ${{ Authorization: 5 }}
  `('closes with 4403 on $what, without a request to the core', async ({ payload }) => {
    const socket = await new SocketClient(url).open();
    socket.send({ type: 'connection_init', payload });

    expect(await socket.ended).toMatchObject({ code: 4403 });
    expect(core.requests).toEqual([]);
  });

  it('closes with 4403 if the core rejects the credential', async () => {
    core.error = { status: 403, code: 'bad_credential' };
    const socket = await new SocketClient(url).open();
    socket.send({ type: 'connection_init', payload: { Authorization: CREDENTIAL } });

    expect(await socket.ended).toMatchObject({ code: 4403 });
  });

  it('closes with 1013, after which clients retry, if the core is unavailable', async () => {
    await core.stop();
    const socket = await new SocketClient(url).open();
    socket.send({ type: 'connection_init', payload: { Authorization: CREDENTIAL } });

    expect(await socket.ended).toMatchObject({ code: 1013 });
  });

  it('closes with 4406 on another protocol', async () => {
    const socket = new SocketClient(url, 'graphql-ws');

    expect([1006, 4406]).toContain((await socket.ended).code);
    expect(socket.received).toEqual([]);
  });

  it('closes with 1007 on a binary message that is not UTF-8', async () => {
    const socket = await new SocketClient(url).init();
    socket.socket.send(Buffer.from('{"type":"ping","payload":{"name":"caf\xe9"}}', 'latin1'));

    expect(await socket.ended).toMatchObject({ code: 1007 });
  });

  it('closes with 4401 on an operation before the connection_init', async () => {
    const socket = await new SocketClient(url).open();
    socket.subscribe('1', '{ changesCursor }');

    expect(await socket.ended).toMatchObject({ code: 4401 });
  });

  it('closes with 4429 on a second connection_init', async () => {
    const socket = await new SocketClient(url).init();
    socket.send({ type: 'connection_init' });

    expect(await socket.ended).toMatchObject({ code: 4429 });
  });

  it.each(['{', 'null', '{"type":"nonsense"}', '[]'])('closes with 4400 on %s', async (text) => {
    const socket = await new SocketClient(url).init();
    socket.send(text);

    expect(await socket.ended).toMatchObject({ code: 4400 });
  });
});

describe('an upgrade request', () => {
  function requestUpgrade(path: string, headers: Record<string, string> = {}): Promise<number> {
    const target = new URL(path, url.replace('ws', 'http'));
    return new Promise((resolve, reject) => {
      const outgoing = request(target, {
        headers: {
          connection: 'upgrade',
          upgrade: 'websocket',
          'sec-websocket-version': '13',
          'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
          'sec-websocket-protocol': 'graphql-transport-ws',
          ...headers,
        },
      });
      outgoing.on('upgrade', (response, socket) => {
        socket.destroy();
        resolve(response.statusCode ?? 0);
      });
      outgoing.on('response', (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      outgoing.on('error', reject);
      outgoing.end();
    });
  }

  it.each`
    path              | status
    ${'/graphql'}     | ${101}
    ${'/graphql?a=b'} | ${101}
    ${'/graphql/'}    | ${404}
    ${'/graphqlx'}    | ${404}
    ${'/'}            | ${404}
    ${'/healthz'}     | ${404}
  `('returns $status at $path', async ({ path, status }) => {
    expect(await requestUpgrade(path)).toBe(status);
  });

  it.each`
    origin                                   | status
    ${'https://console.example.com'}         | ${101}
    ${'https://evil.example.com'}            | ${403}
    ${'https://console.example.com.evil.io'} | ${403}
    ${'http://console.example.com'}          | ${403}
    ${'null'}                                | ${403}
    ${'file://'}                             | ${403}
    ${''}                                    | ${403}
  `('returns $status to a page of "$origin"', async ({ origin, status }) => {
    expect(await requestUpgrade('/graphql', { origin })).toBe(status);
  });

  it('is accepted from a page of the gateway itself', async () => {
    expect(await requestUpgrade('/graphql', { origin: await gateway.url() })).toBe(101);
  });
});

describe('a socket at its limits', () => {
  it('closes with 1009 on a message that is too long', async () => {
    const socket = await new SocketClient(url).init();
    socket.send({ type: 'ping', payload: { x: 'x'.repeat(SOCKET_LIMITS.message) } });

    expect(await socket.ended).toMatchObject({ code: 1009 });
  });

  it('accepts the maximum number of concurrent operations and rejects one more', async () => {
    const socket = await new SocketClient(url).init();
    const WATCH = 'subscription { changes { cursor } }';
    for (let id = 1; id <= SOCKET_LIMITS.operations + 1; id += 1) socket.subscribe(String(id), WATCH);
    const error = await socket.receives(({ type }) => type === 'error');

    expect(error).toMatchObject({
      id: String(SOCKET_LIMITS.operations + 1),
      payload: [{ extensions: { code: 'TOO_MANY_OPERATIONS' } }],
    });
    expect(socket.count('error')).toBe(1);
  });

  it('closes with 4409 on two operations with the same id', async () => {
    const socket = await new SocketClient(url).init();
    socket.subscribe('1', 'subscription { changes { cursor } }');
    socket.subscribe('1', 'subscription { changes { cursor } }');

    expect(await socket.ended).toMatchObject({ code: 4409 });
  });

  it.each`
    what             | query                                                                                       | code
    ${'too deep'}    | ${`{ environments { edges { node { ${'parent { '.repeat(9)} name ${'}'.repeat(9)} } } } }`} | ${'COMPLEXITY_EXCEEDED'}
    ${'too long'}    | ${`{ ${'changesCursor '.repeat(LIMITS.tokens)} }`}                                          | ${'COMPLEXITY_EXCEEDED'}
    ${'unknown'}     | ${'{ nonsense }'}                                                                           | ${'GRAPHQL_VALIDATION_FAILED'}
    ${'not GraphQL'} | ${'{'}                                                                                      | ${'GRAPHQL_VALIDATION_FAILED'}
  `('rejects an operation that is $what without a request to the core', async ({ query, code }) => {
    const socket = await new SocketClient(url).init();
    core.requests.length = 0;
    socket.subscribe('1', query);
    const error = await socket.receives(({ type }) => type === 'error');

    expect(error.payload).toMatchObject([{ extensions: { code, requestId: expect.any(String) } }]);
    expect(core.requests).toEqual([]);
  });
});

describe('the id of a request', () => {
  it('is in the errors of its operation, even while other operations run on the socket', async () => {
    const socket = await new SocketClient(url).init();
    core.error = { status: 503, code: 'unavailable' };
    socket.subscribe('1', '{ changesCursor }');
    socket.subscribe('2', '{ nonsense }');
    const { payload: later } = await socket.receives(({ id, type }) => id === '1' && type === 'next');
    const { payload: sooner } = await socket.receives(({ id, type }) => id === '2' && type === 'error');

    expect(later).toMatchObject({ errors: [{ extensions: { requestId: core.headers['x-request-id'] } }] });
    expect(sooner).not.toMatchObject([{ extensions: { requestId: core.headers['x-request-id'] } }]);
  });
});

describe('the schema in production', () => {
  it.each`
    query                               | message
    ${'{ __schema { __typename } }'}    | ${/STRATA_GRAPHQL_INTROSPECTION=on/}
    ${'{ __type(name: "x") { name } }'} | ${/STRATA_GRAPHQL_INTROSPECTION=on/}
    ${'{ changesCurso }'}               | ${/^Cannot query field "changesCurso" on type "Query"\.$/}
  `('is not revealed by $query', async ({ query, message }) => {
    const env = readEnv({ STRATA_CORE_URL: core.origin, NODE_ENV: 'production' });
    const production = await createGateway(env, { logger: false, socketTimes: { closingMs: 100 } });
    await production.listen(0, '127.0.0.1');
    const address = `${(await production.url()).replace('http', 'ws')}/graphql`;
    const socket = await new SocketClient(address).init();
    socket.subscribe('1', query);
    const error = await socket.receives(({ id }) => id === '1');
    await production.close();

    expect(error).toMatchObject({
      type: 'error',
      payload: [{ message: expect.stringMatching(message), extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }],
    });
  });
});

describe('shutdown', () => {
  it('closes all sockets with 1012 and accepts no new ones', async () => {
    const sockets = [await new SocketClient(url).init(), await new SocketClient(url).open()];
    sockets[0]?.subscribe('1', 'subscription { changes { cursor } }');
    const closing = gateway.close();

    expect(await Promise.all(sockets.map(({ ended }) => ended))).toMatchObject([{ code: 1012 }, { code: 1012 }]);
    await closing;
    await expect(fetch(`${url.replace('ws', 'http')}`)).rejects.toThrow();
  });
});
