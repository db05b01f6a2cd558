import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

/** The claims of a person, who signs in by choosing the account from a list. */
export interface ProviderPerson {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  readonly groups?: readonly string[];
}

/** The registration of an installation of Strata, as an entry of STRATA_IDENTITY_PROVIDERS without organizations. */
export interface ProviderClient {
  readonly id: string;
  readonly name: string;
  readonly issuer: string;
  readonly client_id: string;
  readonly client_secret: string;
}

export type RequestHandler = (request: http.IncomingMessage, response: http.ServerResponse) => void;

/** A real OpenID Connect provider on the loopback interface. It requires PKCE and puts all claims into the id token. */
export interface TestIdentityProvider {
  readonly issuer: string;
  /** Registers an installation with its public URL, and returns its settings. `id` is the id of the provider there. */
  register(id: string, publicUrl: string): Promise<ProviderClient>;
  /** Adds a person with a verified e-mail address, unless the claims differ. */
  person(claims?: Partial<ProviderPerson>): ProviderPerson;
  /** Returns a token that the provider's key signs, with the claims of an id token; `undefined` removes a claim. */
  idToken(client: ProviderClient, claims: Readonly<Record<string, unknown>>): Promise<string>;
  /**
   * Opens the address of an authorization request in a new browser, signs in as this person, or cancels if it is null,
   * and returns the address of the client that the provider then redirects to.
   */
  authorize(url: string, person: ProviderPerson | null): Promise<URL>;
  /** Serves a path with this handler instead of the provider's; null restores the provider's. */
  serve(path: string, handler: RequestHandler | null): void;
  /** The paths of all requests so far, without queries. */
  requests(): readonly string[];
  /** Refuses connections. */
  down(): Promise<void>;
  up(): Promise<void>;
  close(): Promise<void>;
}

/** The part of the package that is used here. It has no types. */
interface Provider {
  callback(): RequestHandler;
  interactionFinished(request: http.IncomingMessage, response: http.ServerResponse, result: object): Promise<void>;
}
interface ProviderPackage {
  readonly Provider: new (issuer: string, configuration: object) => Provider;
}
interface AdapterModule {
  createMemoryAdapter(): (model: string) => { upsert(id: string, payload: object): Promise<void> };
}

const PACKAGE: string = 'oidc-provider';

const REDIRECTS_MAX = 20;

/** The host in the URLs of a provider. For a browser, localhost is another site than 127.0.0.1. */
type LoopbackHost = '127.0.0.1' | 'localhost';

declare global {
  /** Calls `createIdentityProvider` in the module that all spec files of this process share (tools/jest/environment.mjs). */
  var strataIdentityProvider: typeof createIdentityProvider;
}

/** Starts a provider on a free port. */
export const startIdentityProvider = (host: LoopbackHost = '127.0.0.1'): Promise<TestIdentityProvider> =>
  strataIdentityProvider(host);

export async function createIdentityProvider(host: LoopbackHost): Promise<TestIdentityProvider> {
  const server = http.createServer();
  const port = await listenOn(server, 0);
  const issuer = `http://${host}:${port}`;
  const people = new Map<string, ProviderPerson>();
  const handlers = new Map<string, RequestHandler>();
  const paths: string[] = [];
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), kid: randomUUID(), alg: 'ES256', use: 'sig' };
  const { provider, adapter } = await createProvider(issuer, key, people);
  const serveProvider = provider.callback();
  server.on('request', (request, response) => {
    const { pathname } = new URL(request.url ?? '/', issuer);
    paths.push(pathname);
    const handler = handlers.get(pathname);
    if (handler) handler(request, response);
    else if (pathname.startsWith('/interaction/')) interact(provider, people, request, response);
    else serveProvider(request, response);
  });
  const stopServer = async () => {
    if (!server.listening) return;
    const closePromise = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closePromise;
  };
  return {
    issuer,
    register: async (id, publicUrl) => {
      const client = { client_id: randomUUID(), client_secret: randomUUID() };
      await adapter('Client').upsert(client.client_id, {
        ...client,
        redirect_uris: [`${publicUrl}/session/provider/${id}/callback`],
        post_logout_redirect_uris: [`${publicUrl}/sign-in`],
        id_token_signed_response_alg: 'ES256',
      });
      return { id, name: `Provider ${id}`, issuer, ...client };
    },
    person: (claims = {}) => {
      const sub = claims.sub ?? randomUUID();
      const person = { email: `${sub}@example.com`, email_verified: true, name: 'Ada', ...claims, sub };
      people.set(sub, person);
      return person;
    },
    idToken: ({ client_id: aud }, claims) => {
      const now = Math.floor(Date.now() / 1_000);
      const payload = { iss: issuer, aud, iat: now, exp: now + 600, jti: randomUUID(), ...claims } as JWTPayload;
      return new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid: key.kid, typ: 'JWT' }).sign(privateKey);
    },
    authorize: (url, person) => signInAt(issuer, url, person),
    serve: (path, handler) => void (handler ? handlers.set(path, handler) : handlers.delete(path)),
    requests: () => [...paths],
    down: stopServer,
    up: async () => {
      if (!server.listening) await listenOn(server, port);
    },
    close: stopServer,
  };
}

