import { type RunningCore, sharedCore, sharedGateway, type TestOrganization } from '@strata/testkit';
import { type Client, createClient } from 'graphql-ws';
import { WebSocket } from 'ws';

/** An answer of the gateway. Tests look into it as a client would, without generated types. */
export interface GraphQLResult {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the query determines the shape
  readonly data: any;
  readonly errors?: readonly { readonly message: string; readonly extensions: Record<string, unknown> }[];
  readonly extensions?: Record<string, unknown>;
}

/** The interface of a frontend to a gateway and the core behind it. */
export class GraphQLFixture {
  constructor(
    readonly url: string,
    /** Behind the gateway; another one after a restart. */
    public core: RunningCore,
  ) {}

  organization(): Promise<TestOrganization> {
    return this.core.organization();
  }

  async request(query: string, variables: Record<string, unknown> = {}, authorization = ''): Promise<GraphQLResult> {
    return this.post({ query, variables }, authorization);
  }

  /** The data of a question that must be answered without errors. */
  // biome-ignore lint/suspicious/noExplicitAny: the query determines the shape
  async data(query: string, variables: Record<string, unknown>, authorization: string): Promise<any> {
    const { data, errors } = await this.request(query, variables, authorization);
    if (errors) throw new Error(JSON.stringify(errors));
    return data;
  }

  async post(body: unknown, authorization = '', headers: Record<string, string> = {}): Promise<GraphQLResult> {
    const answer = await fetch(`${this.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(authorization && { authorization }), ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { status: answer.status, ...((await answer.json()) as Omit<GraphQLResult, 'status'>) };
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
}

/** The gateway that all files of a worker share, as processes: tests live in organizations of their own. */
export async function sharedGraphQL(): Promise<GraphQLFixture> {
  return new GraphQLFixture((await sharedGateway()).origin, await sharedCore());
}

/** The shared gateway, and a new organization for each test of the file. */
export const useSharedGraphQL = () => useGraphQL(sharedGraphQL);

/** Opens one for all tests of a file, and makes a new organization for each of them. */
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
