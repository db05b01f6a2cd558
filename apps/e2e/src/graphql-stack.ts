import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Core, createCore, readEnv as readCoreEnv } from '@strata/core';
import { createGateway, type Gateway, readEnv } from '@strata/gateway';
import { createTestDatabase, organization, type TestOrganization, testCredentials } from '@strata/testkit';
import { type Client, createClient } from 'graphql-ws';
import { WebSocket } from 'ws';

/** An answer of the gateway. Tests look into it as a client would, without generated types. */
export interface GraphQLAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what the query asked for
  readonly data: any;
  readonly errors?: readonly { readonly message: string; readonly extensions: Record<string, unknown> }[];
  readonly extensions?: Record<string, unknown>;
}

/** A core, a gateway, and between them a wire that counts and can be cut. */
export class GraphQLStack {
  /** Requests that the gateway made, as `GET /api/v1/projects/`. */
  readonly upstream: string[] = [];
  private core: Core | null = null;
  private coreOrigin = '';

  private constructor(
    private readonly databaseUrl: string,
    private readonly drop: () => Promise<void>,
    private readonly coreSettings: Readonly<Record<string, string>>,
    private readonly wire: Server,
    readonly gateway: Gateway,
    readonly url: string,
  ) {}

  static async start(coreSettings: Readonly<Record<string, string>> = {}): Promise<GraphQLStack> {
    const database = await createTestDatabase();
    let stack: GraphQLStack | null = null;
    const wire = createServer((incoming, outgoing) => stack?.pass(incoming, outgoing));
    await new Promise<void>((resolve) => wire.listen(0, '127.0.0.1', resolve));
    const { port } = wire.address() as AddressInfo;
    const env = readEnv({ STRATA_GATEWAY_PORT: '0', STRATA_CORE_URL: `http://127.0.0.1:${port}` });
    const gateway = await createGateway(env, { logger: false });
    await gateway.listen(0, '127.0.0.1');
    stack = new GraphQLStack(database.url, () => database.drop(), coreSettings, wire, gateway, await gateway.url());
    await stack.startCore();
    return stack;
  }

  async startCore(): Promise<void> {
    const env = readCoreEnv({
      DATABASE_URL: this.databaseUrl,
      STRATA_ROOT_KEY: testCredentials().rootKey,
      STRATA_PORT: '0',
      STRATA_LOG_LEVEL: 'silent',
      ...this.coreSettings,
    });
    this.core = await createCore(env);
    this.coreOrigin = await this.core.listen(0, '127.0.0.1');
  }

  async stopCore(): Promise<void> {
    await this.core?.close();
    this.core = null;
  }

  organization(): Promise<TestOrganization> {
    const { ownerEmail, ownerPassword } = testCredentials();
    return organization({ origin: this.coreOrigin, ownerEmail, ownerPassword });
  }

  async ask(query: string, variables: Record<string, unknown> = {}, authorization = ''): Promise<GraphQLAnswer> {
    return this.post({ query, variables }, authorization);
  }

  /** The data of a question that must be answered without errors. */
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what the query asked for
  async data(query: string, variables: Record<string, unknown>, authorization: string): Promise<any> {
    const { data, errors } = await this.ask(query, variables, authorization);
    if (errors) throw new Error(JSON.stringify(errors));
    return data;
  }

  async post(body: unknown, authorization = '', headers: Record<string, string> = {}): Promise<GraphQLAnswer> {
    const answer = await fetch(`${this.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(authorization && { authorization }), ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { status: answer.status, ...((await answer.json()) as Omit<GraphQLAnswer, 'status'>) };
  }

  get socketUrl(): string {
    return `${this.url.replace('http', 'ws')}/graphql`;
  }

  /** The client that a frontend would use; it gives up at once instead of hiding trouble. */
  socket(authorization: string): Client {
    return createClient({
      url: this.socketUrl,
      webSocketImpl: WebSocket,
      connectionParams: { Authorization: authorization },
      retryAttempts: 0,
    });
  }

  async close(): Promise<void> {
    await this.gateway.close();
    await this.stopCore();
    this.wire.closeAllConnections();
    await new Promise((resolve) => this.wire.close(resolve));
    await this.drop();
  }

  private pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    this.upstream.push(`${incoming.method} ${incoming.url}`);
    if (this.core === null) {
      incoming.socket.destroy();
      return;
    }
    const { method, url, headers } = incoming;
    const onward = request(this.coreOrigin + url, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      outgoing.flushHeaders();
      answer.pipe(outgoing);
      answer.on('error', () => outgoing.destroy());
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  }
}

/** A stack for all tests of a file, and a new organization for each of them. */
export function stackOfFile(coreSettings: Readonly<Record<string, string>> = {}) {
  let stack: GraphQLStack;
  let house: TestOrganization;
  beforeAll(async () => {
    stack = await GraphQLStack.start(coreSettings);
  }, 90_000);
  afterAll(() => stack.close());
  beforeEach(async () => {
    house = await stack.organization();
    stack.upstream.length = 0;
  });
  return {
    get stack() {
      return stack;
    },
    get house() {
      return house;
    },
    /** Asks as the owner of the organization. */
    ask: (query: string, variables: Record<string, unknown> = {}) =>
      stack.data(query, variables, house.ownerAuthorization),
  };
}

/** The changes of a subscription, one by one. */
export async function take<T>(iterator: AsyncIterator<T>, count: number): Promise<T[]> {
  const taken: T[] = [];
  while (taken.length < count) {
    const { done, value } = await iterator.next();
    if (done) throw new Error(`The subscription ended after ${taken.length} of ${count}.`);
    taken.push(value);
  }
  return taken;
}
