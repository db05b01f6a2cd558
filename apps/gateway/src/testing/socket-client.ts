import { type RawData, WebSocket } from 'ws';

export const CREDENTIAL = 'Api-Key abcdefgh.0123456789012345678901234567890123456789012';

const RECEIVES_WITHIN_MS = 30_000;

/** A message of the protocol graphql-transport-ws. */
export interface SocketMessage {
  readonly type: string;
  readonly id?: string;
  readonly payload?: unknown;
}

/** A client that sends exactly the messages of the test. */
export class SocketClient {
  readonly received: SocketMessage[] = [];
  readonly ended: Promise<{ code: number; reason: string }>;
  readonly socket: WebSocket;

  constructor(address: string, protocol = 'graphql-transport-ws', headers: Record<string, string> = {}) {
    this.socket = new WebSocket(address, protocol, { headers });
    this.socket.on('message', (data: RawData) => void this.received.push(JSON.parse(String(data))));
    this.socket.on('error', () => {});
    this.ended = new Promise((resolve) =>
      this.socket.once('close', (code, reason) => resolve({ code, reason: String(reason) })),
    );
  }

  async open(): Promise<this> {
    await new Promise((resolve) => this.socket.once('open', resolve));
    return this;
  }

  async init(payload: object = { Authorization: CREDENTIAL }): Promise<this> {
    await this.open();
    this.send({ type: 'connection_init', payload });
    await this.receives(({ type }) => type === 'connection_ack');
    return this;
  }

  send(message: object | string): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  subscribe(id: string, query: string, variables: object = {}): void {
    this.send({ id, type: 'subscribe', payload: { query, variables } });
  }

  /** Fails before the timeout of the test, with the messages that were received instead. */
  async receives(isExpected: (message: SocketMessage) => boolean): Promise<SocketMessage> {
    const until = performance.now() + RECEIVES_WITHIN_MS;
    while (performance.now() < until) {
      const match = this.received.find(isExpected);
      if (match) return match;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    throw new Error(`The message that was waited for never came, only ${JSON.stringify(this.received.slice(-5))}`);
  }

  count(type: string): number {
    return this.received.filter((message) => message.type === type).length;
  }
}
