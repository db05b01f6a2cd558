import { addressGuard } from '@strata/outbound';
import { Agent, fetch } from 'undici';

/** Key sets and metadata are a few kilobytes long. The limit keeps a malicious response from filling the memory. */
const BODY_BYTES_MAX = 1_048_576;
const TIMEOUT_MS = 5_000;

/** A `fetch` for the metadata, the key sets and the token endpoint of an issuer. */
export type IssuerFetch = (url: string, init?: RequestInit) => Promise<Response>;

/** Returns a guarded `fetch` with limits on time and length that follows no redirects. */
export function createIssuerFetch({ allowPrivate }: { readonly allowPrivate: boolean }): IssuerFetch {
  const guard = addressGuard({ allowPrivate, setting: 'STRATA_PRIVATE_ISSUERS' });
  const agent = new Agent({
    connect: { lookup: guard.lookup, timeout: TIMEOUT_MS },
    maxResponseSize: BODY_BYTES_MAX,
  });
  return async (url, init = {}) => {
    guard.assertHost(new URL(url));
    const limits = { dispatcher: agent, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) } as const;
    return (await fetch(url, { ...(init as object), ...limits })) as unknown as Response;
  };
}
