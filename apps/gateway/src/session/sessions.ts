import { Failure, sentence } from '@strata/domain';
import {
  type BrowserRequest,
  isFromNoOtherSite,
  isFromOwnPage,
  isLoopback,
  publicOrigin,
  readCookie,
} from './browser-request.ts';
import {
  type BrowserSession,
  SESSION,
  type SealedCookie,
  SIGN_IN_FLOW,
  type SignInFlow,
  seal,
  unseal,
} from './sealed-cookie.ts';

/** Browsers accept a cookie with this prefix only over https and send it only to this host. */
const SECURE_PREFIX = '__Host-';

export interface SessionsOptions {
  /** The key that all gateways share, 32 bytes; null switches sessions off. */
  readonly key: Buffer | null;
  /** The public address of this installation, for requests that do not contain it. */
  readonly publicUrl: string | null;
  readonly nowInSeconds?: () => number;
}

const sessionsAreOff = () =>
  new Failure({
    kind: 'unavailable',
    code: 'sessions_off',
    message:
      'Browser sessions are turned off: STRATA_SESSION_KEY is not set. Set it to 32 random bytes in base64, the same for every gateway.',
  });

const httpsNeeded = (host: string) =>
  new Failure({
    kind: 'forbidden',
    code: 'https_needed',
    message: sentence`Over plain HTTP, only browsers on the same machine can sign in. Open the console over HTTPS. If ${{ host }} is behind a proxy that terminates TLS, set STRATA_PUBLIC_URL to the public address.`,
  });

const otherOrigin = (origin: string) =>
  new Failure({
    kind: 'forbidden',
    code: 'other_origin',
    message: sentence`Only pages of ${{ origin }} can use this session. If your browser shows another address, set STRATA_PUBLIC_URL to it.`,
  });

/**
 * The sessions of browsers and their sign-ins. A gateway stores nothing but these cookies in the browser, so every
 * gateway can use them. The core authorizes each request by the credential in the session.
 */
export class Sessions {
  private readonly nowInSeconds: () => number;

  constructor(private readonly options: SessionsOptions) {
    this.nowInSeconds = options.nowInSeconds ?? (() => Math.floor(Date.now() / 1_000));
  }

  get now(): number {
    return this.nowInSeconds();
  }

  /** Returns whether the browser uses the address to which identity providers send it back. */
  isAtPublicUrl(request: BrowserRequest): boolean {
    const { publicUrl } = this.options;
    return publicUrl === null || this.ownOrigin(request) === publicUrl;
  }

  /** Returns the public address of a page of the console. */
  publicUrl(path: string): string {
    return (this.options.publicUrl ?? '') + path;
  }

  /** Throws if a session cannot be started or ended: no key, no https, or a page of another site. */
  assertOwnPage(request: BrowserRequest): void {
    this.assertReachable(request);
    const origin = this.ownOrigin(request);
    if (!isFromOwnPage(request, origin)) throw otherOrigin(origin);
  }

  /** Checks a request that only reads the session. */
  assertReader(request: BrowserRequest): void {
    this.assertReachable(request);
    if (!isFromNoOtherSite(request)) throw otherOrigin(this.ownOrigin(request));
  }

  /** Returns the session of a request from any page; null if there is no valid one. */
  readSession(request: BrowserRequest): BrowserSession | null {
    return this.readContent(SESSION, request);
  }

  /** Returns the sign-in that this browser has started with an identity provider. */
  readFlow(request: BrowserRequest): SignInFlow | null {
    return this.readContent(SIGN_IN_FLOW, request);
  }

  /**
   * Returns the session of a request with side effects. Throws if the request has a session but comes from another
   * site, so that a wrong setting is reported and a forged request has no effect.
   */
  readOwnSession(request: BrowserRequest): BrowserSession | null {
    const session = this.readSession(request);
    if (session !== null) this.assertOwnPage(request);
    return session;
  }

  /** Returns the cookie that stores a session; null deletes it. */
  sessionCookie(request: BrowserRequest, session: BrowserSession | null): string {
    return this.cookie(SESSION, request, session);
  }

  /** Returns the cookie that stores a sign-in with an identity provider; null deletes it. */
  flowCookie(request: BrowserRequest, flow: SignInFlow | null): string {
    return this.cookie(SIGN_IN_FLOW, request, flow);
  }

  private readContent<Content extends { readonly endsAt: number }>(
    cookie: SealedCookie<Content>,
    request: BrowserRequest,
  ): Content | null {
    const { key } = this.options;
    if (key === null || this.isExposed(request)) return null;
    const name = this.cookieName(cookie, request);
    const sealedText = readCookie(name, request);
    return sealedText === null ? null : unseal(key, name, cookie.content, sealedText, this.now);
  }

  private cookie<Content extends { readonly endsAt: number }>(
    cookie: SealedCookie<Content>,
    request: BrowserRequest,
    content: Content | null,
  ): string {
    const { key } = this.options;
    const name = this.cookieName(cookie, request);
    const sealedText = content === null || key === null ? '' : seal(key, name, content);
    const age = content === null ? 0 : Math.max(0, content.endsAt - this.now);
    const secure = this.isHttps(request) ? '; Secure' : '';
    return `${name}=${sealedText}; Path=/; Max-Age=${age}; HttpOnly; SameSite=${cookie.sameSite}${secure}`;
  }

  private assertReachable(request: BrowserRequest): void {
    if (this.options.key === null) throw sessionsAreOff();
    if (this.isExposed(request)) throw httpsNeeded(request.host);
  }

  private ownOrigin(request: BrowserRequest): string {
    return publicOrigin(request, this.options.publicUrl);
  }

  /** Returns whether the request can be intercepted on the network. */
  private isExposed(request: BrowserRequest): boolean {
    return !this.isHttps(request) && !isLoopback(request.host);
  }

  private isHttps(request: BrowserRequest): boolean {
    return this.ownOrigin(request).startsWith('https:');
  }

  private cookieName({ name }: { readonly name: string }, request: BrowserRequest): string {
    return this.isHttps(request) ? SECURE_PREFIX + name : name;
  }
}
