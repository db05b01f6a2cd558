import http from 'node:http';
import { LocalServers } from '@strata/testkit';

/** A request as an endpoint receives it. */
export interface ReceivedRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** When it arrived, in milliseconds. */
  readonly time: number;
}

/** The response of an endpoint, once. */
export interface ScriptedResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** It is sent when this resolves. */
  readonly after?: Promise<unknown>;
}

/** An HTTP server that records requests. It responds with 204 unless another response is scripted for the path. */
export class Receiver {
  readonly requests: ReceivedRequest[] = [];
  private readonly scripts = new Map<string, ScriptedResponse[]>();
  private readonly servers = new LocalServers();
  private url = '';

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    receiver.url = await receiver.servers.serve((request, response) => void receiver.respond(request, response));
    return receiver;
  }

  /** Returns an address that ends in these characters. */
  address(path: string): string {
    return `${this.url}/${path}`;
  }

  /** Scripts the next responses of a path. */
  script(path: string, ...responses: ScriptedResponse[]): void {
    this.scripts.set(`/${path}`, responses);
  }

  /** Responds with a status from now on. */
  break(path: string, status: number): void {
    this.script(path, ...Array.from({ length: 1_000 }, () => ({ status })));
  }

  repair(path: string): void {
    this.scripts.delete(`/${path}`);
  }

  at(path: string): readonly ReceivedRequest[] {
    return this.requests.filter((request) => request.path === `/${path}`);
  }

  close(): void {
    this.servers.close();
  }

  private async respond(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const path = new URL(request.url ?? '/', 'http://receiver').pathname;
    this.requests.push({
      path,
      headers: request.headers as Record<string, string>,
      body: Buffer.concat(chunks).toString(),
      time: performance.now(),
    });
    const { status, headers = {}, after } = this.scripts.get(path)?.shift() ?? { status: 204 };
    await after;
    response.writeHead(status, headers).end();
  }
}
