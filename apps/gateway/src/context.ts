import type { SubscriptionManager } from './changes/subscription-manager.ts';
import type { CoreClient } from './core.ts';
import type { ValueSubscriptions } from './effective-values/value-subscriptions.ts';
import { Loaders } from './loaders.ts';
import { ResponseSources } from './response-store/response-sources.ts';

/** Created for each operation, so that no cached row or credential outlives it. */
export interface GatewayContext {
  readonly authorization: string;
  readonly requestId: string;
  readonly core: CoreClient;
  /** Collects the reads of the operation. */
  readonly sources: ResponseSources;
  /** The cached reads; replaced after each write. */
  loaders: Loaders;
  readonly subscriptions: SubscriptionManager;
  readonly valueSubscriptions: ValueSubscriptions;
  /** The address of the REST API for programs. */
  readonly apiUrl: string;
  /** Closes the whole websocket of the operation; absent over HTTP. */
  readonly closeSocket?: (code: number, reason: string) => void;
}

export interface IncomingRequest {
  readonly authorization: string;
  readonly requestId: string;
  /** The network address of the caller. */
  readonly address?: string;
  /** The caller's key for its writes, so that the request can be repeated safely. */
  readonly idempotencyKey?: string;
  /** Where the reads of the operation are collected; absent over websockets, whose responses are not stored. */
  readonly sources?: ResponseSources;
  readonly closeSocket?: (code: number, reason: string) => void;
}

export function createContext(
  arrival: IncomingRequest,
  coreFor: (arrival: IncomingRequest, sources: ResponseSources) => CoreClient,
  sharedContext: Pick<GatewayContext, 'subscriptions' | 'valueSubscriptions' | 'apiUrl'>,
): GatewayContext {
  const { sources = new ResponseSources() } = arrival;
  const core = coreFor(arrival, sources);
  return { ...arrival, ...sharedContext, core, sources, loaders: new Loaders(core) };
}

/** Call this after each write, because it may change the cached rows. */
export function clearReads(context: GatewayContext): void {
  context.loaders = new Loaders(context.core);
}
