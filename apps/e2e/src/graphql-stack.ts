import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGateway, type Gateway, type GatewayOptions, readEnv } from '@strata/gateway';
import { type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { GraphQLFixture, useGraphQL } from './graphql-access.ts';

/** A gateway in this process, with a proxy between it and the core that records requests. */
export class GraphQLStack extends GraphQLFixture {
  /** The requests that the gateway sent, such as `GET /api/v1/projects/`. */
  /** The requests of the gateway to the core. `VALIDATE` is the method of a GET with an entity tag. */
  readonly upstream: string[] = [];
  /** The number of the next requests whose connection the proxy closes instead of forwarding them. */
  hangUps = 0;

  private constructor(
    core: RunningCore,
    private readonly wire: Server,
    readonly gateway: Gateway,
    url: string,
  ) {
    super(url, core);
  }

  static async start(core?: RunningCore, options: GatewayOptions = {}): Promise<GraphQLStack> {
    let stack: GraphQLStack | null = null;
    const proxyServer = createServer((incoming, outgoing) => stack?.pass(incoming, outgoing));
    await new Promise<void>((resolve) => proxyServer.listen(0, '127.0.0.1', resolve));
    const { port } = proxyServer.address() as AddressInfo;
    const env = readEnv({ STRATA_GATEWAY_PORT: '0', STRATA_CORE_URL: `http://127.0.0.1:${port}` });
    const gateway = await createGateway(env, { logger: false, ...options });
    await gateway.listen(0, '127.0.0.1');
    stack = new GraphQLStack(core ?? (await sharedCore()), proxyServer, gateway, await gateway.url());
    return stack;
  }

  async close(): Promise<void> {
    await this.gateway.close();
    this.wire.closeAllConnections();
    await new Promise((resolve) => this.wire.close(resolve));
  }

  private pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    this.upstream.push(`${incoming.headers['if-none-match'] ? 'VALIDATE' : incoming.method} ${incoming.url}`);
    if (this.hangUps > 0) {
      this.hangUps -= 1;
      incoming.socket.destroy();
      return;
    }
    const { method, url, headers } = incoming;
    const onward = request(this.core.origin + url, { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      outgoing.flushHeaders();
      response.pipe(outgoing);
      response.on('error', () => outgoing.destroy());
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  }
}

/** Starts a stack for one file. The recorded requests are cleared before each test. */
export function useGraphQLStack() {
  const fixture = useGraphQL(() => GraphQLStack.start());
  beforeEach(() => {
    fixture.stack.upstream.length = 0;
  });
  afterAll(() => fixture.stack.close());
  return fixture;
}

/** Returns the next items of a subscription. */
export async function takeNext<T>(iterator: AsyncIterator<T>, count: number): Promise<T[]> {
  const takenItems: T[] = [];
  while (takenItems.length < count) {
    const { done, value } = await iterator.next();
    if (done) throw new Error(`The subscription ended after ${takenItems.length} of ${count}.`);
    takenItems.push(value);
  }
  return takenItems;
}

/** Returns the organization on a restarted core, which has another address. */
export async function afterCoreRestart(
  stack: GraphQLStack,
  previousOrganization: TestOrganization,
): Promise<TestOrganization> {
  const newOrganization = await stack.organization();
  return Object.assign(Object.create(Object.getPrototypeOf(newOrganization)), newOrganization, {
    id: previousOrganization.id,
    name: previousOrganization.name,
    ownerAuthorization: previousOrganization.ownerAuthorization,
    authorizations: new Map(),
  });
}
