import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isLinkLocalHost } from '@strata/domain';
import ipaddr from 'ipaddr.js';
import { Agent, fetch } from 'undici';

/** Key sets and metadata are a few kilobytes long. The limit keeps a malicious response from filling the memory. */
const BODY_BYTES_MAX = 1_048_576;
const TIMEOUT_MS = 5_000;

/** A `fetch` for the metadata, the key sets and the token endpoint of an issuer. */
export type IssuerFetch = (url: string, init?: RequestInit) => Promise<Response>;

/**
 * Returns a `fetch` with limits on time and length that follows no redirects. Unless `allowPrivate` is true, it connects
 * to public addresses only. Otherwise the owner of an issuer's DNS name could make Strata send requests into its own
 * network. It checks the address that it connects to, so a name cannot change between check and use. Link-local
 * addresses are always rejected.
 */
export function createIssuerFetch({ allowPrivate }: { readonly allowPrivate: boolean }): IssuerFetch {
  const isAllowed = (address: string) => !isLinkLocal(address) && (allowPrivate || isPublic(address));
  const agent = new Agent({
    connect: { lookup: checkedLookup(isAllowed), timeout: TIMEOUT_MS },
    maxResponseSize: BODY_BYTES_MAX,
  });
  return async (url, init = {}) => {
    const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
    // a literal address is not looked up
    if (isIP(host) !== 0 && !isAllowed(host)) throw forbiddenAddress(host);
    const limits = { dispatcher: agent, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) } as const;
    return (await fetch(url, { ...(init as object), ...limits })) as unknown as Response;
  };
}

function checkedLookup(isAllowed: (address: string) => boolean): LookupFunction {
  return (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, []);
      const forbidden = addresses.find(({ address }) => !isAllowed(address));
      if (forbidden) return done(forbiddenAddress(host), []);
      if (options.all) return done(null, addresses);
      const [first] = addresses;
      done(null, first?.address ?? '', first?.family);
    });
  };
}

const isPublic = (address: string): boolean => ipaddr.process(address).range() === 'unicast';

/** Metadata services of clouds that are not link-local. They give out credentials of the machine. */
const METADATA = ['fd00:ec2::254', '100.100.100.200'].map((address) => ipaddr.process(address).toString());

const isLinkLocal = (address: string): boolean => {
  const parsed = ipaddr.process(address);
  return METADATA.includes(parsed.toString()) || parsed.range() === 'linkLocal' || isLinkLocalHost(parsed.toString());
};

const forbiddenAddress = (host: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`${host} is not a public address. Set STRATA_PRIVATE_ISSUERS=true to allow it.`), {
    code: 'PRIVATE_ADDRESS',
  });
