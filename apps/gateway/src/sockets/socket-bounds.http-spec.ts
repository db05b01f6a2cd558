import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { readEnv } from '../env.ts';
import { createGateway, type Gateway } from '../gateway.ts';
import { cursorAt, ScriptedCore } from '../testing/scripted-core.ts';
import { CREDENTIAL, SocketClient } from '../testing/socket-client.ts';
import { SOCKET_LIMITS, type SocketTimes } from './socket-limits.ts';

const WATCH = `subscription { changes(after: "${cursorAt(0)}") { cursor } }`;
const OTHER_CREDENTIAL = CREDENTIAL.replace('abcdefgh', 'zyxwvuts');
const EVERYTHING = '{ __schema { types { name description fields { name description args { name description } } } } }';

let core: ScriptedCore;
let gateways: Gateway[] = [];
let clients: SocketClient[] = [];

beforeEach(async () => {
  core = new ScriptedCore();
  await core.start();
});
afterEach(async () => {
  for (const { socket } of clients) socket.terminate();
  await Promise.all(gateways.map((gateway) => gateway.close()));
  [gateways, clients] = [[], []];
  await core.stop();
});

/** Where a gateway with these settings takes websockets. */
async function start(settings: Record<string, string> = {}, socketTimes: Partial<SocketTimes> = {}): Promise<string> {
  const gateway = await createGateway(readEnv({ STRATA_CORE_URL: core.origin, ...settings }), {
    logger: false,
    socketTimes,
  });
  gateways.push(gateway);
  await gateway.listen(0, '127.0.0.1');
  return `${(await gateway.url()).replace('http', 'ws')}/graphql`;
}

function client(url: string, headers: Record<string, string> = {}): SocketClient {
  const made = new SocketClient(url, 'graphql-transport-ws', headers);
  clients.push(made);
  return made;
}

const signedIn = (url: string, Authorization = CREDENTIAL) => client(url).init({ Authorization });

/** Status and `Retry-After` of an attempt to open a websocket. */
function upgrade(url: string, headers: Record<string, string> = {}): Promise<{ status: number; retryAfter?: string }> {
  return new Promise((resolve, reject) => {
    const attempt = request(url.replace('ws', 'http'), {
      headers: {
        connection: 'upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': Buffer.alloc(16).toString('base64'),
        'sec-websocket-protocol': 'graphql-transport-ws',
        ...headers,
      },
    });
    attempt.on('upgrade', (_, socket) => {
      socket.destroy();
      resolve({ status: 101 });
    });
    attempt.on('response', ({ statusCode = 0, headers: { 'retry-after': retryAfter } }) =>
      resolve({ status: statusCode, ...(retryAfter && { retryAfter }) }),
    );
    attempt.on('error', reject).end();
  });
}

/** Tries until an operation is not refused. */
async function untilTaken(socket: SocketClient, query: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const wanted = `attempt ${attempt}`;
    socket.subscribe(wanted, query);
    const { type } = await socket.receives(({ id }) => id === wanted);
    if (type === 'next') return;
    await sleep(20);
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(5);
}

describe('before a socket has said who it is', () => {
  it.each([
    ['a ping', { type: 'ping', payload: { x: 'x'.repeat(60_000) } }],
    ['a pong', { type: 'pong' }],
    ['an operation', { id: '1', type: 'subscribe', payload: { query: '{ __typename }' } }],
    ['the end of an operation', { id: '1', type: 'complete' }],
  ])('%s closes it with 4401, unanswered', async (_, message) => {
    const socket = await client(await start()).open();
    socket.send(message);

    expect(await socket.ended).toMatchObject({ code: 4401 });
    expect(socket.received).toEqual([]);
  });

  it('an operation that does not wait for the acknowledgement closes it with 4401', async () => {
    const socket = await client(await start()).open();
    socket.send({ type: 'connection_init', payload: { Authorization: CREDENTIAL } });
    socket.subscribe('1', '{ __typename }');

    expect(await socket.ended).toMatchObject({ code: 4401 });
    expect(socket.count('next')).toBe(0);
  });

  it('a ping that does not wait for the acknowledgement does no harm', async () => {
    const socket = await client(await start()).open();
    socket.send({ type: 'connection_init', payload: { Authorization: CREDENTIAL } });
    socket.send({ type: 'ping' });
    await socket.receives(({ type }) => type === 'connection_ack');
    socket.subscribe('1', '{ __typename }');

    expect(await socket.receives(({ type }) => type === 'next')).toMatchObject({ id: '1' });
  });

  it('silence closes it with 4408 within seconds', async () => {
    const socket = await client(await start({}, { initMs: 100 })).open();

    expect(await socket.ended).toMatchObject({ code: 4408 });
  });
});

