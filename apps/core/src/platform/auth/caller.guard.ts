import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import { can, Failure } from '@strata/domain';
import type { StrataRequest } from '../http/request.ts';
import { type ParsedAuthorization, parseAuthorization } from './authorization.ts';
import type { Identity } from './credentials.ts';
import { REQUIRED, type Requirement } from './requires.ts';

/** behaviour.md E1: the same for whatever is wrong with a credential. */
export const badCredential = () =>
  new Failure('bad_credential', 'bad_credential', 'Incorrect authentication credentials.');

/** Passport raises its own exception for a refused credential; behaviour.md E1 wants ours. */
class ApiKeyGuard extends AuthGuard('api-key') {
  override handleRequest<T>(error: unknown, identity: T | false): T {
    return verdict(error, identity);
  }
}

class BearerGuard extends AuthGuard('bearer') {
  override handleRequest<T>(error: unknown, identity: T | false): T {
    return verdict(error, identity);
  }
}

function verdict<T>(error: unknown, identity: T | false): T {
  if (error) throw error;
  if (!identity) throw badCredential();
  return identity;
}

/** The only door: authenticates every request and asks its route what it takes. Closed by default. */
@Injectable()
export class CallerGuard implements CanActivate {
  private readonly apiKey = new ApiKeyGuard();
  private readonly bearer = new BearerGuard();

  constructor(private readonly reflector: Reflector) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const required = this.reflector.getAllAndOverride<Requirement | undefined>(REQUIRED, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (required === 'nothing') return true;
    if (required === undefined) throw new Error(`${context.getHandler().name} does not say what it requires.`);

    const request = context.switchToHttp().getRequest<StrataRequest>();
    const authorization = parseAuthorization(request.raw.rawHeaders);
    if (required === 'nothing_or_credential' && authorization.kind === 'none') return true;
    await this.authenticate(context, request, authorization);
    const identity = request.user as Identity | undefined;
    if (!identity) throw badCredential();
    request.user = { ...identity, requestId: request.id, surface: surfaceOf(request) };
    if (required !== 'nothing_or_credential' && !can(identity.role, required)) throw Failure.forbidden();
    return true;
  }

  private async authenticate(
    context: ExecutionContext,
    request: StrataRequest,
    authorization: ParsedAuthorization,
  ): Promise<void> {
    if (authorization.kind === 'none') {
      throw new Failure('unauthenticated', 'unauthenticated', 'Authentication credentials were not provided.');
    }
    if (authorization.kind === 'malformed') throw badCredential();
    const { credential } = authorization;
    if (credential.scheme === 'bearer') {
      await this.bearer.canActivate(context);
      return;
    }
    request.headers['x-strata-api-key'] = credential.key;
    await this.apiKey.canActivate(context);
  }
}

/** The gateway names itself, so that history can tell which door a change came through. */
function surfaceOf({ headers }: StrataRequest): string {
  return headers['x-strata-surface'] === 'graphql' ? 'graphql' : 'rest';
}
