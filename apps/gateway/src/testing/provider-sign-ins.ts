import { randomUUID } from 'node:crypto';
import {
  type OwnCore,
  type ProviderClient,
  type ProviderPerson,
  startIdentityProvider,
  type TestIdentityProvider,
} from '@strata/testkit';
import { SESSION, unseal } from '../session/sealed-cookie.ts';
import { BrowserLike, type BrowserReply } from './browser-like.ts';
import { BrowserSessions, SESSION_KEY } from './browser-sessions.ts';

export const PUBLIC_URL = 'https://config.example';
const HOST = 'config.example';

/** A real provider `acme`, a core and gateways with it, and browsers that sign in with it. */
export class ProviderSignIns {
  private constructor(
    readonly provider: TestIdentityProvider,
    readonly client: ProviderClient,
    readonly sessions: BrowserSessions,
    /** The organization that people with an address of the domain join. */
    readonly organizationId: string,
    readonly domain: string,
    readonly core: OwnCore,
  ) {}

  static async begin(): Promise<ProviderSignIns> {
    const [provider, sessions] = await Promise.all([startIdentityProvider(), BrowserSessions.begin()]);
    const client = await provider.register('acme', PUBLIC_URL);
    const domain = `${randomUUID()}.example`;
    const { id } = sessions.organization;
    const core = await sessions.core.another({
      STRATA_IDENTITY_PROVIDERS: JSON.stringify([
        { ...client, organizations: [{ organization: id, domains: [domain] }] },
      ]),
      STRATA_PRIVATE_ISSUERS: 'true',
    });
    return new ProviderSignIns(provider, client, sessions, id, domain, core);
  }

  async end(): Promise<void> {
    await this.sessions.end();
    await Promise.all([this.core.close(), this.provider.close()]);
  }

  /** The settings of a gateway with these providers in addition to `acme`. */
  settings(...extraClients: readonly ProviderClient[]): Readonly<Record<string, string>> {
    return {
      STRATA_CORE_URL: this.core.origin,
      STRATA_PUBLIC_URL: PUBLIC_URL,
      STRATA_SESSION_KEY: SESSION_KEY.toString('base64'),
      STRATA_IDENTITY_PROVIDERS: JSON.stringify([this.client, ...extraClients]),
      STRATA_PRIVATE_ISSUERS: 'true',
    };
  }

  async browser(settings: Readonly<Record<string, string>> = this.settings()): Promise<ProviderBrowser> {
    return new ProviderBrowser(await this.sessions.gatewayWith(settings));
  }

  /** A person whom the organization accepts. */
  person(claims: Partial<ProviderPerson> = {}): ProviderPerson {
    return this.provider.person({ email: `${randomUUID()}@${this.domain}`, ...claims });
  }

  /** Starts a sign-in in the browser, and returns the address to which the provider sends the browser back. */
  async response(browser: ProviderBrowser, person: ProviderPerson | null = this.person()): Promise<URL> {
    const { headers } = await browser.begin();
    return this.provider.authorize(String(headers.location), person);
  }

  async signedIn(person: ProviderPerson = this.person()): Promise<ProviderBrowser> {
    const browser = await this.browser();
    await browser.finish(await this.response(browser, person));
    return browser;
  }
}

/** A browser at the public address of a gateway. */
export class ProviderBrowser extends BrowserLike {
  constructor(url: string) {
    super(url, { origin: PUBLIC_URL, 'sec-fetch-site': 'same-origin' });
  }

  /** Clicks the button of the provider. */
  begin(returnTo = '/projects', provider = 'acme', organization?: string): Promise<BrowserReply> {
    const query = new URLSearchParams({ return: returnTo, ...(organization !== undefined && { organization }) });
    return this.open(`/session/provider/${provider}?${query}`, 'same-origin', HOST);
  }

  /** Follows the redirect of the provider. */
  finish({ pathname, search }: URL): Promise<BrowserReply> {
    return this.open(pathname + search, 'cross-site', HOST);
  }

  /** The credential in the session, which only holders of the key can read. */
  get authorization(): string {
    const [, sealedText = ''] = this.cookie.split('=');
    const session = unseal(SESSION_KEY, `__Host-${SESSION.name}`, SESSION.content, sealedText, 0);
    if (session === null) throw new Error('The browser has no session.');
    return session.authorization;
  }

  override send(...[method, path, request = {}]: Parameters<BrowserLike['send']>): Promise<BrowserReply> {
    return super.send(method, path, { host: HOST, ...request });
  }
}

/** Returns the code of the problem that the sign-in page then shows, or null. */
export const problemCode = ({ status, headers }: BrowserReply): string | null => {
  const { pathname, searchParams } = new URL(String(headers.location), PUBLIC_URL);
  return status === 303 && pathname === '/sign-in' ? searchParams.get('problem') : null;
};
