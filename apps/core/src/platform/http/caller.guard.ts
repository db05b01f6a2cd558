import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { canCall, Failure } from '@strata/domain';
import type { FastifyReply } from 'fastify';
import passport from 'passport';
import { type ParsedAuthorization, parseAuthorization } from '../auth/authorization.ts';
import { badCredential } from '../auth/bad-credential.ts';
import { Credentials, type Identity } from '../auth/credentials.ts';
import { NotAMember } from '../auth/external-people.ts';
import { LONG_LIVED, REQUIRED, type RouteRequirement } from '../auth/requires.ts';
import { scopeOfPath } from '../auth/scope-of-path.ts';
import { ApiKeyStrategy, BearerStrategy } from '../auth/strategies.ts';
import { AnonymousRateLimit } from '../limits/anonymous-rate-limit.ts';
import { OrganizationLimits } from '../limits/organization-limits.ts';
import { RootKey } from '../vault/root-key.ts';
import { idempotencyKeyOf } from './idempotency.ts';
import type { StrataRequest } from './request.ts';

const noCredential = () =>
  new Failure({
    kind: 'unauthenticated',
    code: 'unauthenticated',
    message: 'Authentication credentials were not provided.',
  });

/**
 * Authenticates every request, and applies the requirement of its route. A route without a requirement rejects every
 * request.
 */
@Injectable()
export class CallerGuard implements CanActivate {
  /**
   * Does not use the instance that the process shares: there, a strategy replaces an earlier one with the same name.
   */
  private readonly passport = new passport.Passport();

  constructor(
    private readonly reflector: Reflector,
    private readonly credentials: Credentials,
    apiKey: ApiKeyStrategy,
    bearer: BearerStrategy,
    private readonly rootKey: RootKey,
    private readonly shares: OrganizationLimits,
    private readonly strangers: AnonymousRateLimit,
  ) {
    this.passport.use('api-key', apiKey).use('bearer', bearer);
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const required = this.requirementOf(context);
    if (required === undefined) throw new Error(`${context.getHandler().name} declares no requirement.`);
    const request = context.switchToHttp().getRequest<StrataRequest>();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    if (required === 'nothing') {
      this.strangers.countRejectedCredential(request, reply);
      return true;
    }
    const header = parseAuthorization(request.raw.rawHeaders);
    if (required === 'nothing_or_credential' && header.kind === 'none') return true;
    const identity = await this.identityOf(context, header).catch((error: unknown) => {
      if (error instanceof Failure && error.kind === 'bad_credential')
        this.strangers.countRejectedCredential(request, reply);
      if (required !== 'nothing_or_credential' || !(error instanceof NotAMember)) throw error;
      request.externalIdentity = error.identity;
      return null;
    });
    if (identity === null) return true;
    this.shares.admit(request, reply, identity, this.isLongLived(context));
    const { credential, ...who } = identity;
    const ability = required === 'nothing_or_credential' ? null : required;
    const scope = scopeOfPath(request);
    const authorization = { credential, ability, scope };
    request.user = { ...who, requestId: request.id, surface: surfaceOf(request), authorization, idempotencyKey: null };
    if (ability !== null && !canCall(identity, ability, scope)) throw Failure.forbidden();
    const idempotencyKey = idempotencyKeyOf(request, this.rootKey);
    if (idempotencyKey) request.user = { ...request.user, idempotencyKey };
    return true;
  }

  private requirementOf(context: ExecutionContext): RouteRequirement | undefined {
    const ofRoute = this.reflector.get<RouteRequirement | undefined>(REQUIRED, context.getHandler());
    return ofRoute ?? this.reflector.get<RouteRequirement | undefined>(REQUIRED, context.getClass());
  }

  private isLongLived(context: ExecutionContext): boolean {
    return this.reflector.get<boolean | undefined>(LONG_LIVED, context.getHandler()) ?? false;
  }

  private identityOf(context: ExecutionContext, header: ParsedAuthorization): Promise<Identity> {
    if (header.kind === 'none') throw noCredential();
    if (header.kind === 'malformed') throw badCredential();
    const { credential } = header;
    const cached = credential.scheme === 'api-key' ? this.credentials.cachedByApiKey(credential.key) : null;
    return cached ? Promise.resolve(cached) : this.authenticateWith(credential.scheme, context);
  }

  /**
   * Passport makes an object per request of a strategy that is given by name. It would write the callbacks of all requests into one
   * that is given as an object, so that a request could get the identity of another caller.
   */
  private authenticateWith(strategy: 'api-key' | 'bearer', context: ExecutionContext): Promise<Identity> {
    const http = context.switchToHttp();
    return new Promise((resolve, reject) => {
      const decide = (error: unknown, identity: Identity | false | null, why: unknown) => {
        if (error || why instanceof Failure) reject(error ?? why);
        else if (identity) resolve(identity);
        else reject(badCredential());
      };
      this.passport.authenticate(strategy, { session: false }, decide)(http.getRequest(), http.getResponse(), reject);
    });
  }
}

/** The gateway sends its name, so that history can show which interface a change came from. */
function surfaceOf({ headers }: StrataRequest): string {
  return headers['x-strata-surface'] === 'graphql' ? 'graphql' : 'rest';
}
