import type { CorePool } from './core-pool.ts';
import { Events } from './event-stream.ts';
import { type RestRequest, type RestResponse, Transport } from './transport.ts';

export interface RestClientOptions {
  /** Connections to the core, shared with other clients; whoever made them closes them. */
  readonly pool: CorePool;
  /** The whole header, as the caller sent it: `Api-Key …` or `Bearer …`. Absent: nobody. */
  readonly authorization?: string;
  /** Sent with every request, for instance `x-request-id` and `x-forwarded-for` of the caller's own request. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * One caller's view of the core. Cheap to make: one per request. Refusals of the core are thrown as the Failures they
 * were there; no answer is a Failure `unavailable`.
 */
export class RestClient {
  readonly events: Events;
  private readonly transport: Transport;

  constructor({ pool, authorization, headers = {} }: RestClientOptions) {
    this.transport = new Transport(pool, { ...headers, ...(authorization !== undefined && { authorization }) });
    this.events = new Events(this.transport);
  }

  /** Any call, with status, ETag and revision of its answer. */
  request<T>(call: RestRequest): Promise<RestResponse<T>> {
    return this.transport.send(call);
  }
}
