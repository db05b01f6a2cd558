import { setTimeout as sleep } from 'node:timers/promises';
import { CREDENTIAL, type SocketClient } from '../testing/socket-client.ts';
import { SocketGateways, waitUntil } from '../testing/socket-gateways.ts';
import { SOCKET_LIMITS } from './socket-limits.ts';

const OTHER_CREDENTIAL = CREDENTIAL.replace('abcdefgh', 'zyxwvuts');
const EVERYTHING = '{ __schema { types { name description fields { name description args { name description } } } } }';

let gateways: SocketGateways;

beforeEach(async () => {
  gateways = await SocketGateways.begin();
});
afterEach(() => gateways.end());

describe('a socket before authentication', () => {
  it.each([
    ['a ping', { type: 'ping', payload: { x: 'x'.repeat(60_000) } }],
    ['a pong', { type: 'pong' }],
    ['an operation', { id: '1', type: 'subscribe', payload: { query: '{ __typename }' } }],
    ['the end of an operation', { id: '1', type: 'complete' }],
  ])('is closed with 4401 and no response on %s', async (_, message) => {
    const socket = await gateways.client(await gateways.start()).open();
    socket.send(message);

    expect(await socket.ended).toMatchObject({ code: 4401 });
    expect(socket.received).toEqual([]);
  });

  it('is closed with 4401 on an operation before the acknowledgement', async () => {
    const socket = await gateways.client(await gateways.start()).open();
    socket.send({ type: 'connection_init', payload: { Authorization: CREDENTIAL } });
    socket.subscribe('1', '{ __typename }');

    expect(await socket.ended).toMatchObject({ code: 4401 });
    expect(socket.count('next')).toBe(0);
  });

  it('is closed with 4429 on a second connection_init before the acknowledgement', async () => {
    const socket = await gateways.client(await gateways.start()).open();
    socket.send({ type: 'connection_init', payload: { Authorization: CREDENTIAL } });
    socket.send({ type: 'connection_init', payload: { Authorization: CREDENTIAL } });

    expect(await socket.ended).toEqual({ code: 4429, reason: 'Too many initialisation requests' });
    expect(socket.count('connection_ack')).toBe(0);
  });

  it('ignores a ping before the acknowledgement', async () => {
    const socket = await gateways.client(await gateways.start()).open();
    socket.send({ type: 'connection_init', payload: { Authorization: CREDENTIAL } });
    socket.send({ type: 'ping' });
    await socket.receives(({ type }) => type === 'connection_ack');
    socket.subscribe('1', '{ __typename }');

    expect(await socket.receives(({ type }) => type === 'next')).toMatchObject({ id: '1' });
  });

  it('is closed with 4408 within seconds if the client sends nothing', async () => {
    const socket = await gateways.client(await gateways.start({}, { initMs: 100 })).open();

    expect(await socket.ended).toMatchObject({ code: 4408 });
  });
});

describe('a ping', () => {
  it('is answered without its payload', async () => {
    const socket = await gateways.signedIn(await gateways.start());
    socket.send({ type: 'ping', payload: { x: 'x'.repeat(1_000) } });

    expect(await socket.receives(({ type }) => type === 'pong')).toEqual({ type: 'pong' });
  });
});

