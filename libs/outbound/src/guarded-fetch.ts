import { Agent, fetch } from 'undici';
import type { AddressGuard } from './address-guard.ts';
import { requestFenceError } from './request-fence.ts';

/** A limit keeps a malicious response from filling the memory. It counts bytes before they are decompressed. */
const BODY_BYTES_MAX = 1_048_576;
const TIMEOUT_MS = 5_000;
const UNCOMPRESSED = 'identity';

/** The code of the error of a response that is compressed although the request does not allow it. */
export const COMPRESSED_RESPONSE = 'COMPRESSED_RESPONSE';

export interface GuardedFetch {
  readonly fetch: (url: string, init?: RequestInit) => Promise<Response>;
  /** Closes all connections. */
  destroy(): void;
}

/**
 * Returns a `fetch` with limits on time and length. It follows no redirects, and rejects compressed responses. Every
 * connection passes the guard, and every request its fence.
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
      const headers = new Headers(init.headers);
      headers.set('accept-encoding', UNCOMPRESSED);
      const response = (await fetch(url, {
        ...(init as object),
        headers: [...headers],
        ...limits,
      })) as unknown as Response;
      await assertNotCompressed(response);
      return response;
    },
    destroy: () => void agent.destroy(),
  };
}

async function assertNotCompressed({ headers, body }: Response): Promise<void> {
  if ((headers.get('content-encoding') ?? UNCOMPRESSED) === UNCOMPRESSED) return;
  await body?.cancel();
  throw Object.assign(new Error('The response is compressed, which the request did not allow.'), {
    code: COMPRESSED_RESPONSE,
  });
}
