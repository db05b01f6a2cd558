import { CorePool } from './core-pool.ts';
import { Events } from './event-stream.ts';
import { Sender } from './resource.ts';
import { resources } from './resources.ts';
import { type Answer, type Call, type Query, Transport } from './transport.ts';

export interface RestClientOptions {
  /** `http://127.0.0.1:3000` */
  readonly origin: string;
  /** The whole header, as the caller sent it: `Api-Key …` or `Bearer …`. Absent: nobody. */
  readonly authorization?: string;
  /** Sent with every request, for instance `x-request-id` and `x-forwarded-for` of the caller's own request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Shared connections. Without it the client opens its own, and `close()` ends them. */
  readonly pool?: CorePool;
}

type Resources = ReturnType<typeof resources>;

/**
 * One caller's view of the core. Cheap to make: one per request when the pool is shared. Refusals of the core are
 * thrown as the Failures they were there; no answer is a Failure `unavailable`.
 */
export class RestClient {
  readonly environments: Resources['environments'];
  readonly projects: Resources['projects'];
  readonly parameters: Resources['parameters'];
  readonly values: Resources['values'];
  readonly types: Resources['types'];
  readonly webhooks: Resources['webhooks'];
  readonly users: Resources['users'];
  readonly memberships: Resources['memberships'];
  readonly serviceAccounts: Resources['serviceAccounts'];
  readonly organizations: Resources['organizations'];
  readonly integrations: Resources['integrations'];
  readonly explore: Resources['explore'];
  readonly transfer: Resources['transfer'];
  readonly auth: Resources['auth'];
  readonly features: Resources['features'];
  readonly effective: Resources['effective'];
  readonly events: Events;
  private readonly sender: Sender;
  private readonly ownPool: CorePool | null;

  constructor({ origin, authorization, headers = {}, pool }: RestClientOptions) {
    const shared = pool ?? new CorePool(origin);
    this.ownPool = pool === undefined ? shared : null;
    const transport = new Transport(shared, {
      ...headers,
      ...(authorization !== undefined && { authorization }),
    });
    this.sender = new Sender(transport);
    const made = resources(this.sender);
    this.environments = made.environments;
    this.projects = made.projects;
    this.parameters = made.parameters;
    this.values = made.values;
    this.types = made.types;
    this.webhooks = made.webhooks;
    this.users = made.users;
    this.memberships = made.memberships;
    this.serviceAccounts = made.serviceAccounts;
    this.organizations = made.organizations;
    this.integrations = made.integrations;
    this.explore = made.explore;
    this.transfer = made.transfer;
    this.auth = made.auth;
    this.features = made.features;
    this.effective = made.effective;
    this.events = new Events(transport);
  }

  /** The newest revision of the organization among all answers so far. */
  get revision(): number | null {
    return this.sender.revision;
  }

  /** Any call, with status, ETag and revision of its answer. */
  request<T>(call: Call): Promise<Answer<T>> {
    return this.sender.send(call);
  }

  get<T>(path: string, query?: Query): Promise<T> {
    return this.sender.body({ method: 'GET', path, query });
  }

  post<T>(path: string, body: unknown): Promise<T> {
    return this.sender.body({ method: 'POST', path, body });
  }

  put<T>(path: string, body: unknown): Promise<T> {
    return this.sender.body({ method: 'PUT', path, body });
  }

  patch<T>(path: string, body: unknown): Promise<T> {
    return this.sender.body({ method: 'PATCH', path, body });
  }

  async delete(path: string): Promise<void> {
    await this.sender.send({ method: 'DELETE', path });
  }

  /** Ends the connections that belong to this client; a shared pool belongs to whoever made it. */
  async close(): Promise<void> {
    await this.ownPool?.close();
  }
}