describe('a socket that does not read', () => {
  /**
   * Subscribes until the buffers of both ends are full and the gateway reads nothing more, or until the socket must have
   * been closed. Returns the number of subscriptions.
   */
  async function subscribeUntilBlocked(client: SocketClient): Promise<number> {
    const long = `${EVERYTHING} # ${'x'.repeat(50_000)}`;
    for (let subscribed = 0; ; subscribed += 1) {
      if (client.socket.bufferedAmount > 4 * SOCKET_LIMITS.message || subscribed === 300) return subscribed;
      client.subscribe(String(subscribed), long);
      await sleep(2);
    }
  }

  it('is paused, and closed with 1013 if it still does not read', async () => {
    const deaf = await gateways.signedIn(await gateways.start({}, { unreadMs: 100, closingMs: 120_000 }));
    deaf.socket.pause();
    await subscribeUntilBlocked(deaf);
    deaf.send({ type: 'ping' });
    await sleep(1_000);
    deaf.socket.resume();

    expect(await deaf.ended).toMatchObject({ code: 1013, reason: expect.stringMatching(/^UNREAD/) });
    expect(deaf.count('pong')).toBe(0);
  });

  it('is resumed as soon as it reads', async () => {
    const slow = await gateways.signedIn(await gateways.start());
    slow.socket.pause();
    const subscribed = await subscribeUntilBlocked(slow);
    slow.send({ type: 'ping' });
    slow.socket.resume();
    await slow.receives(({ type }) => type === 'pong');

    expect(slow.socket.readyState).toBe(slow.socket.OPEN);
    await waitUntil(() => slow.count('complete') + slow.count('error') === subscribed);
  });
});

describe('rejected operations', () => {
  it.each([
    ['documents that do not fit the schema', '{ nonsense }'],
    ['subscriptions after an invented cursor', 'subscription { changes(after: "") { cursor } }'],
  ])('such as %s are rejected a few times before the socket is closed with 1008', async (_, query) => {
    const socket = await gateways.signedIn(await gateways.start());
    for (let id = 1; id <= 3 * SOCKET_LIMITS.rejections; id += 1) socket.subscribe(String(id), query);
    const countMessages = () => socket.count('error') + socket.count('next');

    expect(await socket.ended).toMatchObject({ code: 1008, reason: expect.stringMatching(/^TOO_MANY_REFUSALS/) });
    expect(countMessages()).toBeGreaterThanOrEqual(SOCKET_LIMITS.rejections);
    expect(countMessages()).toBeLessThan(2 * SOCKET_LIMITS.rejections);
  });

  it('are tolerated from a client that makes a few mistakes', async () => {
    const socket = await gateways.signedIn(await gateways.start());
    for (let id = 1; id < SOCKET_LIMITS.rejections; id += 1) socket.subscribe(String(id), '{ nonsense }');
    await waitUntil(() => socket.count('error') === SOCKET_LIMITS.rejections - 1);
    socket.subscribe('right', '{ __typename }');

    expect(await socket.receives(({ id }) => id === 'right')).toMatchObject({ type: 'next' });
  });
});

describe('an idle socket', () => {
  it('is closed with 4403 when its credential ends, without affecting others', async () => {
    const url = await gateways.start({}, { credentialMs: 100 });
    const [endedSocket, unaffected] = [await gateways.signedIn(url), await gateways.signedIn(url, OTHER_CREDENTIAL)];
    gateways.core.rejectedCredential = CREDENTIAL;

    expect(await endedSocket.ended).toMatchObject({ code: 4403 });
    gateways.core.requests.length = 0;
    await waitUntil(() => gateways.core.requests.length >= 2);
    expect(unaffected.socket.readyState).toBe(unaffected.socket.OPEN);
  });

  it('stays open while the core is unavailable', async () => {
    const url = await gateways.start({}, { credentialMs: 50 });
    const socket = await gateways.signedIn(url);
    gateways.core.error = { status: 503, code: 'unavailable' };
    gateways.core.requests.length = 0;
    await waitUntil(() => gateways.core.requests.length >= 3);

    expect(socket.socket.readyState).toBe(socket.socket.OPEN);
  });

  it('shares its credential check with other sockets of the same credential', async () => {
    const url = await gateways.start({}, { credentialMs: 400 });
    await Promise.all(Array.from({ length: 10 }, () => gateways.signedIn(url)));
    gateways.core.requests.length = 0;
    await sleep(1_000);

    expect(gateways.core.requests.length).toBeGreaterThan(0);
    expect(gateways.core.requests.length).toBeLessThan(10);
  });
});
