import { Injectable } from '@nestjs/common';
import { Failure } from '@strata/domain';
import type { FastifyReply } from 'fastify';
import passport from 'passport';
import { type Credential, type ParsedAuthorization, parseAuthorization } from '../auth/authorization.ts';
import { badCredentialError } from '../auth/bad-credential.ts';
import { Credentials, type Identity } from '../auth/credentials.ts';
import type { Waiting } from '../auth/requires.ts';
import { ApiKeyStrategy, BearerStrategy, SessionStrategy } from '../auth/strategies.ts';
import { TokenKeysError } from '../auth/token-keys.ts';
import type { CurrentHead } from '../ledger/heads.ts';
import { AnonymousRateLimit } from '../limits/anonymous-rate-limit.ts';
import { OrganizationLimits } from '../limits/organization-limits.ts';
import type { StrataRequest } from './request.ts';

const noCredential = () =>
  new Failure({
    kind: 'unauthenticated',
    code: 'unauthenticated',
    message: 'Authentication credentials were not provided.',
  });

/** Authenticates requests and admits their callers. Every request that reads or writes data passes it once. */
@Injectable()
export class RequestAuthentication {
  /**
   * Does not use the instance that the process shares: there, a strategy replaces an earlier one with the same name.
   */
  private readonly passport = new passport.Passport();

  constructor(
    private readonly credentials: Credentials,
    apiKey: ApiKeyStrategy,
    private readonly bearer: BearerStrategy,
    session: SessionStrategy,
    private readonly limits: OrganizationLimits,
    private readonly anonymousRates: AnonymousRateLimit,
  ) {
    this.passport.use('api-key', apiKey).use('bearer', bearer).use('session', session);
  }

  hasNoCredential({ raw }: StrataRequest): boolean {
    return parseAuthorization(raw.rawHeaders).kind === 'none';
  }

  /** Returns the identity of a request whose credential was checked a moment ago; null if it must be looked up. */
  recognize(request: StrataRequest): Identity | null {
    request.recognized = this.recognizeHeaders(request.raw.rawHeaders);
    return request.recognized;
  }

  /** Returns the identity in the headers of a request, like `recognize`. */
  recognizeHeaders(rawHeaders: readonly string[]): Identity | null {
    return this.cachedIdentity(parseAuthorization(rawHeaders));
  }

  /**
   * Returns who shares processor time with others until the request is admitted: the organization of a credential that
   * was checked a moment ago, otherwise the address.
   */
  findHolder({ raw, ip }: StrataRequest): string {
    return this.recognizeHeaders(raw.rawHeaders)?.organizationId ?? ip;
  }

  /**
   * Returns whether the recognized identity takes account of the last change of people. If not, the identity is looked
   * up again.
   */
  isCurrent(request: StrataRequest, identity: Identity, head: CurrentHead): boolean {
    if (this.isIdentityCurrent(identity, head)) return true;
    request.recognized = null;
    return false;
  }

  /** Returns whether a recognized identity takes account of the last change of people. */
  isIdentityCurrent(identity: Identity, { people }: CurrentHead): boolean {
    return this.credentials.isCurrent(identity, people);
  }

  /** Returns the identity of a request. Throws 401 or 403, and counts a rejected credential. */
  async identify(request: StrataRequest, reply: FastifyReply): Promise<Identity> {
    try {
      return await this.authenticate(request, reply);
    } catch (error) {
      if (error instanceof Failure && error.kind === 'bad_credential') this.countRejected(request, reply);
      throw error;
    }
  }

  /**
   * Admits the caller by the rates and the limits of the organization. A request that was admitted already is not
   * counted again.
   */
  admit(request: StrataRequest, reply: FastifyReply, identity: Identity, waitingRequest: Waiting = null): void {
    if (request.isAdmitted) return;
    this.limits.admit(request, reply, identity, waitingRequest);
    request.isAdmitted = true;
  }

  /** Counts a request whose credential was rejected, or that needs none, against its network address. */
  countRejected(request: StrataRequest, reply: FastifyReply): void {
    this.anonymousRates.countRejectedCredential(request, reply);
  }

  private authenticate(request: StrataRequest, reply: FastifyReply): Promise<Identity> {
    if (request.recognized) return Promise.resolve(request.recognized);
    const header = parseAuthorization(request.raw.rawHeaders);
    if (header.kind === 'none') throw noCredential();
    if (header.kind === 'malformed') throw badCredentialError();
    const cachedIdentity = this.cachedIdentity(header);
    return cachedIdentity
      ? Promise.resolve(cachedIdentity)
      : this.authenticateWith(header.credential.scheme, request, reply);
  }

  private cachedIdentity(header: ParsedAuthorization): Identity | null {
    if (header.kind !== 'credential') return null;
    const { credential } = header;
    switch (credential.scheme) {
      case 'api-key':
        return this.credentials.cachedByApiKey(credential.key);
      case 'session':
        return this.credentials.cachedBySession(credential.session);
      case 'bearer':
        return this.bearer.recognize(credential.token);
    }
  }

  /**
   * Passport creates an object per request of a strategy that is given by name. It would write the callbacks of all
   * requests into one that is given as an object, so that a request could get the identity of another caller.
   */
  private authenticateWith(
    strategy: Credential['scheme'],
    request: StrataRequest,
    reply: FastifyReply,
  ): Promise<Identity> {
    return new Promise((resolve, reject) => {
      const decide = (error: unknown, identity: Identity | false | null, failureInfo: unknown) => {
        if (failureInfo instanceof TokenKeysError) reject(failureInfo.cause);
        else if (error || failureInfo instanceof Failure) reject(error ?? failureInfo);
        else if (identity) resolve(identity);
        else reject(badCredentialError());
      };
      this.passport.authenticate(strategy, { session: false }, decide)(request, reply, reject);
    });
  }
}
