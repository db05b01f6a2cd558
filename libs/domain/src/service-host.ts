/** These functions expect a host as a parsed URL has it: lower case, IPv4 in four decimal parts, IPv6 in brackets. */

/**
 * Returns whether only machines on the same network segment can reach the host. Cloud metadata services on such
 * addresses (169.254.169.254) return the credentials of the machine, so Strata never sends requests to them, whatever a
 * setting says.
 */
export function isLinkLocalHost(host: string): boolean {
  return /^169\.254\./.test(host) || /^\[fe[89ab][0-9a-f]:/.test(host) || /^\[::ffff:a9fe:/.test(host);
}

/** Returns whether a host is this machine. Requests to it do not cross a network, so they may be unencrypted. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\./.test(host);
}
