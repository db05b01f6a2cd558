/**
 * Returns the network under which requests of an address are counted. A client with one IPv6 address usually controls
 * its whole /64 network.
 */
export function clientNetwork(address: string): string {
  const ipv4Address = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!ipv4Address.includes(':')) return ipv4Address;
  const [head = '', tail] = ipv4Address.split('%')[0]?.split('::') ?? [];
  const [before, after] = [head, tail ?? ''].map((part) => part.split(':').filter(Boolean));
  const missingGroups = tail === undefined ? 0 : 8 - (before?.length ?? 0) - (after?.length ?? 0);
  const groups = [...(before ?? []), ...Array<string>(Math.max(missingGroups, 0)).fill('0'), ...(after ?? [])];
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}
