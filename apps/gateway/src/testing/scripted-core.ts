import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ConfigurationEvent, encodeCursor } from '@strata/domain';

const EPOCH = '00000000-0000-4000-8000-000000000001';
/** Returns the cursor after the nth change of the script. */
export const cursorAt = (revision: number) => encodeCursor({ epoch: EPOCH, revision, ordinal: 0 });
const named = { id: 'x', name: 'x' };

function eventAt(revision: number, name: string): ConfigurationEvent {
  return {
    cursor: cursorAt(revision),
    type: revision % 2 === 0 ? 'value_updated' : 'value_created',
    action: 'update',
    revision,
    at: '2026-01-01T00:00:00.000001Z',
    actor: { ...named, type: 'service' },
    object: { id: 'x', name, type: 'Value' },
    project: revision % 3 === 0 ? { id: 'p3', name: 'p3' } : { id: 'p', name: 'p' },
    environment: null,
    parameter: null,
    changeset: revision,
    message: null,
  };
}

/**
 * Implements the parts of the core's API that subscriptions need. Tests define its history. It can produce faults and
 * floods that are too rare or too slow with a real core.
 */
export class ScriptedCore {
  readonly history: ConfigurationEvent[] = [];
  readonly requests: string[] = [];
  /** The headers of the latest request. */
  headers: IncomingHttpHeaders = {};
  /** If set, the next requests receive this error. */
  error: { status: number; code: string } | null = null;
  /** The response to requests that do not concern events. A text is sent unchanged, even if it is not valid JSON. */
  answer: object | string = {};
  /** A credential that the core rejects. */
  rejectedCredential: string | null = null;
  /** Lists of events are returned after this promise has resolved. */
  patience: Promise<void> = Promise.resolve();
  /** The name of the objects in all later changes. */
  objectName = 'x';
  /** The number of latest events that lists do not contain yet. */
  listLag = 0;
  private readonly streams = new Set<ServerResponse>();
  private server: Server | null = null;
  private port = 0;

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', this.origin);
      this.requests.push(pathname);
      this.headers = request.headers;
      const isRejected = this.rejectedCredential !== null && request.headers.authorization === this.rejectedCredential;
      const error = isRejected ? { status: 403, code: 'bad_credential' } : this.error;
      if (error) {
        response.writeHead(error.status, {
          'x-error-code': error.code,
          'content-type': 'application/json',
        });
        response.end('{"detail":"Rejected."}');
      } else if (!pathname.startsWith('/api/v1/events/')) sendJson(response, this.answer);
      else if (pathname.endsWith('/stream/')) this.open(response, searchParams.get('after'));
      else void this.patience.then(() => this.list(response, searchParams));
    });
    this.server = server;
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    this.port = (server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    const { server } = this;
    for (const stream of this.streams) stream.destroy();
    this.streams.clear();
    server?.closeAllConnections();
    if (server) await new Promise((resolve) => server.close(resolve));
  }

  write(count = 1): void {
    for (let i = 0; i < count; i += 1) {
      const event = eventAt(this.history.length + 1, this.objectName);
      this.history.push(event);
      for (const stream of this.streams) stream.write(frame(event));
    }
  }

  announceClose(code: string): void {
    for (const stream of this.streams) stream.end(`event: close\ndata: ${JSON.stringify({ code, detail: code })}\n\n`);
    this.streams.clear();
  }

  private open(response: ServerResponse, after: string | null): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const start = after === null ? this.history.length : this.indexAfter(after);
    const cursor = cursorAt(start);
    response.write(`id: ${cursor}\nevent: bookmark\ndata: ${JSON.stringify({ cursor, revision: start })}\n\n`);
    for (const event of this.history.slice(start)) response.write(frame(event));
    this.streams.add(response);
    response.on('close', () => this.streams.delete(response));
  }

  private list(response: ServerResponse, query: URLSearchParams): void {
    const start = this.indexAfter(query.get('after') ?? '');
    const end = Math.min(start + Number(query.get('limit')), this.history.length - this.listLag);
    this.listLag = 0;
    const results = this.history.slice(start, end);
    const cursor = cursorAt(Math.max(start, end));
    sendJson(response, { results, cursor, more: end < this.history.length && results.length > 0 });
  }

  private indexAfter(cursor: string): number {
    return this.history.findIndex((event) => event.cursor === cursor) + 1;
  }
}

function frame(event: ConfigurationEvent): string {
  return `id: ${event.cursor}\nevent: change\ndata: ${JSON.stringify(event)}\n\n`;
}

function sendJson(response: ServerResponse, body: object | string): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}
