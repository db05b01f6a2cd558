import { CorePool } from './core-pool.ts';
import { Events } from './event-stream.ts';
import { type RestRequest, type RestResponse, Transport } from './transport.ts';

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

/**
 * One caller's view of the core. Cheap to make: one per request when the pool is shared. Refusals of the core are
 * thrown as the Failures they were there; no answer is a Failure `unavailable`.
 */
export class RestClient {
  readonly events: Events;
  private readonly transport: Transport;
  private readonly ownPool: CorePool | null;

  constructor({ origin, authorization, headers = {}, pool }: RestClientOptions) {
    const shared = pool ?? new CorePool(origin);
    this.ownPool = pool === undefined ? shared : null;
    this.transport = new Transport(shared, { ...headers, ...(authorization !== undefined && { authorization }) });
    this.events = new Events(this.transport);
  }

  /** Any call, with status, ETag and revision of its answer. */
  request<T>(call: RestRequest): Promise<RestResponse<T>> {
    return this.transport.send(call);
  }

  /** Ends the connections that belong to this client; a shared pool belongs to whoever made it. */
  async close(): Promise<void> {
    await this.ownPool?.close();
  }
}
