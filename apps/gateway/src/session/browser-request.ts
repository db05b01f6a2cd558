import type { IncomingHttpHeaders } from 'node:http';

/** The parts of a request or an upgrade that identify the page it comes from. */
export interface BrowserRequest {
  readonly headers: IncomingHttpHeaders;
  /** The host and protocol as sent by the browser, or as reported by a trusted proxy. */
  readonly protocol: string;
  readonly host: string;
}

const LOOPBACK = /^(localhost|[\w-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/** Returns whether the host is the browser's own machine. */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host);

/**
 * Returns the origin of this gateway as seen by the browser. If a proxy ends TLS without reporting it, requests look
 * like plain http; `publicUrl` then contains the correct origin, except for requests from the same machine.
 */
export function publicOrigin({ protocol, host }: BrowserRequest, publicUrl: string | null): string {
  return publicUrl === null || isLoopback(host) ? `${protocol}://${host}` : publicUrl;
}

/**
 * Returns whether a request comes from a page of our own origin. Pages of other sites can make a browser send requests,
 * but they cannot set `Origin` and `Sec-Fetch-Site`. A request without both headers does not come from a browser.
 */
export function isFromOwnPage({ headers }: BrowserRequest, origin: string): boolean {
  const { origin: from, 'sec-fetch-site': site } = headers;
  if (from === undefined && site === undefined) return false;
  return (from === undefined || from === origin) && (site === undefined || site === 'same-origin');
}

/** Returns whether a read request does not come from a page of another site. Typed addresses are allowed. */
export function isFromNoOtherSite({ headers }: BrowserRequest): boolean {
  return ['none', 'same-origin', undefined].includes(headers['sec-fetch-site'] as string | undefined);
}

/** Returns the cookie with this name. If there are two, returns none: another host of the domain may have set one. */
export function readCookie(name: string, { headers }: BrowserRequest): string | null {
  const values = (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 ? (values[0] ?? null) : null;
}
