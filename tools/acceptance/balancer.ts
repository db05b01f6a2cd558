import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setInterval } from 'node:timers';

/** A load balancer that sends each request to one of the backends whose `/readyz` succeeds, in turn. */
export class Balancer {
  private readonly ready: string[] = [];
  private backends: readonly string[] = [];
  private turn = 0;
  private readonly server = http.createServer((request, response) => this.pass(request, response));
  private readonly timer = setInterval(() => void this.check(), 100);

  static async open(): Promise<Balancer> {
    const balancer = new Balancer();
    await new Promise<void>((resolve) => balancer.server.listen(0, '127.0.0.1', resolve));
    return balancer;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Sets the addresses of the backends, and resolves when all of them are ready. */
  async use(origins: readonly string[]): Promise<void> {
    this.backends = origins;
    while (this.ready.length < origins.length) await this.check();
  }

  close(): void {
    clearInterval(this.timer);
    this.server.closeAllConnections();
    this.server.close();
  }

  private async check(): Promise<void> {
    const { backends } = this;
    const states = await Promise.all(
      backends.map((origin) =>
        fetch(`${origin}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        ),
      ),
    );
    if (backends === this.backends) this.ready.splice(0, Infinity, ...backends.filter((_, index) => states[index]));
  }

  private pass(request: http.IncomingMessage, response: http.ServerResponse): void {
    const backend = this.ready[this.turn++ % this.ready.length];
    const fail = () => response.writeHead(502).end();
    if (backend === undefined) return void fail();
    const { method, headers } = request;
    const upstream = http.request(`${backend}${request.url}`, { method, headers, agent: false }, (upstreamResponse) => {
      response.writeHead(upstreamResponse.statusCode ?? 502, upstreamResponse.headers);
      upstreamResponse.pipe(response);
    });
    upstream.on('error', fail);
    request.pipe(upstream);
  }
}
