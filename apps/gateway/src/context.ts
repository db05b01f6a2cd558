import type { SubscriptionManager } from './changes/subscription-manager.ts';
import type { CoreClient } from './core.ts';
import type { ValueSubscriptions } from './effective-values/value-subscriptions.ts';
import { createLoaders, type Loaders } from './loaders.ts';

/** Created for each operation, so that no cached row or credential outlives it. */
export interface GatewayContext {
  readonly authorization: string;
  readonly requestId: string;
  readonly core: CoreClient;
  /** The cached reads; replaced after each write. */
  loaders: Loaders;
  readonly subscriptions: SubscriptionManager;
  readonly valueSubscriptions: ValueSubscriptions;
  /** The address of the REST API for programs. */
  readonly apiUrl: string;
  /** Closes the whole websocket of the operation; absent over HTTP. */
  readonly closeSocket?: (code: number, reason: string) => void;
}

export interface RequestSource {
  readonly authorization: string;
  readonly requestId: string;
  /** The network address of the caller. */
  readonly address?: string;
  /** The caller's key for its writes, so that the request can be repeated safely. */
  readonly idempotencyKey?: string;
  readonly closeSocket?: (code: number, reason: string) => void;
}

export function createContext(
  arrival: RequestSource,
  coreFor: (arrival: RequestSource) => CoreClient,
  shared: Pick<GatewayContext, 'subscriptions' | 'valueSubscriptions' | 'apiUrl'>,
): GatewayContext {
  const core = coreFor(arrival);
  return { ...arrival, ...shared, core, loaders: createLoaders(core) };
}

/** Call this after each write, because it may change the cached rows. */
export function clearReads(context: GatewayContext): void {
  context.loaders = createLoaders(context.core);
}