async function listenOn(server: http.Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function createProvider(issuer: string, key: object, people: ReadonlyMap<string, ProviderPerson>) {
  const { Provider }: ProviderPackage = await import(PACKAGE);
  const { createMemoryAdapter }: AdapterModule = await import(`${PACKAGE}/lib/adapters/memory_adapter.js`);
  const adapter = createMemoryAdapter();
  const provider = new Provider(issuer, {
    adapter,
    jwks: { keys: [key] },
    cookies: { keys: [randomUUID()] },
    clientDefaults: { grant_types: ['authorization_code'], response_types: ['code'] },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    conformIdTokenClaims: false,
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    pkce: { required: () => true },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: true, logoutSource: askToSignOut, postLogoutSuccessSource: signedOut },
    },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    loadExistingGrant: grantAll,
    findAccount: (_: unknown, sub: string) => {
      const person = people.get(sub);
      return person && { accountId: sub, claims: async () => person };
    },
    renderError: (context: { body: string }, { error }: { error: string }) => {
      context.body = error;
    },
  });
  return { provider, adapter };
}

interface ProviderContext {
  body: string;
  readonly oidc: {
    readonly client: { readonly clientId: string };
    readonly session: { readonly accountId: string };
    readonly provider: {
      readonly Grant: new (ids: object) => { addOIDCScope(scope: string): void; save(): Promise<void> };
    };
  };
}

/** Replaces the page on which a person consents to give claims to the client. */
async function grantAll({ oidc }: ProviderContext) {
  const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
  grant.addOIDCScope('openid email profile');
  await grant.save();
  return grant;
}

const page = (title: string, content: string) =>
  `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1>${content}</html>`;

function askToSignOut(context: ProviderContext, form: string): void {
  const button = '<button type="submit" form="op.logoutForm" name="logout" value="yes">Sign out</button>';
  context.body = page('Sign out at the provider?', form + button);
}

function signedOut(context: ProviderContext): void {
  context.body = page('Signed out', '');
}

/** The page on which people choose their account. */
function interact(
  provider: Provider,
  people: ReadonlyMap<string, ProviderPerson>,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): void {
  const finish = async () => {
    const form = new URLSearchParams(await text(request));
    const accountId = form.get('person');
    // The provider sends these texts to the client, which must not show them.
    const cancelError = { error: 'access_denied', error_description: '<b>The person</b> canceled' };
    await provider.interactionFinished(request, response, accountId ? { login: { accountId } } : cancelError);
  };
  if (request.method === 'POST') return void finish().catch(() => response.destroy());
  const choices = [...people.values()].map(
    ({ sub, email }) => `<button name="person" value="${sub}">${email}</button>`,
  );
  response
    .setHeader('content-type', 'text/html')
    .end(page('Choose an account', `<form method="post">${choices.join('')}<button>Cancel</button></form>`));
}

async function signInAt(issuer: string, start: string, person: ProviderPerson | null): Promise<URL> {
  const jar = new Map<string, string>();
  let url = new URL(start);
  let form: URLSearchParams | null = null;
  for (let count = 0; count < REDIRECTS_MAX && url.origin === issuer; count++) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response: Response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(form && { method: 'POST', body: form }),
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      jar.set(name, value);
    }
    const location = response.headers.get('location');
    const body = await response.text();
    form = null;
    if (location !== null) url = new URL(location, url);
    else if (url.pathname.startsWith('/interaction/')) form = new URLSearchParams(person ? { person: person.sub } : {});
    else throw new Error(`The provider returned ${response.status}: ${body}`);
  }
  return url;
}
