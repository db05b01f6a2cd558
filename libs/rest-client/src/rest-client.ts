import type { CorePool } from './core-pool.ts';
import { EffectiveStreams } from './effective-stream.ts';
import { Events } from './event-stream.ts';
import { type RestRequest, type RestResponse, Transport } from './transport.ts';

interface RestClientOptions {
  /** Connections to the core, shared with other clients. Their creator closes them. */
  readonly pool: CorePool;
  /** The whole header as the caller sent it: `Api-Key …` or `Bearer …`. If absent, requests are anonymous. */
  readonly authorization?: string;
  /** Sent with every request, for instance `x-request-id` and `x-forwarded-for` of the caller's own request. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * One caller's client of the core. Cheap to create: use one per request. Error responses of the core are thrown as
 * Failures; if there is no response, a Failure `unavailable` is thrown.
 */
export class RestClient {
  readonly events: Events;
  readonly effectiveValues: EffectiveStreams;
  private readonly transport: Transport;

  constructor({ pool, authorization, headers = {} }: RestClientOptions) {
    this.transport = new Transport(pool, { ...headers, ...(authorization !== undefined && { authorization }) });
    this.events = new Events(this.transport);
    this.effectiveValues = new EffectiveStreams(this.transport);
  }

  /** Sends any request and returns the status, ETag and revision of the response. */
  request<T>(call: RestRequest): Promise<RestResponse<T>> {
    return this.transport.send(call);
  }
}
