// Explains why an address does not lead to the REST API of Strata. The errors contain only the origin of the address,
// because a path can contain a credential.
import type { TLSSocket } from 'node:tls';
import { findRoute } from '@strata/rest-client';
import { CommandError, EXIT } from './errors.ts';
import { type HttpResponse, httpRequest, readSingleHeader } from './http-request.ts';

const PROBE_MS = 3_000;
const CHECK = 'Check the address (--url, STRATA_URL or strata.json)';
const BASE_ADDRESS = 'It is that of the REST API, such as https://strata.example.com.';

/** The errors of Node for certificates whose authority this machine does not trust. */
const UNTRUSTED: ReadonlySet<string | undefined> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]);
const CERTIFICATE_PROBLEMS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another host name',
};
const NO_TLS = /wrong[ _]version[ _]number|packet[ _]length[ _]too[ _]long/i;

const unreachable = (message: string, hint: string) => new CommandError(EXIT.unreachable, message, { hint });

/** Returns the error for a request that received no response. */
export async function connectionError(url: string, error: unknown): Promise<CommandError> {
  const { origin, protocol, host } = new URL(url);
  const { code, name, message } = error as NodeJS.ErrnoException;
  if (UNTRUSTED.has(code))
    return unreachable(
      `This machine does not trust the certificate of ${origin} (${code}).`,
      'If it is self-signed or from an authority of your organization, set NODE_EXTRA_CA_CERTS to the PEM file of that authority.',
    );
  const problem = CERTIFICATE_PROBLEMS[code ?? ''];
  if (problem)
    return unreachable(`The certificate of ${origin} ${problem} (${code}).`, `${CHECK}, and the certificate.`);
  if (protocol === 'https:' && NO_TLS.test(`${code} ${message}`))
    return unreachable(
      `The server at ${host} does not use TLS on this port.`,
      `${CHECK}. Use the port for TLS, or http://${host}, which does not encrypt the credential.`,
    );
  // A refused connection, an unknown host or a timeout has nothing to do with TLS.
  if (/^(ECONNRESET|EPIPE|HPE_)/.test(code ?? '') && (await usesTls(url))) return tlsRequiredError(host);
  const reason = name === 'AbortError' || name === 'TimeoutError' ? 'it does not respond' : code;
  return unreachable(
    `Strata cannot be reached at ${origin}${reason ? ` (${reason})` : ''}.`,
    `${CHECK}, and that Strata is running.`,
  );
}

/** Returns the error for a response that another program sent, or Strata for a path that does not exist. */
export async function foreignResponseError(url: string, response: HttpResponse): Promise<CommandError> {
  return (await misplacedAddress(url)) ?? describeForeign(url, response);
}

/** Returns the error for an address that is not that of the REST API; null if Strata rejected the request itself. */
export async function addressError(url: string, response: HttpResponse): Promise<CommandError | null> {
  const { status, headers } = response;
  const code = readSingleHeader(headers, 'x-error-code');
  if (code === null && readSingleHeader(headers, 'x-request-id') === null) return foreignResponseError(url, response);
  const isUnknownPath = code === 'unknown_route' || (code === null && status === 404);
  return isUnknownPath ? misplacedAddress(url) : null;
}

/** Requests a public resource without a credential. Returns the error for the address; null if it is that of the REST API. */
export async function checkAddress(url: string): Promise<CommandError | null> {
  const request = { method: 'GET', headers: { accept: 'application/json' }, timeoutMs: PROBE_MS };
  try {
    const response = await httpRequest(`${url}${findRoute('features_retrieve').path}`, request);
    const isPage =
      response.status === 200 && !readSingleHeader(response.headers, 'content-type')?.startsWith('application/json');
    return isPage ? foreignResponseError(url, response) : addressError(url, response);
  } catch (error) {
    return connectionError(url, error);
  }
}

/** Returns the error for an address that leads to Strata, but not to its REST API; null for any other address. */
async function misplacedAddress(url: string): Promise<CommandError | null> {
  const { origin, pathname } = new URL(url);
  const [suffix] = /\/api(?:\/v\d+)?$/.exec(pathname) ?? [];
  if (suffix)
    return unreachable(
      `The address of Strata at ${origin} must not end with ${suffix}, which the command line adds.`,
      `Remove ${suffix} from the address (--url, STRATA_URL or strata.json).`,
    );
  for (const base of new Set([url, origin])) {
    const service = await probe(base);
    if (service === 'gateway')
      return unreachable(
        `${origin} is the address of the console, which does not serve the REST API.`,
        'Use the address of the core. In the console, the page Connect of a project shows it.',
      );
    if (service === 'core' && base !== url)
      return unreachable(
        `Strata serves the REST API at ${origin}, and not below the path of the address.`,
        `Use ${origin} without a path (--url, STRATA_URL or strata.json).`,
      );
  }
  return null;
}

/** Returns the service of Strata that answers the health check of a core. The request contains no credential. */
async function probe(base: string): Promise<'core' | 'gateway' | null> {
  const request = { method: 'GET', headers: { accept: 'application/json' }, timeoutMs: PROBE_MS };
  const response = await httpRequest(`${base}/api/healthz`, request).catch(() => null);
  const { status } = parsed(response?.text ?? '');
  if (response?.status === 421 && status === 'not a core') return 'gateway';
  return response?.status === 200 && status === 'alive' ? 'core' : null;
}

function parsed(text: string): { readonly status?: unknown } {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

async function describeForeign(url: string, { status, headers }: HttpResponse): Promise<CommandError> {
  const { origin, host } = new URL(url);
  if (status === 400 && (await usesTls(url))) return tlsRequiredError(host);
  const message = `The response of ${origin} is not one of Strata`;
  if (status >= 300 && status < 400) {
    const target = URL.parse(readSingleHeader(headers, 'location') ?? '', url)?.origin ?? 'another address';
    return unreachable(
      `${message}: it redirects to ${target}, and redirects are not followed.`,
      `${CHECK}. Use the final address, unless the redirect leads to the sign-in page of a proxy.`,
    );
  }
  if ([502, 503, 504].includes(status))
    return unreachable(
      `${message}: a proxy returned ${status}, because it cannot reach the server behind it.`,
      `${CHECK}, that Strata is running, and the settings of the proxy.`,
    );
  const kind = headers['content-type']?.startsWith('text/html') ? 'a web page with status' : 'status';
  return unreachable(`${message}: another program returned ${kind} ${status}.`, `${CHECK}. ${BASE_ADDRESS}`);
}

const tlsRequiredError = (host: string): CommandError =>
  unreachable(`The server at ${host} requires TLS on this port.`, `${CHECK}. Use https://${host}.`);

/** Returns whether the server of an address with http:// accepts TLS. Only a handshake is sent. */
async function usesTls(url: string): Promise<boolean> {
  const { protocol, hostname, port } = new URL(url);
  if (protocol !== 'http:') return false;
  const { connect } = await import('node:tls');
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    // The certificate does not matter, because the connection ends after the handshake.
    const socket: TLSSocket = connect({ host, port: Number(port || 80), rejectUnauthorized: false });
    const end = (result: boolean) => {
      socket.destroy();
      resolve(result);
    };
    socket.setTimeout(PROBE_MS, () => end(false));
    socket.once('secureConnect', () => end(true)).once('error', () => end(false));
  });
}
