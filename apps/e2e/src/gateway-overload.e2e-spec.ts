import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '@strata/processes';
import { organization, sharedCore, type TestOrganization, testCredentials } from '@strata/testkit';
import { WebSocket } from 'ws';
import { buildMissingApps, type Service, startService } from './processes.ts';

const MEMORY_MAX = 512 * 1024 * 1024;
/** The duration of the attack. Without limits, the gateway grew from 150 MB to 1.9 GB in nine seconds. */
const ATTACK_MS = 4_000;
/** The number of bytes that may wait to be sent while the gateway does not read. */
const UNSENT_MAX = 1024 * 1024;

let gateway: Service;
let org: TestOrganization;

beforeAll(async () => {
  await buildMissingApps('gateway');
  const core = await sharedCore();
  org = await organization({ ...core, ...testCredentials() });
  const probe = path.join(import.meta.dirname, 'memory-probe.ts');
  gateway = await startService('gateway', await findFreePort(), { STRATA_CORE_URL: core.origin }, [probe]);
});
afterAll(() => gateway.end('SIGKILL'));

async function mostMemory(): Promise<number> {
  const answer = once(gateway.process, 'message');
  gateway.process.send('most memory');
  const [{ mostMemory }] = (await answer) as [{ mostMemory: number }];
  return mostMemory;
}

async function open(): Promise<WebSocket> {
  const socket = new WebSocket(`${gateway.origin.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  socket.on('error', () => {});
  await once(socket, 'open');
  return socket;
}

const say = (socket: WebSocket, message: object) => socket.send(JSON.stringify(message));

async function signIn(socket: WebSocket): Promise<void> {
  const answer = once(socket, 'message');
  say(socket, { type: 'connection_init', payload: { Authorization: org.ownerAuthorization } });
  await answer;
}

/** Sends messages as fast as the connection accepts them, without reading. */
async function flood(socket: WebSocket, message: (nth: number) => object): Promise<void> {
  socket.pause();
  const until = Date.now() + ATTACK_MS;
  for (let nth = 1; Date.now() < until && socket.readyState === socket.OPEN; nth += 1) {
    say(socket, message(nth));
    while (socket.bufferedAmount > UNSENT_MAX && Date.now() < until && socket.readyState === socket.OPEN)
      await sleep(1);
    if (nth % 32 === 0) await sleep(0);
  }
  socket.resume();
}

const ping = () => ({ type: 'ping', payload: { x: 'x'.repeat(60_000) } });
const rejectedOperation = (nth: number) => ({
  id: String(nth),
  type: 'subscribe',
  payload: { query: `{ ${'nonsense '.repeat(400)} }` },
});
const large = (nth: number) => ({
  id: String(nth),
  type: 'subscribe',
  payload: {
    query: '{ __schema { types { name description fields { name description args { name description } } } } }',
  },
});

describe('a socket that sends and never reads', () => {
  it.each([
    ['with pings of 60 KB before authentication', false, ping],
    ['with pings of 60 KB', true, ping],
    ['with operations that fail', true, rejectedOperation],
    ['with operations that have large responses', true, large],
  ])('%s does not exceed the memory limit, and other clients are served', async (_, isSignedIn, message) => {
    const secondSocket = await open();
    await signIn(secondSocket);
    const socket = await open();
    if (isSignedIn) await signIn(socket);
    await mostMemory();
    await flood(socket, message);

    const answer = once(secondSocket, 'message');
    say(secondSocket, { id: '1', type: 'subscribe', payload: { query: '{ changesCursor }' } });
    const [data] = await answer;
    expect(JSON.parse(String(data))).toMatchObject({
      type: 'next',
      payload: { data: { changesCursor: expect.any(String) } },
    });
    expect(await mostMemory()).toBeLessThan(MEMORY_MAX);
    for (const openSocket of [secondSocket, socket]) openSocket.terminate();
  });
});