describe('a ping', () => {
  it('is answered without what it brought', async () => {
    const socket = await signedIn(await start());
    socket.send({ type: 'ping', payload: { x: 'x'.repeat(1_000) } });

    expect(await socket.receives(({ type }) => type === 'pong')).toEqual({ type: 'pong' });
  });
});

describe('a socket that does not read', () => {
  /**
   * Until what it sends stays with it, since what both ends of the line hold is full, or for long enough that it has been
   * closed (what it sends is dropped then); answers how much it asked.
   */
  async function askUntilNothingIsTaken(client: SocketClient): Promise<number> {
    const long = `${EVERYTHING} # ${'x'.repeat(50_000)}`;
    for (let asked = 0; ; asked += 1) {
      if (client.socket.bufferedAmount > 4 * SOCKET_LIMITS.message || asked === 300) return asked;
      client.subscribe(String(asked), long);
      await sleep(2);
    }
  }

  it('is heard no longer, and closed with 1013 when it goes on like that', async () => {
    const deaf = await signedIn(await start({}, { unreadMs: 100, closingMs: 120_000 }));
    deaf.socket.pause();
    await askUntilNothingIsTaken(deaf);
    deaf.send({ type: 'ping' });
    await sleep(1_000);
    deaf.socket.resume();

    expect(await deaf.ended).toMatchObject({ code: 1013, reason: expect.stringMatching(/^UNREAD/) });
    expect(deaf.count('pong')).toBe(0);
  }, 30_000);

  it('is heard again as soon as it reads', async () => {
    const slow = await signedIn(await start());
    slow.socket.pause();
    const asked = await askUntilNothingIsTaken(slow);
    slow.send({ type: 'ping' });
    slow.socket.resume();
    await slow.receives(({ type }) => type === 'pong');

    expect(slow.socket.readyState).toBe(slow.socket.OPEN);
    await until(() => slow.count('complete') + slow.count('error') === asked);
  }, 30_000);
});

describe('sockets of one address', () => {
  it('are refused with 429 beyond the setting, until one is closed', async () => {
    const url = await start({ STRATA_SOCKETS_PER_ADDRESS: '2' });
    const [first] = [await signedIn(url), await client(url).open()];

    expect(await upgrade(url)).toEqual({ status: 429, retryAfter: '5' });
    first.socket.close();
    await first.ended;
    while ((await upgrade(url)).status !== 101) await sleep(5);
  });

  it('are told apart by what the nearest proxy says, not by what a client claims', async () => {
    const url = await start({ STRATA_SOCKETS_PER_ADDRESS: '1', STRATA_TRUST_PROXY: 'true' });
    await client(url, { 'x-forwarded-for': '203.0.113.1' }).open();

    expect(await upgrade(url, { 'x-forwarded-for': '198.51.100.9, 203.0.113.1' })).toMatchObject({ status: 429 });
    expect(await upgrade(url, { 'x-forwarded-for': '203.0.113.1, 198.51.100.9' })).toEqual({ status: 101 });
  });

  it('are those of one network, where a network is what one customer has', async () => {
    const url = await start({ STRATA_SOCKETS_PER_ADDRESS: '1', STRATA_TRUST_PROXY: 'true' });
    await client(url, { 'x-forwarded-for': '2001:db8:0:1::1' }).open();

    expect(await upgrade(url, { 'x-forwarded-for': '2001:db8:0:1:ffff::2' })).toMatchObject({ status: 429 });
    expect(await upgrade(url, { 'x-forwarded-for': '2001:db8:0:2::1' })).toEqual({ status: 101 });
  });
});

describe('sockets of one credential', () => {
  it('are closed with 1013 beyond the setting, while others come in', async () => {
    const url = await start({ STRATA_SOCKETS_PER_CREDENTIAL: '2' });
    await signedIn(url);
    const second = await signedIn(url);
    const third = await client(url).open();
    third.send({ type: 'connection_init', payload: { Authorization: CREDENTIAL } });

    expect(await third.ended).toMatchObject({ code: 1013, reason: expect.stringMatching(/^TOO_MANY_SOCKETS/) });
    await signedIn(url, OTHER_CREDENTIAL);
    second.socket.close();
    await second.ended;
    // The gateway may hear of it later than the client.
    for (let isIn = false; !isIn; ) {
      const next = await client(url).open();
      next.send({ type: 'connection_init', payload: { Authorization: CREDENTIAL } });
      const answers = next.receives(({ type }) => type === 'connection_ack');
      isIn = await Promise.race([answers.then(() => true), next.ended.then(() => false)]);
    }
  });
});

