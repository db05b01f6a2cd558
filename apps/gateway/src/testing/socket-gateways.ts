import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { readEnv } from '../env.ts';
import { createGateway, type Gateway, type GatewayOptions } from '../gateway.ts';
import { ScriptedCore } from './scripted-core.ts';
import { CREDENTIAL, SocketClient } from './socket-client.ts';

/** A scripted core, its gateways and their websocket clients, for one test. */
export class SocketGateways {
  private readonly gateways: Gateway[] = [];
  private readonly clients: SocketClient[] = [];

  private constructor(readonly core: ScriptedCore) {}

  static async begin(): Promise<SocketGateways> {
    const core = new ScriptedCore();
    await core.start();
    return new SocketGateways(core);
  }

  async end(): Promise<void> {
    for (const { socket } of this.clients) socket.terminate();
    await Promise.all(this.gateways.map((gateway) => gateway.close()));
    await this.core.stop();
  }

  /** Starts a gateway with these settings, and returns its websocket URL. */
  async start(
    settings: Readonly<Record<string, string>> = {},
    socketTimes: GatewayOptions['socketTimes'] = {},
    options: Pick<GatewayOptions, 'slowAfterMs'> = {},
  ): Promise<string> {
    const env = readEnv({ STRATA_CORE_URL: this.core.origin, ...settings });
    const gateway = await createGateway(env, { logger: false, socketTimes, ...options });
    this.gateways.push(gateway);
    await gateway.listen(0, '127.0.0.1');
    return `${(await gateway.url()).replace('http', 'ws')}/graphql`;
  }

  client(url: string, headers: Record<string, string> = {}): SocketClient {
    const createdSocket = new SocketClient(url, 'graphql-transport-ws', headers);
    this.clients.push(createdSocket);
    return createdSocket;
  }

  signedIn(url: string, Authorization = CREDENTIAL): Promise<SocketClient> {
    return this.client(url).init({ Authorization });
  }
}

/** Tries to open a websocket, and returns the status and `Retry-After` of the response. */
export function upgrade(
  url: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; retryAfter?: string }> {
  return new Promise((resolve, reject) => {
    const attempt = request(url.replace('ws', 'http'), {
      headers: {
        connection: 'upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': Buffer.alloc(16).toString('base64'),
        'sec-websocket-protocol': 'graphql-transport-ws',
        ...headers,
      },
    });
    attempt.on('upgrade', (_, socket) => {
      socket.destroy();
      resolve({ status: 101 });
    });
    attempt.on('response', (response) => {
      const { statusCode = 0, headers: replyHeaders } = response.resume();
      const retryAfter = replyHeaders['retry-after'];
      resolve({ status: statusCode, ...(retryAfter && { retryAfter }) });
    });
    attempt.on('error', reject).end();
  });
}

/** Retries until an operation is accepted. */
export async function untilAccepted(socket: SocketClient, query: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const operationId = `attempt ${attempt}`;
    socket.subscribe(operationId, query);
    const { type } = await socket.receives(({ id }) => id === operationId);
    if (type === 'next') return;
    await sleep(20);
  }
}

export async function waitUntil(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(5);
}
