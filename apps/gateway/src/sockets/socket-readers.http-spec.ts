import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '../limits.ts';
import { cursorAt } from '../testing/scripted-core.ts';
import type { SocketMessage } from '../testing/socket-client.ts';
import { SocketGateways, waitUntil } from '../testing/socket-gateways.ts';
import { SOCKET_LIMITS } from './socket-limits.ts';

const SLOW_AFTER_MS = 200;
/** Longer than any test, because a busy machine may not process a close frame within five seconds. */
const CLOSING_MS = 120_000;

let gateways: SocketGateways;

beforeEach(async () => {
  gateways = await SocketGateways.begin();
});
afterEach(() => gateways.end());

describe('a client that never reads its responses', () => {
  it('is disconnected before its responses fill the memory, while others are served', async () => {
    const url = await gateways.start({}, { unreadMs: 200, closingMs: 200 });
    const [deaf, reading] = [await gateways.signedIn(url), await gateways.signedIn(url)];
    deaf.socket.pause();
    const everything =
      '{ __schema { types { name description fields { name description args { name description } } } } }';
    for (let id = 1; id <= SOCKET_LIMITS.operations; id += 1) deaf.subscribe(String(id), everything);
    while (deaf.socket.readyState === deaf.socket.OPEN) {
      deaf.send({ type: 'ping' });
      await sleep(20);
    }
    deaf.socket.resume();
    reading.subscribe('1', '{ __typename }');

    expect(await deaf.ended).toMatchObject({ code: 1006 });
    expect(await reading.receives(({ id }) => id === '1')).toMatchObject({
      payload: { data: { __typename: 'Query' } },
    });
  });
});

describe('a slow reader', () => {
  /** Requests the longest possible message for a change, so that the connection's buffers fill up. */
  const LOUD = `subscription ($after: String) {
    changes(after: $after) { cursor revision object { ${Array.from({ length: LIMITS.aliases }, (_, index) => `n${index}: name`).join(' ')} } }
  }`;
  const revisionOf = ({ payload }: SocketMessage) =>
    (payload as { data: { changes: { revision: number } } }).data.changes.revision;

  it('is disconnected with 1013 and the cursor to continue after, while others receive everything', async () => {
    const { core } = gateways;
    const url = await gateways.start({}, { closingMs: CLOSING_MS }, { slowAfterMs: SLOW_AFTER_MS });
    core.objectName = '🦥'.repeat(256);
    const [slow, quick] = [await gateways.signedIn(url), await gateways.signedIn(url)];
    for (const socket of [slow, quick]) socket.subscribe('1', LOUD, { after: cursorAt(0) });
    core.write();
    await Promise.all([slow, quick].map((socket) => socket.receives(({ type }) => type === 'next')));
    slow.socket.pause();
    const total = 2_000;
    while (core.history.length < total) {
      // Stays below the queue length of one subscription, so that this reader does not count as slow on a busy machine.
      core.write(Math.min(100, total - core.history.length));
      await waitUntil(() => quick.count('next') >= core.history.length);
    }
    // Longer than the gateway waits for the slow reader.
    await sleep(SLOW_AFTER_MS + 1_500);
    slow.socket.resume();
    const { code, reason } = await slow.ended;

    expect(quick.received.filter(({ type }) => type === 'next').map(revisionOf)).toEqual(
      core.history.map(({ revision }) => revision),
    );
    const received = slow.received.filter(({ type }) => type === 'next').map(revisionOf);
    expect(code).toBe(1013);
    expect(received.length).toBeLessThan(total);
    expect(reason).toBe(`SLOW_CONSUMER after ${cursorAt(received.at(-1) ?? 0)}`);
  });
});
