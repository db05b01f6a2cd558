import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { chooseCloseCode, StreamSocket } from './stream-socket.ts';

const TIMES = { bookmarkMs: 10_000, drainMs: 200, closingMs: 60_000 };
const CLOSE = 'event: close\ndata: {}\n\n';

/** Sends messages to a client that does not read until the stream has ended. Returns the events that the client receives. */
async function eventsOfSlowClient(messages: readonly string[]): Promise<readonly EventSourceMessage[]> {
  let closeCode: string | null = null;
  let onEnd = () => {};
  const whenEnded = new Promise<void>((resolve) => {
    onEnd = resolve;
  });
  const server = http.createServer(async (_, response) => {
    const socket = new StreamSocket(response, new AbortController().signal, TIMES);
    await socket.send(messages).catch((error) => {
      closeCode = chooseCloseCode(error);
    });
    socket.end(CLOSE);
    onEnd();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const request = http.get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', agent: false });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event) });
  await whenEnded;
  response.setEncoding('utf8').on('data', (chunk: string) => parser.feed(chunk));
  // Not `once`, which would reject for a connection that is closed without an end.
  await new Promise((resolve) => response.on('error', () => undefined).once('close', resolve));
  server.close();
  expect(closeCode).toBe('slow_consumer');
  return events;
}

const message = (id: number, length: number) => `id: ${id}\nevent: change\ndata: ${'x'.repeat(length)}\n\n`;

it('a client that does not read receives whole events, and then the reason', async () => {
  const events = await eventsOfSlowClient(Array.from({ length: 20_000 }, (_, id) => message(id, 1_000)));

  const changes = events.slice(0, -1);
  expect(changes.map(({ id }) => id)).toEqual(changes.map((_, index) => String(index)));
  expect(changes.every(({ data }) => data.length === 1_000)).toBe(true);
  expect(events.at(-1)).toMatchObject({ event: 'close', data: '{}' });
});

it('a client that does not read does not take an event that was sent in part as received', async () => {
  const events = await eventsOfSlowClient([message(1, 10), message(2, 20_000_000)]);

  expect(events.map(({ id, event }) => [id, event])).toEqual([['1', 'change']]);
});
