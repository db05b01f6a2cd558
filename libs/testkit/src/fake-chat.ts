import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type PostedMessage, parsePost, rejectionCode } from './fake-chat-post.ts';

/** How the fake treats the next post instead of accepting it. */
export type ChatFault =
  /** Returns 429. Omit `retryAfter` for a response without the header, or pass any text. */
  | { readonly kind: 'rate_limited'; readonly retryAfter?: number | string }
  /** Returns 200 with `ok: false`, as the real service does for nearly every error. */
  | { readonly kind: 'error'; readonly error: string; readonly needed?: string }
  | { readonly kind: 'status'; readonly status: number; readonly body?: string }
  /** Never responds, or sends only a status (200 by default) and headers. The message is not recorded. */
  | { readonly kind: 'hang'; readonly after?: 'request' | 'headers'; readonly status?: number }
  /** Closes the connection instead of responding. With `after`, the message has been recorded. */
  | { readonly kind: 'cut'; readonly when: 'before' }
  | { readonly kind: 'cut'; readonly when: 'after' }
  | { readonly kind: 'not_json'; readonly body?: string }
  | { readonly kind: 'redirect'; readonly location: string }
  /** Returns 200 with a successful response that starts with this many blanks. */
  | { readonly kind: 'flood'; readonly bytes: number }
  /** Accepts and records immediately, but delays the response. */
  | { readonly kind: 'slow'; readonly ms: number }
  /** Accepts and records immediately, but does not respond before the promise resolves. */
  | { readonly kind: 'held'; readonly until: Promise<unknown> }
  /** Accepts the post. Use it between two faults. */
  | { readonly kind: 'accept' };

/** A message that a channel received. */
export interface ChatMessageRecord extends PostedMessage {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly ts: string;
  readonly authorization: string;
}

/** Every attempt to post, accepted or not. */
interface ChatAttempt {
  readonly time: number;
  readonly channel: string;
  readonly username: string | null;
  readonly authorization: string;
  readonly traceparent: string | null;
  readonly fault: ChatFault['kind'] | null;
}

/** A chat service on a real port that accepts and records posts, and applies scripted faults. */
export interface FakeChat {
  /** The value for STRATA_SLACK_API_URL. It stays the same through `down` and `up`. */
  readonly url: string;
  /** Applies the faults to the next posts, one each, after the faults that are still queued. */
  script(...faults: readonly ChatFault[]): void;
  /** Refuses new connections and cuts the open ones. */
  down(): Promise<void>;
  up(): Promise<void>;
  messages(channel?: string): readonly ChatMessageRecord[];
  attempts(): readonly ChatAttempt[];
  /** Resolves once this many messages have been received; rejects with the received messages on timeout. */
  waitFor(count: number, channel?: string, timeoutMs?: number): Promise<readonly ChatMessageRecord[]>;
  close(): Promise<void>;
}

/** The maximum length of a request. All messages are shorter; the limit protects the test run. */
const BODY_BYTES_MAX = 1_000_000;
const WAIT_MS = 120_000;

/** Starts the fake on a free port of the loopback interface. */
export async function startFakeChat(): Promise<FakeChat> {
  const room = new ChatRoom();
  const server = http.createServer((request, response) => {
    room.serve(request, response).catch(() => response.destroy());
  });
  const listen = async (port: number): Promise<number> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const stopServer = async (): Promise<void> => {
    if (!server.listening) return;
    const closePromise = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closePromise;
  };
  const port = await listen(0);
  return {
    url: `http://127.0.0.1:${port}/api/`,
    script: (...roomFaults) => void room.faults.push(...roomFaults),
    down: stopServer,
    up: async () => {
      if (!server.listening) await listen(port);
    },
    messages: (channel) => room.messages(channel),
    attempts: () => [...room.attempts],
    waitFor: (count, channel, timeoutMs = WAIT_MS) => room.waitFor(count, channel, timeoutMs),
    close: stopServer,
  };
}

class ChatRoom {
  readonly faults: ChatFault[] = [];
  readonly attempts: ChatAttempt[] = [];
  readonly #messages: ChatMessageRecord[] = [];
  readonly #watchers = new Set<() => void>();

