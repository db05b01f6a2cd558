import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isLinkLocalHost } from '@strata/domain';
import ipaddr from 'ipaddr.js';
import type { RequestFence } from './request-fence.ts';

/** The code of the errors of a guard. */
export const PRIVATE_ADDRESS = 'PRIVATE_ADDRESS';

/** Limits the addresses that a client connects to. */
export interface AddressGuard {
  /** The look-up of host names, for the client's sockets. It fails if one of the addresses is forbidden. */
  readonly lookup: LookupFunction;
  /** Throws if the host of the URL is a forbidden address. Sockets do not look up literal addresses. */
  readonly assertHost: (url: Pick<URL, 'hostname'>) => void;
  /** Null if requests may be sent at any time. */
  readonly fence: RequestFence | null;
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
  fence = null,
}: {
  readonly allowPrivate: boolean;
  readonly setting: string;
  readonly fence?: RequestFence | null;
}): AddressGuard {
  const isAllowed = (address: string) => !isLinkLocal(address) && (allowPrivate || isPublic(address));
  const forbiddenAddressError = (host: string): NodeJS.ErrnoException =>
    Object.assign(new Error(`${host} is not a public address. Set ${setting}=true to allow it.`), {
      code: PRIVATE_ADDRESS,
    });
  return {
    lookup: (host, options, done) => {
      lookup(host, { ...options, all: true }, (error, addresses) => {
        if (error) return done(error, []);
        if (!addresses.every(({ address }) => isAllowed(address))) return done(forbiddenAddressError(host), []);
        if (options.all) return done(null, addresses);
        const [first] = addresses;
        done(null, first?.address ?? '', first?.family);
      });
    },
    assertHost: ({ hostname }) => {
      const host = hostname.replace(/^\[|\]$/g, '');
      if (isIP(host) !== 0 && !isAllowed(host)) throw forbiddenAddressError(host);
    },
    fence,
  };
}

/** Translated addresses are public if the IPv4 address is to which a gateway sends their packets (RFC 6052). */
function isPublic(address: string): boolean {
  const parsed = ipaddr.process(address);
  if (parsed.range() === 'unicast') return true;
  const [target] = parsed instanceof ipaddr.IPv6 && parsed.match(NAT64, 96) ? embeddedAddresses(parsed) : [];
  return target?.range() === 'unicast';
}

const NAT64 = ipaddr.IPv6.parse('64:ff9b::');
const LOCAL_NAT64 = ipaddr.IPv6.parse('64:ff9b:1::');
const TRANSLATED = ipaddr.IPv6.parse('::ffff:0:0:0');
const COMPATIBLE = ipaddr.IPv6.parse('::');
const TEREDO = ipaddr.IPv6.parse('2001::');
const SIX_TO_FOUR = ipaddr.IPv6.parse('2002::');

/** Returns the IPv4 addresses to which a gateway may send packets for an IPv6 address. */
function embeddedAddresses(address: ipaddr.IPv6): ipaddr.IPv4[] {
  const bytes = address.toByteArray();
  const at = (...positions: number[]) => new ipaddr.IPv4(positions.map((position) => bytes[position] ?? 0));
  const lastGroup = at(12, 13, 14, 15);
  if (address.match(NAT64, 96) || address.match(TRANSLATED, 96) || address.match(COMPATIBLE, 96)) return [lastGroup];
  // The operator chooses the length of this prefix: 48, 56, 64 or 96 bits. Byte 8 is always zero.
  if (address.match(LOCAL_NAT64, 48)) return [lastGroup, at(6, 7, 9, 10), at(7, 9, 10, 11), at(9, 10, 11, 12)];
  if (address.match(SIX_TO_FOUR, 16)) return [at(2, 3, 4, 5)];
  if (address.match(TEREDO, 32)) return [new ipaddr.IPv4(lastGroup.toByteArray().map((byte) => byte ^ 0xff))];
  // ISATAP
  return bytes[10] === 0x5e && bytes[11] === 0xfe ? [lastGroup] : [];
}

/** Metadata services of clouds that are not link-local. They give out credentials of the machine. */
const METADATA = ['fd00:ec2::254', 'fd20:ce::254', '100.100.100.200', '168.63.129.16', '192.0.0.192'].map((address) =>
  ipaddr.process(address).toString(),
);

const isLinkLocal = (address: string): boolean => {
  const parsed = ipaddr.process(address);
  const targets = parsed instanceof ipaddr.IPv6 ? [parsed, ...embeddedAddresses(parsed)] : [parsed];
  return targets.some(
    (target) =>
      METADATA.includes(target.toString()) || target.range() === 'linkLocal' || isLinkLocalHost(target.toString()),
  );
};
