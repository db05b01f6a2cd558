import type { SubscriptionManager } from './changes/subscription-manager.ts';
import type { CoreClient } from './core.ts';
import { createLoaders, type Loaders } from './loaders.ts';

/** Made anew for every operation: no cache, and no credential, outlives it. */
export interface GatewayContext {
  readonly authorization: string;
  readonly requestId: string;
  readonly core: CoreClient;
  /** What was read already; another one after each write. */
  loaders: Loaders;
  readonly subscriptions: SubscriptionManager;
  /** Ends the whole websocket that the operation came by; absent over HTTP. */
  readonly closeSocket?: (code: number, reason: string) => void;
}

export interface Arrival {
  readonly authorization: string;
  readonly requestId: string;
  /** Network address of the caller. */
  readonly address?: string;
  /** What the caller calls what is written, so that the request can be sent again. */
  readonly idempotencyKey?: string;
  readonly closeSocket?: (code: number, reason: string) => void;
}

export function createContext(
  arrival: Arrival,
  coreFor: (arrival: Arrival) => CoreClient,
  subscriptions: SubscriptionManager,
): GatewayContext {
  const core = coreFor(arrival);
  return { ...arrival, core, loaders: createLoaders(core), subscriptions };
}

/** To be called when something was written: what was read before may have changed by it. */
export function forgetReads(context: GatewayContext): void {
  context.loaders = createLoaders(context.core);
}
