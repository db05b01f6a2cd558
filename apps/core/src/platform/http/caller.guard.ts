import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { canCall, deniedCallError, keyScopeError } from '@strata/domain';
import type { FastifyReply } from 'fastify';
import { NotAMemberError } from '../auth/external-people.ts';
import { LONG_LIVED, REQUIRED, type ReadWaitingMode, type RouteRequirement, type Waiting } from '../auth/requires.ts';
import { scopeOfPath } from '../auth/scope-of-path.ts';
import { ServiceKeys } from '../vault/service-keys.ts';
import { changesSomething } from './changing-requests.ts';
import { readIdempotencyKey } from './idempotency.ts';
import { readSurface, type StrataRequest } from './request.ts';
import { RequestAuthentication } from './request-authentication.ts';

/**
 * Authenticates every request, and applies the requirement of its route. A route without a requirement rejects every
 * request.
 */
@Injectable()
export class CallerGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly authentication: RequestAuthentication,
    private readonly serviceKeys: ServiceKeys,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const requirementOfRoute = this.readRequirement(context);
    if (requirementOfRoute === undefined) throw new Error(`${context.getHandler().name} declares no requirement.`);
    const request = context.switchToHttp().getRequest<StrataRequest>();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    if (requirementOfRoute === 'nothing') {
      this.authentication.countRejected(request, reply);
      return true;
    }
    const isOptional = requirementOfRoute === 'nothing_or_credential';
    if (isOptional && this.authentication.hasNoCredential(request)) return true;
    const identity = await this.authentication.identify(request, reply).catch((error: unknown) => {
      if (!(error instanceof NotAMemberError)) throw error;
      if (!isOptional) request.rejectedIdentity = error.identity;
      if (!isOptional) throw error;
      request.externalIdentity = error.identity;
      return null;
    });
    if (identity === null) return true;
    this.authentication.admit(request, reply, identity, this.readWaiting(context, request));
    const { credential, ...who } = identity;
    const ability = isOptional ? null : requirementOfRoute;
    const scope = scopeOfPath(request);
    const authorization = { credential, ability, scope };
    request.user = {
      ...who,
      requestId: request.id,
      surface: readSurface(request),
      authorization,
      idempotencyKey: null,
    };
    if (identity.key?.writes === false && changesSomething(request)) throw keyScopeError('write');
    if (ability !== null && !canCall(identity, ability, scope)) throw deniedCallError(identity, ability, scope);
    const idempotencyKey = readIdempotencyKey(request, this.serviceKeys);
    if (idempotencyKey) request.user = { ...request.user, idempotencyKey };
    return true;
  }

  private readRequirement(context: ExecutionContext): RouteRequirement | undefined {
    const ofRoute = this.reflector.get<RouteRequirement | undefined>(REQUIRED, context.getHandler());
    return ofRoute ?? this.reflector.get<RouteRequirement | undefined>(REQUIRED, context.getClass());
  }

  private readWaiting(context: ExecutionContext, request: StrataRequest): Waiting {
    return this.reflector.get<ReadWaitingMode | undefined>(LONG_LIVED, context.getHandler())?.(request) ?? null;
  }
}
