import type { IncomingHttpHeaders } from 'node:http';

/** A request or an upgrade, as far as it says which page of which browser it comes from. */
export interface BrowserRequest {
  readonly headers: IncomingHttpHeaders;
  /** As the browser wrote them; behind a proxy that is trusted, as the proxy says. */
  readonly protocol: string;
  readonly host: string;
}

const LOOPBACK = /^(localhost|[\w-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/** Whether a browser that wrote this host speaks to its own machine. */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host);

/**
 * The origin that the browser knows this gateway by. A proxy that ends TLS and says nothing of it makes a request look
 * like plain http: then `publicUrl` is the truth, except for who is on this very machine.
 */
export function originOf({ protocol, host }: BrowserRequest, publicUrl: string | null): string {
  return publicUrl === null || isLoopback(host) ? `${protocol}://${host}` : publicUrl;
}

/**
 * Whether a request comes from a page of our own origin. Pages of other sites can make a browser send requests, but not
 * let them look like this: `Origin` and `Sec-Fetch-Site` are the browser's own words. Who says neither is no browser.
 */
export function isFromOwnPage({ headers }: BrowserRequest, origin: string): boolean {
  const { origin: from, 'sec-fetch-site': site } = headers;
  if (from === undefined && site === undefined) return false;
  return (from === undefined || from === origin) && (site === undefined || site === 'same-origin');
}

/** Whether a reading request was not begun by another site's page. Typing the address is nobody's page. */
export function isFromNoOtherSite({ headers }: BrowserRequest): boolean {
  return ['none', 'same-origin', undefined].includes(headers['sec-fetch-site'] as string | undefined);
}

/** The one cookie of this name. Two of a name are nobody's: a neighbour in the domain may have set one of them. */
export function cookieNamed(name: string, { headers }: BrowserRequest): string | null {
  const values = (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 ? (values[0] ?? null) : null;
}
