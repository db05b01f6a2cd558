import { Agent, fetch } from 'undici';
import type { AddressGuard } from './address-guard.ts';
import { requestFenceError } from './request-fence.ts';

/** A limit keeps a malicious response from filling the memory. */
const BODY_BYTES_MAX = 1_048_576;
const TIMEOUT_MS = 5_000;

export interface GuardedFetch {
  readonly fetch: (url: string, init?: RequestInit) => Promise<Response>;
  /** Closes all connections. */
  destroy(): void;
}

/**
 * Returns a `fetch` with limits on time and length. It follows no redirects. Every connection passes the guard, and every
 * request its fence.
 */
export function createGuardedFetch(guard: AddressGuard): GuardedFetch {
  const agent = new Agent({
    connect: { lookup: guard.lookup, timeout: TIMEOUT_MS },
    maxResponseSize: BODY_BYTES_MAX,
  });
  return {
    fetch: async (url, init = {}) => {
      guard.assertHost(new URL(url));
      if (guard.fence?.isOpen() === false) throw requestFenceError();
      const signals = [AbortSignal.timeout(TIMEOUT_MS), ...(guard.fence ? [guard.fence.signal] : [])];
      const limits = { dispatcher: agent, redirect: 'error', signal: AbortSignal.any(signals) } as const;
      return (await fetch(url, { ...(init as object), ...limits })) as unknown as Response;
    },
    destroy: () => void agent.destroy(),
  };
}
