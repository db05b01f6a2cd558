/** Of a host as a parsed URL has it: lower case, IPv4 in four decimal parts, IPv6 in brackets. */

/**
 * Whether a host is reached only by who stands on the same wire. Clouds answer there with the credentials of the machine
 * (169.254.169.254), so nothing of ours is ever sent or fetched there, whatever a setting says.
 */
export function isLinkLocalHost(host: string): boolean {
  return /^169\.254\./.test(host) || /^\[fe[89ab][0-9a-f]:/.test(host) || /^\[::ffff:a9fe:/.test(host);
}

/** Whether a host is this very machine, so that what is sent there in clear passes no network. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\./.test(host);
}
