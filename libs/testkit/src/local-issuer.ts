import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const part = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** Signs as RS256, or PS256 if the header says so. */
export function signTokenWithRsa(key: KeyObject, claims: unknown, header: object): string {
  const text = `${part(header)}.${part(claims)}`;
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
}

/** Handles requests for the metadata instead of the issuer. */
type Fault = (request: IncomingMessage, response: ServerResponse) => void;

/** An OpenID Connect issuer on this machine that signs any claims. */
export class LocalIssuer {
  readonly key: KeyObject = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey;
  /** The paths that were requested. */
  readonly requests: string[] = [];
  /** Changes of the metadata. */
  metadata: Readonly<Record<string, unknown>> = {};
  fault: Fault | null = null;

  private constructor(
    private readonly server: http.Server,
    /** The part of the URL below the origin. */
    private readonly path: string,
  ) {
    server.on('request', (request, response) => this.answer(request, response));
  }

  static async start(path = ''): Promise<LocalIssuer> {
    const server = http.createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new LocalIssuer(server, path);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${this.path}`;
  }

  /** Signs claims with the times of a token that is valid for five minutes. Undefined claims are left out. */
  token(claims: object, header: object = {}): string {
    const now = Math.floor(Date.now() / 1_000);
    const times = { iat: now, nbf: now - 5, exp: now + 300 };
    const completeClaims = { iss: this.url, ...times, ...claims };
    return signTokenWithRsa(this.key, completeClaims, { alg: 'RS256', typ: 'JWT', kid: 'k1', ...header });
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    this.requests.push(request.url ?? '');
    if (this.fault && request.url === `${this.path}/.well-known/openid-configuration`) {
      this.fault(request, response);
      return;
    }
    const key = { ...createPublicKey(this.key).export({ format: 'jwk' }), kid: 'k1', alg: 'RS256', use: 'sig' };
    const isKeys = request.url === `${this.path}/keys`;
    const metadata = { issuer: this.url, jwks_uri: `${this.url}/keys`, ...this.metadata };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(isKeys ? { keys: [key] } : metadata));
  }
}
