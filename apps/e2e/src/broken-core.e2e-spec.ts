import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { encodeCursor } from '@strata/domain';
import { findFreePort } from '@strata/processes';
import { WebSocket } from 'ws';
import { buildMissingApps, eventually, fetchStatus, type Service, startService } from './processes.ts';

const EPOCH = '00000000-0000-4000-8000-000000000001';
const CREDENTIAL = 'Api-Key abcdefgh.0123456789012345678901234567890123456789012';
/** The header declares no length, so the body ends when the connection closes. */
const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n';
/** The number of changes, which is several times what the gateway's HTTP client buffers before it stops reading. */
const CHANGES = 2_000;
const CONNECTIONS = 10;

let streams = 0;
/** Simulates a core that sends many changes at once and closes the connection before the gateway has read them. */
const core = createServer((request, response) => {
  if (!request.url?.startsWith('/api/v1/events/stream/')) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ results: [], cursor: cursorAt(0), more: false }));
    return;
  }
  streams += 1;
  const bookmark = { cursor: cursorAt(0), revision: 0 };
  const changes = Array.from({ length: CHANGES }, (_, index) => message('change', change(index + 1)));
  request.socket.end(HEAD + message('bookmark', bookmark) + changes.join(''));
});
let gateway: Service;

const cursorAt = (revision: number) => encodeCursor({ epoch: EPOCH, revision, ordinal: 0 });
const message = (event: string, data: object) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

function change(revision: number) {
  const subject = { id: 'x', name: 'x' };
  const at = '2026-01-01T00:00:00.000001Z';
  return {
    ...{ cursor: cursorAt(revision), type: 'value_updated', action: 'update', revision, at, changeset: revision },
    ...{ actor: { ...subject, type: 'service' }, object: { ...subject, type: 'Value' } },
    ...{ project: subject, environment: null, parameter: null, message: null },
  };
}

beforeAll(async () => {
  await buildMissingApps('gateway');
  await new Promise<void>((resolve) => core.listen(0, '127.0.0.1', resolve));
  const { port } = core.address() as AddressInfo;
  gateway = await startService('gateway', await findFreePort(), { STRATA_CORE_URL: `http://127.0.0.1:${port}` });
});
afterAll(async () => {
  await gateway.end('SIGKILL');
  core.closeAllConnections();
  core.close();
});

test('the gateway keeps running when the core closes event streams before they are read', async () => {
  const socket = new WebSocket(`${gateway.origin.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  const send = (text: object) => socket.send(JSON.stringify(text));
  socket.on('error', () => undefined);
  socket.once('open', () => send({ type: 'connection_init', payload: { Authorization: CREDENTIAL } }));
  socket.once('message', () =>
    send({ id: '1', type: 'subscribe', payload: { query: 'subscription { changes { revision } }' } }),
  );
  const isUp = () => gateway.process.exitCode === null;
  await eventually('the gateway connects again and again', () => !isUp() || streams > CONNECTIONS);

  expect(gateway.log()).not.toContain('AssertionError');
  expect(isUp()).toBe(true);
  expect(await fetchStatus(gateway.origin, 'healthz')).toBe(200);
  socket.terminate();
});
