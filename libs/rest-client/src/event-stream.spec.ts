import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CorePool } from './core-pool.ts';
import type { FollowMessage, StreamMessage } from './event-stream.ts';
import { RestClient } from './rest-client.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server;
let pool: CorePool;
let client: RestClient;
/** The handlers of successive connections to the core. */
let script: Handler[];
let paths: (string | null)[];

beforeAll(async () => {
  server = createServer((request, response) => {
    paths.push(new URL(request.url ?? '', 'http://x').searchParams.get('after'));
    const handler = script.shift();
    if (handler) handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  pool = new CorePool(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  client = new RestClient({ pool });
});

beforeEach(() => {
  paths = [];
});

afterAll(async () => {
  await pool.close();
  server.closeAllConnections();
  server.close();
});

const begin = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/event-stream' });
const send = (response: ServerResponse, event: string, data: unknown) =>
  response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
const bookmark = (response: ServerResponse, n: number) => send(response, 'bookmark', { cursor: `c${n}`, revision: n });
const reject =
  (status: number, code: string, headers: Record<string, string> = {}): Handler =>
  (_, response) =>
    response.writeHead(status, { 'x-error-code': code, ...headers }).end('{"detail":"No."}');

function change(response: ServerResponse, n: number) {
  send(response, 'change', {
    cursor: `c${n}`,
    type: 'value_updated',
    action: 'update',
    revision: n,
    at: '2026-01-01T00:00:00.000000Z',
    actor: { id: 'u', name: 'Dana', type: 'interactive' },
    object: { type: 'Value', id: 'v', name: '' },
    project: null,
    environment: null,
    parameter: { id: 'p', name: 'port' },
  });
}

const messageCursor = (message: StreamMessage | FollowMessage | undefined) =>
  message?.kind === 'change' ? message.event.cursor : message?.kind;

describe('stream', () => {
  it('yields bookmarks, changes and the close reason', async () => {
    script = [
      (_, response) => {
        begin(response);
        bookmark(response, 1);
        send(response, 'something_new', {});
        change(response, 2);
        send(response, 'close', { code: 'draining', detail: 'Bye.' });
      },
    ];
    const messages: StreamMessage[] = [];
    for await (const message of client.events.stream({ after: 'c0' })) messages.push(message);
    expect(messages).toMatchObject([
      { kind: 'bookmark', cursor: 'c1', revision: 1 },
      { kind: 'change', event: { cursor: 'c2', type: 'value_updated', parameter: { name: 'port' } } },
      { kind: 'close', code: 'draining', detail: 'Bye.' },
    ]);
    expect(paths).toEqual(['c0']);
  });

  it('ends immediately when aborted, even on a silent stream', async () => {
    script = [(_, response) => bookmark(begin(response), 1)];
    const abort = new AbortController();
    const stream = client.events.stream({ signal: abort.signal });
    await stream.next();
    const waiting = stream.next();
    abort.abort();
    expect(await waiting).toEqual({ done: true, value: undefined });
  });

  it('ends immediately when its iterator returns, and disconnects', async () => {
    const hungUp = new Promise<void>((resolve) => {
      script = [
        (request, response) => {
          request.socket.once('close', resolve);
          bookmark(begin(response), 1);
        },
      ];
    });
    const stream = client.events.stream();
    await stream.next();
    const waiting = stream.next();
    await stream.return();
    expect(await waiting).toEqual({ done: true, value: undefined });
    await hungUp;
  });

  it('throws the error of the core', async () => {
    script = [reject(410, 'cursor_gone')];
    await expect(client.events.stream({ after: 'old' }).next()).rejects.toMatchObject({ kind: 'cursor_gone' });
  });

  it('throws if a message never ends', async () => {
    script = [(_, response) => begin(response).write(`data: ${'x'.repeat(1_048_577)}`)];
    await expect(client.events.stream().next()).rejects.toThrow('too long');
  });

  it('throws if the connection breaks', async () => {
    script = [
      (request, response) => {
        bookmark(begin(response), 1);
        setImmediate(() => request.socket.destroy());
      },
    ];
    const stream = client.events.stream();
    const read = async () => {
      for await (const _ of stream);
    };
    await expect(read()).rejects.toMatchObject({ kind: 'unavailable' });
  });
});

describe('follow', () => {
  const backoff = () => 1;

  it('continues after the last cursor across disconnects, drains and errors, without loss or repetition', async () => {
    script = [
      (request, response) => {
        bookmark(begin(response), 1);
        change(response, 2);
        change(response, 3);
        setTimeout(() => request.socket.destroy(), 20);
      },
      reject(503, 'unavailable'),
      (request) => request.socket.destroy(),
      (_, response) => {
        change(begin(response), 4);
        send(response, 'close', { code: 'draining', detail: 'Bye.' });
      },
      (_, response) => {
        bookmark(begin(response), 5);
        response.end();
      },
      (_, response) => change(begin(response), 6),
    ];
    const seen: unknown[] = [];
    for await (const message of client.events.follow({ backoff })) {
      seen.push(messageCursor(message));
      if (messageCursor(message) === 'c6') break;
    }
    expect(seen).toEqual(['bookmark', 'c2', 'c3', 'c4', 'bookmark', 'c6']);
    expect(paths).toEqual([null, 'c3', 'c3', 'c3', 'c4', 'c5']);
  });

  it.each`
    status | code                 | kind
    ${401} | ${'unauthenticated'} | ${'unauthenticated'}
    ${403} | ${'bad_credential'}  | ${'bad_credential'}
    ${410} | ${'cursor_gone'}     | ${'cursor_gone'}
    ${400} | ${'invalid'}         | ${'invalid'}
  `('gives up on $status $code', async ({ status, code, kind }) => {
    script = [reject(status, code)];
    await expect(client.events.follow({ backoff }).next()).rejects.toMatchObject({ kind, code });
  });

  it.each(['credential_revoked', 'cursor_gone'])('gives up if the core closes with %s', async (code) => {
    script = [(_, response) => send(begin(response), 'close', { code, detail: 'Gone.' })];
    await expect(client.events.follow({ backoff }).next()).rejects.toMatchObject({ code, message: 'Gone.' });
  });

  it('increases the delay after each consecutive failure and resets it after a success', async () => {
    const attempts: number[] = [];
    script = [
      reject(503, 'unavailable'),
      reject(503, 'unavailable'),
      (_, response) => {
        bookmark(begin(response), 1);
        response.end();
      },
      reject(503, 'unavailable'),
      (_, response) => change(begin(response), 2),
    ];
    const waits = (attempt: number) => {
      attempts.push(attempt);
      return 1;
    };
    for await (const message of client.events.follow({ backoff: waits })) if (messageCursor(message) === 'c2') break;
    expect(attempts).toEqual([1, 2, 1, 2]);
  });

  it('stops between two attempts when aborted', async () => {
    const abort = new AbortController();
    script = [
      (request, response) => {
        reject(503, 'unavailable')(request, response);
        setTimeout(() => abort.abort(), 20);
      },
    ];
    const reader = client.events.follow({ signal: abort.signal, backoff: () => 60_000 });
    const waiting = reader.next();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(paths).toHaveLength(1);
  });
});

describe('effective values', () => {
  const CONFIGURATION = { projectId: 'p 1', environment: 'production', names: ['PORT', 'HOST'], reveal: true };
  const backoff = () => 1;
  const at = (n: number) => ({ cursor: `c${n}`, revision: n, digest: `sha256:${n}` });
  const snapshot = (response: ServerResponse, n: number, values: object) =>
    send(response, 'snapshot', { ...at(n), masked: [], values });
  const follow = () => client.effectiveValues.follow(CONFIGURATION, { backoff });

  it('are followed over a close, an error, a lost connection and an unknown message, after the last cursor', async () => {
    script = [
      (_, response) => {
        snapshot(begin(response), 1, { PORT: '1' });
        send(response, 'something_new', {});
        send(response, 'close', { code: 'draining', detail: 'Bye.' });
      },
      (_, response) => {
        send(begin(response), 'delta', { ...at(2), changes: [] });
        send(response, 'close', { code: 'slow_consumer', detail: 'Bye.' });
      },
      reject(503, 'unavailable'),
      (request, response) => {
        send(begin(response), 'problem', { cursor: 'c3', revision: 3, names: ['PORT'], detail: 'No.' });
        setTimeout(() => request.socket.destroy(), 20);
      },
      (_, response) => {
        send(begin(response), 'reset', { cursor: 'c4', revision: 4, reason: 'history_replaced' });
        snapshot(response, 5, {});
        send(response, 'bookmark', at(6));
      },
    ];
    const seen: string[] = [];
    for await (const { kind, cursor } of follow()) if (seen.push(`${kind} ${cursor}`) === 6) break;

    expect(seen).toEqual(['snapshot c1', 'delta c2', 'problem c3', 'reset c4', 'snapshot c5', 'bookmark c6']);
    expect(paths).toEqual([null, 'c1', 'c2', 'c2', 'c3']);
  });

  it('are requested for one environment, some names, and with or without secrets', async () => {
    let url = '';
    script = [
      (request, response) => {
        url = request.url ?? '';
        snapshot(begin(response), 1, {});
      },
    ];
    for await (const _ of follow()) break;

    expect(url).toBe(
      '/api/v1/projects/p%201/effective/stream/?environment=production&name__in=PORT%2CHOST&reveal=true',
    );
  });

  it('may be longer than the messages of other streams', async () => {
    const values = { TEXT: 'x'.repeat(3_000_000) };
    script = [(_, response) => snapshot(begin(response), 1, values)];

    expect((await follow().next()).value).toMatchObject({ kind: 'snapshot', values });
  });

  it.each`
    code                    | kind
    ${'credential_revoked'} | ${'bad_credential'}
    ${'forbidden'}          | ${'forbidden'}
    ${'not_found'}          | ${'not_found'}
  `('end with $kind if the core closes with $code', async ({ code, kind }) => {
    script = [
      (_, response) => send(begin(response), 'close', { code, detail: 'Gone.' }),
      (_, response) => snapshot(begin(response), 1, {}),
    ];
    await expect(follow().next()).rejects.toMatchObject({ kind, code, message: 'Gone.' });
  });
});

describe('a silent stream', () => {
  it('counts as lost after the timeout, and is continued', async () => {
    const impatient = new CorePool(pool.origin, { silenceMs: 100 });
    script = [(_, response) => bookmark(begin(response), 1), (_, response) => change(begin(response), 2)];
    const seen: unknown[] = [];
    const begun = performance.now();
    const messages = new RestClient({ pool: impatient }).events.follow({ backoff: () => 1 });
    for await (const message of messages) if (seen.push(messageCursor(message)) === 2) break;
    await impatient.close();

    expect(seen).toEqual(['bookmark', 'c2']);
    expect(paths).toEqual([null, 'c1']);
    // Undici looks at its timeouts about once per second. The default is 25 s.
    expect(performance.now() - begun).toBeLessThan(15_000);
  });
});
