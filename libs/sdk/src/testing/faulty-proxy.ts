import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Interception = (request: IncomingMessage, response: ServerResponse) => boolean;

/** A proxy before a running core, which can fail in every way that a network can. */
export class FaultyProxy {
  /** The path and query of each request. */
  readonly requests: string[] = [];
  /** Answers a request itself if it returns true. */
  intercept: Interception = () => false;
  /** Whether streams reach the program only when they have ended, as behind a proxy that buffers. */
  isBuffering = false;
  private readonly open = new Set<ServerResponse>();
  private readonly muted = new Set<ServerResponse>();

  private constructor(
    public origin: string,
    private server: http.Server,
    readonly port: number,
  ) {}

  static async before(origin: string): Promise<FaultyProxy> {
    const server = http.createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const proxy = new FaultyProxy(origin, server, (server.address() as AddressInfo).port);
    server.on('request', proxy.forward);
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The number of streams that are open. */
  get streams(): number {
    return this.open.size;
  }

  count(pattern: RegExp): number {
    return this.requests.filter((request) => pattern.test(request)).length;
  }

  cut(): void {
    for (const response of this.open) response.destroy();
  }

  /** Stops the data of the streams that are open. Their connections stay open. */
  mute(): void {
    for (const response of this.open) this.muted.add(response);
  }

  /** Refuses connections. */
  async goDown(): Promise<void> {
    const closePromise = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closePromise;
  }

  async comeUp(): Promise<void> {
    this.server = http.createServer(this.forward);
    await new Promise<void>((resolve) => this.server.listen(this.port, '127.0.0.1', resolve));
  }

  private readonly forward = (request: IncomingMessage, response: ServerResponse): void => {
    this.requests.push(`${request.method} ${request.url}`);
    if (this.intercept(request, response)) return;
    const { method, headers } = request;
    const target = http.request(
      `${this.origin}${request.url}`,
      { method, headers, agent: false },
      (upstreamResponse) => {
        const isStream = String(upstreamResponse.headers['content-type']).startsWith('text/event-stream');
        if (isStream && this.isBuffering) return;
        response.writeHead(upstreamResponse.statusCode ?? 500, upstreamResponse.headers);
        response.flushHeaders();
        if (isStream) this.open.add(response);
        upstreamResponse.on('data', (data) => this.muted.has(response) || response.write(data));
        upstreamResponse.on('end', () => this.muted.has(response) || response.end());
        upstreamResponse.on('error', () => response.destroy());
      },
    );
    target.on('error', () => response.destroy());
    response.on('close', () => {
      this.open.delete(response);
      target.destroy();
    });
    request.pipe(target);
  };
}
