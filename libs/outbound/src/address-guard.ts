import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isLinkLocalHost } from '@strata/domain';
import ipaddr from 'ipaddr.js';

/** The code of the errors of a guard. */
export const PRIVATE_ADDRESS = 'PRIVATE_ADDRESS';

/** Limits the addresses that a client connects to. */
export interface AddressGuard {
  /** The look-up of host names, for the client's sockets. It fails if one of the addresses is forbidden. */
  readonly lookup: LookupFunction;
  /** Throws if the host of the URL is a forbidden address. Sockets do not look up literal addresses. */
  readonly assertHost: (url: Pick<URL, 'hostname'>) => void;
}

/**
 * Returns the guard for requests to addresses that users chose. Unless `allowPrivate` is true, only public addresses are
 * allowed. Otherwise the owner of a DNS name could make Strata send requests into its own network. The guard checks the
 * address of the connection, so a name cannot change between check and use. Link-local addresses are always forbidden.
 * `setting` is the operator's setting that errors name.
 */
export function addressGuard({
  allowPrivate,
  setting,
}: {
  readonly allowPrivate: boolean;
  readonly setting: string;
}): AddressGuard {
  const isAllowed = (address: string) => !isLinkLocal(address) && (allowPrivate || isPublic(address));
  const forbidden = (host: string): NodeJS.ErrnoException =>
    Object.assign(new Error(`${host} is not a public address. Set ${setting}=true to allow it.`), {
      code: PRIVATE_ADDRESS,
    });
  return {
    lookup: (host, options, done) => {
      lookup(host, { ...options, all: true }, (error, addresses) => {
        if (error) return done(error, []);
        if (!addresses.every(({ address }) => isAllowed(address))) return done(forbidden(host), []);
        if (options.all) return done(null, addresses);
        const [first] = addresses;
        done(null, first?.address ?? '', first?.family);
      });
    },
    assertHost: ({ hostname }) => {
      const host = hostname.replace(/^\[|\]$/g, '');
      if (isIP(host) !== 0 && !isAllowed(host)) throw forbidden(host);
    },
  };
}

const isPublic = (address: string): boolean => ipaddr.process(address).range() === 'unicast';

/** Metadata services of clouds that are not link-local. They give out credentials of the machine. */
const METADATA = ['fd00:ec2::254', 'fd20:ce::254', '100.100.100.200', '168.63.129.16', '192.0.0.192'].map((address) =>
  ipaddr.process(address).toString(),
);

const isLinkLocal = (address: string): boolean => {
  const parsed = ipaddr.process(address);
  return METADATA.includes(parsed.toString()) || parsed.range() === 'linkLocal' || isLinkLocalHost(parsed.toString());
};