  messages(channel?: string): readonly ChatMessageRecord[] {
    return this.#messages.filter((message) => channel === undefined || message.channel === channel);
  }

  waitFor(count: number, channel: string | undefined, timeoutMs: number): Promise<readonly ChatMessageRecord[]> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#watchers.delete(checkMessages);
        const texts = this.messages(channel).map(({ text }) => text);
        reject(new Error(`Waited for ${count} messages, got ${texts.length}: ${JSON.stringify(texts)}`));
      }, timeoutMs);
      const checkMessages = (): void => {
        const messages = this.messages(channel);
        if (messages.length < count) return;
        clearTimeout(timer);
        this.#watchers.delete(checkMessages);
        resolve(messages);
      };
      this.#watchers.add(checkMessages);
      checkMessages();
    });
  }

  async serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const text = await readText(request);
    if (request.method !== 'POST' || request.url !== '/api/chat.postMessage') {
      return sendJson(response, { ok: false, error: 'unknown_method' });
    }
    const authorization = request.headers.authorization ?? '';
    const post = parsePost(request.headers['content-type'] ?? '', text);
    const fault = this.faults.shift();
    this.attempts.push({
      time: Date.now(),
      channel: post?.channel ?? '',
      username: post?.username ?? null,
      authorization,
      traceparent: request.headers.traceparent?.toString() ?? null,
      fault: fault?.kind ?? null,
    });
    if (isFailing(fault)) return misbehave(fault, response);
    const error = rejectionCode(post, authorization);
    if (post === null || error !== null) return sendJson(response, { ok: false, error: error ?? 'invalid_form_data' });
    const record = this.#record(post, authorization);
    if (fault?.kind === 'slow') await sleep(fault.ms);
    if (fault?.kind === 'held') await fault.until;
    if (fault?.kind === 'cut') response.destroy();
    else sendJson(response, { ok: true, channel: post.channel, ts: record.ts, message: { text: post.text } });
  }

  #record(post: PostedMessage, authorization: string): ChatMessageRecord {
    const time = Date.now();
    const ts = `${Math.floor(time / 1_000)}.${String(this.#messages.length + 1).padStart(6, '0')}`;
    const record = { ...post, time, ts, authorization };
    this.#messages.push(record);
    for (const watcher of [...this.#watchers]) watcher();
    return record;
  }
}

/** The faults after which the message has been recorded. */
const RECORDED = ['accept', 'slow', 'held'] as const;
type FailingFault = Exclude<ChatFault, { kind: (typeof RECORDED)[number] } | { when: 'after' }>;

function isFailing(fault: ChatFault | undefined): fault is FailingFault {
  if (fault?.kind === 'cut') return fault.when === 'before';
  return fault !== undefined && !RECORDED.some((kind) => kind === fault.kind);
}

function misbehave(fault: FailingFault, response: http.ServerResponse): void {
  switch (fault.kind) {
    case 'rate_limited':
      if (fault.retryAfter !== undefined) response.setHeader('Retry-After', String(fault.retryAfter));
      sendJson(response, { ok: false, error: 'ratelimited' }, 429);
      break;
    case 'error':
      sendJson(response, { ok: false, error: fault.error, ...(fault.needed && { needed: fault.needed }) });
      break;
    case 'status':
      response.writeHead(fault.status, { 'Content-Type': 'text/plain' }).end(fault.body ?? 'trouble');
      break;
    case 'hang':
      // Node sends the headers only with the first byte of the body.
      if (fault.after === 'headers')
        response.writeHead(fault.status ?? 200, { 'Content-Type': 'application/json' }).write('{');
      break;
    case 'cut':
      response.destroy();
      break;
    case 'not_json':
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(fault.body ?? '<h1>Please log in</h1>');
      break;
    case 'redirect':
      response.writeHead(302, { Location: fault.location }).end();
      break;
    case 'flood':
      response.writeHead(200, { 'Content-Type': 'application/json' }).write(Buffer.alloc(fault.bytes, 32));
      response.end('{"ok":true,"ts":"1.000001"}');
      break;
  }
}

function sendJson(response: http.ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}

async function readText(request: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > BODY_BYTES_MAX) throw new Error('The post is too long.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
