import { type RunningCore, sharedCore, sharedGateway, type TestOrganization } from '@strata/testkit';
import { type Client, createClient } from 'graphql-ws';
import { WebSocket } from 'ws';

/** A response of the gateway. Tests read it as a client would, without generated types. */
export interface GraphQLResult {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the query determines the shape
  readonly data: any;
  readonly errors?: readonly { readonly message: string; readonly extensions: Record<string, unknown> }[];
  readonly extensions?: Record<string, unknown>;
}

/** Access to a gateway, as a frontend has it, and to the core behind it. */
export class GraphQLFixture {
  constructor(
    readonly url: string,
    /** The core behind the gateway, which a restart replaces. */
    public core: RunningCore,
  ) {}

  organization(): Promise<TestOrganization> {
    return this.core.organization();
  }

  async request(query: string, variables: Record<string, unknown> = {}, authorization = ''): Promise<GraphQLResult> {
    return this.post({ query, variables }, authorization);
  }

  /** Returns the data of a request. Throws if the response contains errors. */
  // biome-ignore lint/suspicious/noExplicitAny: the query determines the shape
  async data(query: string, variables: Record<string, unknown>, authorization: string): Promise<any> {
    const { data, errors } = await this.request(query, variables, authorization);
    if (errors) throw new Error(JSON.stringify(errors));
    return data;
  }

  async post(body: unknown, authorization = '', headers: Record<string, string> = {}): Promise<GraphQLResult> {
    const response = await fetch(`${this.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(authorization && { authorization }), ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { status: response.status, ...((await response.json()) as Omit<GraphQLResult, 'status'>) };
  }

  get socketUrl(): string {
    return `${this.url.replace('http', 'ws')}/graphql`;
  }

  /** Returns the websocket client of a frontend. It does not reconnect, so that tests notice a lost connection. */
  socket(authorization: string): Client {
    return createClient({
      url: this.socketUrl,
      webSocketImpl: WebSocket,
      connectionParams: { Authorization: authorization },
      retryAttempts: 0,
    });
  }
}

/** Returns the gateway and the core that all files of a worker share. Each test uses its own organization. */
export async function sharedGraphQL(): Promise<GraphQLFixture> {
  return new GraphQLFixture((await sharedGateway()).origin, await sharedCore());
}

/** Provides the shared gateway, and a new organization for each test of the file. */
export const useSharedGraphQL = () => useGraphQL(sharedGraphQL);

/** Opens one gateway for all tests of a file, and creates a new organization for each test. */
export function useGraphQL<GraphQLAccess extends GraphQLFixture>(open: () => Promise<GraphQLAccess>) {
  let stack: GraphQLAccess;
  let organization: TestOrganization;
  beforeAll(async () => {
    stack = await open();
  });
  beforeEach(async () => {
    organization = await stack.organization();
  });
  return {
    get stack() {
      return stack;
    },
    get organization() {
      return organization;
    },
    /** Sends a request as the owner of the organization. */
    request: (query: string, variables: Record<string, unknown> = {}) =>
      stack.data(query, variables, organization.ownerAuthorization),
  };
}