describe.each([
  ['credential', 'STRATA_SUBSCRIPTIONS_PER_CREDENTIAL'],
  ['address', 'STRATA_SUBSCRIPTIONS_PER_ADDRESS'],
])('subscriptions of one %s', (_, setting) => {
  it('are refused beyond the setting, on whatever sockets, until one ends', async () => {
    const url = await start({ [setting]: '2' });
    const [first, second, third] = [await signedIn(url), await signedIn(url), await signedIn(url)];
    const answerTo = (socket: SocketClient, wanted: string) => socket.receives(({ id }) => id === wanted);
    core.write();
    for (const socket of [first, second]) {
      socket.subscribe('1', WATCH);
      expect(await answerTo(socket, '1')).toMatchObject({ type: 'next' });
    }
    third.subscribe('1', WATCH);

    expect(await answerTo(third, '1')).toMatchObject({
      type: 'error',
      payload: [{ extensions: { code: 'TOO_MANY_OPERATIONS' } }],
    });
    third.subscribe('query', '{ __typename }');
    expect(await answerTo(third, 'query')).toMatchObject({ type: 'next' });
    first.send({ id: '1', type: 'complete' });
    await untilTaken(third, WATCH);
  });
});

describe('operations that a client has ended', () => {
  it('count as long as the core works for them', async () => {
    const socket = await signedIn(await start());
    const { promise, resolve } = Promise.withResolvers<void>();
    core.patience = promise;
    for (let id = 1; id <= SOCKET_LIMITS.operations; id += 1) {
      socket.subscribe(String(id), '{ changesCursor }');
      socket.send({ id: String(id), type: 'complete' });
    }
    socket.subscribe('more', '{ changesCursor }');

    expect(await socket.receives(({ type }) => type === 'error')).toMatchObject({
      id: 'more',
      payload: [{ extensions: { code: 'TOO_MANY_OPERATIONS' } }],
    });
    resolve();
    await untilTaken(socket, '{ changesCursor }');
  });
});

describe('operations that are refused', () => {
  it.each([
    ['documents that do not fit the schema', '{ nonsense }'],
    ['subscriptions after an invented cursor', 'subscription { changes(after: "") { cursor } }'],
  ])('such as %s are answered some times, and then the socket is closed with 1008', async (_, query) => {
    const socket = await signedIn(await start());
    for (let id = 1; id <= 3 * SOCKET_LIMITS.refusals; id += 1) socket.subscribe(String(id), query);
    const answers = () => socket.count('error') + socket.count('next');

    expect(await socket.ended).toMatchObject({ code: 1008, reason: expect.stringMatching(/^TOO_MANY_REFUSALS/) });
    expect(answers()).toBeGreaterThanOrEqual(SOCKET_LIMITS.refusals);
    expect(answers()).toBeLessThan(2 * SOCKET_LIMITS.refusals);
  });

  it('are forgiven to a client that makes some mistakes', async () => {
    const socket = await signedIn(await start());
    for (let id = 1; id < SOCKET_LIMITS.refusals; id += 1) socket.subscribe(String(id), '{ nonsense }');
    await until(() => socket.count('error') === SOCKET_LIMITS.refusals - 1);
    socket.subscribe('right', '{ __typename }');

    expect(await socket.receives(({ id }) => id === 'right')).toMatchObject({ type: 'next' });
  });
});

describe('a silent socket', () => {
  it('is closed with 4403 when its credential ends, and nobody else is', async () => {
    const url = await start({}, { credentialMs: 100 });
    const [ended, other] = [await signedIn(url), await signedIn(url, OTHER_CREDENTIAL)];
    core.refused = CREDENTIAL;

    expect(await ended.ended).toMatchObject({ code: 4403 });
    core.requests.length = 0;
    await until(() => core.requests.length >= 2);
    expect(other.socket.readyState).toBe(other.socket.OPEN);
  });

  it('stays open while the core is away, which says nothing about credentials', async () => {
    const url = await start({}, { credentialMs: 50 });
    const socket = await signedIn(url);
    core.refusal = { status: 503, code: 'unavailable' };
    core.requests.length = 0;
    await until(() => core.requests.length >= 3);

    expect(socket.socket.readyState).toBe(socket.socket.OPEN);
  });

  it('shares the question with all others of its credential', async () => {
    const url = await start({}, { credentialMs: 400 });
    await Promise.all(Array.from({ length: 10 }, () => signedIn(url)));
    core.requests.length = 0;
    await sleep(1_000);

    expect(core.requests.length).toBeGreaterThan(0);
    expect(core.requests.length).toBeLessThan(10);
  });
});
