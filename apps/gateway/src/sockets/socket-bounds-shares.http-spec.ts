import { setTimeout as sleep } from 'node:timers/promises';
import { cursorAt } from '../testing/scripted-core.ts';
import { CREDENTIAL, type SocketClient } from '../testing/socket-client.ts';
import { SocketGateways, untilAccepted, upgrade } from '../testing/socket-gateways.ts';
import { SOCKET_LIMITS } from './socket-limits.ts';

const WATCH = `subscription { changes(after: "${cursorAt(0)}") { cursor } }`;
const OTHER_CREDENTIAL = CREDENTIAL.replace('abcdefgh', 'zyxwvuts');

let gateways: SocketGateways;

beforeEach(async () => {
  gateways = await SocketGateways.begin();
});
afterEach(() => gateways.end());

describe('sockets of one address', () => {
  it('are rejected with 429 beyond the limit, until one of them is closed', async () => {
    const url = await gateways.start({ STRATA_SOCKETS_PER_ADDRESS: '2' });
    const [first] = [await gateways.signedIn(url), await gateways.client(url).open()];

    expect(await upgrade(url)).toEqual({ status: 429, retryAfter: '5' });
    first.socket.close();
    await first.ended;
    while ((await upgrade(url)).status !== 101) await sleep(5);
  });

  it('are counted by the address that the nearest proxy reports, not by the one that a client claims', async () => {
    const url = await gateways.start({ STRATA_SOCKETS_PER_ADDRESS: '1', STRATA_TRUST_PROXY: 'true' });
    await gateways.client(url, { 'x-forwarded-for': '203.0.113.1' }).open();

    expect(await upgrade(url, { 'x-forwarded-for': '198.51.100.9, 203.0.113.1' })).toMatchObject({ status: 429 });
    expect(await upgrade(url, { 'x-forwarded-for': '203.0.113.1, 198.51.100.9' })).toEqual({ status: 101 });
  });

  it('are counted per network for IPv6, where one customer has a whole network', async () => {
    const url = await gateways.start({ STRATA_SOCKETS_PER_ADDRESS: '1', STRATA_TRUST_PROXY: 'true' });
    await gateways.client(url, { 'x-forwarded-for': '2001:db8:0:1::1' }).open();

    expect(await upgrade(url, { 'x-forwarded-for': '2001:db8:0:1:ffff::2' })).toMatchObject({ status: 429 });
    expect(await upgrade(url, { 'x-forwarded-for': '2001:db8:0:2::1' })).toEqual({ status: 101 });
  });
});

describe('sockets of one credential', () => {
  it('are closed with 1013 beyond the limit, while other credentials are accepted', async () => {
    const url = await gateways.start({ STRATA_SOCKETS_PER_CREDENTIAL: '2' });
    await gateways.signedIn(url);
    const second = await gateways.signedIn(url);
    const third = await gateways.client(url).open();
    third.send({ type: 'connection_init', payload: { Authorization: CREDENTIAL } });

    expect(await third.ended).toMatchObject({ code: 1013, reason: expect.stringMatching(/^TOO_MANY_SOCKETS/) });
    await gateways.signedIn(url, OTHER_CREDENTIAL);
    second.socket.close();
    await second.ended;
    // The gateway may notice it later than the client.
    for (let isIn = false; !isIn; ) {
      const next = await gateways.client(url).open();
      next.send({ type: 'connection_init', payload: { Authorization: CREDENTIAL } });
      const acknowledgement = next.receives(({ type }) => type === 'connection_ack');
      isIn = await Promise.race([acknowledgement.then(() => true), next.ended.then(() => false)]);
    }
  });
});

describe.each([
  ['credential', 'STRATA_SUBSCRIPTIONS_PER_CREDENTIAL'],
  ['address', 'STRATA_SUBSCRIPTIONS_PER_ADDRESS'],
])('subscriptions of one %s', (_, setting) => {
  it('are rejected on any socket beyond the limit, until one of them ends', async () => {
    const url = await gateways.start({ [setting]: '2' });
    const [first, second, third] = [
      await gateways.signedIn(url),
      await gateways.signedIn(url),
      await gateways.signedIn(url),
    ];
    const answerTo = (socket: SocketClient, expectedId: string) => socket.receives(({ id }) => id === expectedId);
    gateways.core.write();
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
    await untilAccepted(third, WATCH);
  });
});

describe('operations that a client has ended', () => {
  it('count until the core has finished them', async () => {
    const socket = await gateways.signedIn(await gateways.start());
    const { promise, resolve } = Promise.withResolvers<void>();
    gateways.core.patience = promise;
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
    await untilAccepted(socket, '{ changesCursor }');
  });
});
