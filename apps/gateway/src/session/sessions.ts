import { Failure } from '@strata/domain';
import {
  type BrowserRequest,
  cookieNamed,
  isFromNoOtherSite,
  isFromOwnPage,
  isLoopback,
  originOf,
} from './browser-request.ts';
import { openSession, type Session, sealSession } from './sealed-session.ts';

const NAME = 'strata_session';
/** Browsers take a cookie with this prefix from this very host over https only, and send it nowhere else. */
const SECURE_NAME = `__Host-${NAME}`;

export interface SessionsOptions {
  /** 32 bytes that all gateways share; null switches sessions off. */
  readonly key: Buffer | null;
  /** Where people reach this installation, when requests cannot tell. */
  readonly publicUrl: string | null;
  readonly nowInSeconds?: () => number;
}

const sessionsAreOff = () =>
  new Failure(
    'unavailable',
    'sessions_off',
    'Signing in by a browser is switched off here: STRATA_SESSION_KEY is not set. Set it to 32 random bytes in base64, the same for every gateway.',
  );

const httpsNeeded = (host: string) =>
  new Failure(
    'forbidden',
    'https_needed',
    `Over plain http only a browser on the machine itself can sign in. Open the console by https; if ${host} is behind a proxy that ends TLS, set STRATA_PUBLIC_URL to the address that people use.`,
  );

const otherOrigin = (origin: string) =>
  new Failure(
    'forbidden',
    'other_origin',
    `Only pages of ${origin} may use this session. If that is not the address in your browser, set STRATA_PUBLIC_URL to the one that is.`,
  );

/**
 * The sessions of browsers. A session is its cookie and nothing else: no gateway keeps anything, so any of them can
 * answer for it, and what it may do the core decides anew for each request by the credential inside.
 */
export class Sessions {
  private readonly nowInSeconds: () => number;

  constructor(private readonly options: SessionsOptions) {
    this.nowInSeconds = options.nowInSeconds ?? (() => Math.floor(Date.now() / 1_000));
  }

  get now(): number {
    return this.nowInSeconds();
  }

  /** Throws where a session can be neither begun nor ended: no key, no https, or a page of somebody else. */
  assertOwnPage(request: BrowserRequest): void {
    this.assertReachable(request);
    const origin = this.originOf(request);
    if (!isFromOwnPage(request, origin)) throw otherOrigin(origin);
  }

  /** The same for asking about it, which changes nothing. */
  assertReader(request: BrowserRequest): void {
    this.assertReachable(request);
    if (!isFromNoOtherSite(request)) throw otherOrigin(this.originOf(request));
  }

  /** The session that a request brings, wherever it comes from; null when there is none that holds. */
  sessionOf(request: BrowserRequest): Session | null {
    const { key } = this.options;
    if (key === null || this.isExposed(request)) return null;
    const name = this.cookieName(request);
    const sealed = cookieNamed(name, request);
    return sealed === null ? null : openSession(key, name, sealed, this.now);
  }

  /**
   * The session that speaks for a request whose effects count. Throws when it brings one and is not our own page's, so
   * that a wrong setting is told and a forged request has no effect.
   */
  speakerOf(request: BrowserRequest): Session | null {
    const session = this.sessionOf(request);
    if (session !== null) this.assertOwnPage(request);
    return session;
  }

  /** What makes the browser keep a session; null makes it forget. */
  cookieOf(request: BrowserRequest, session: Session | null): string {
    const { key } = this.options;
    const name = this.cookieName(request);
    const content = session === null || key === null ? '' : sealSession(key, name, session);
    const age = session === null ? 0 : Math.max(0, session.endsAt - this.now);
    const secure = name === SECURE_NAME ? '; Secure' : '';
    return `${name}=${content}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Strict${secure}`;
  }

  private assertReachable(request: BrowserRequest): void {
    if (this.options.key === null) throw sessionsAreOff();
    if (this.isExposed(request)) throw httpsNeeded(request.host);
  }

  private originOf(request: BrowserRequest): string {
    return originOf(request, this.options.publicUrl);
  }

  /** Whether anybody on the way could read along. */
  private isExposed(request: BrowserRequest): boolean {
    return !this.isHttps(request) && !isLoopback(request.host);
  }

  private isHttps(request: BrowserRequest): boolean {
    return this.originOf(request).startsWith('https:');
  }

  private cookieName(request: BrowserRequest): string {
    return this.isHttps(request) ? SECURE_NAME : NAME;
  }
}
