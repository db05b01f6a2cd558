import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { AuthTokenRequest, parseBody } from '@strata/contract';
import { Failure } from '@strata/domain';
import type { FastifyReply } from 'fastify';
import { Requires } from '../../platform/auth/requires.ts';
import type { StrataRequest } from '../../platform/http/request.ts';
import { SignInService, type Token } from './sign-in.service.ts';

@Controller('auth/token')
export class AuthTokenController {
  constructor(private readonly signIn: SignInService) {}

  /**
   * Issues a token in exchange for an e-mail address and a password, or for a token of another organization of the
   * caller.
   */
  @Post()
  @HttpCode(200)
  @Requires('nothing_or_credential')
  async token(
    @Req() request: StrataRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() body: unknown,
  ): Promise<Token> {
    const { email, password, ...requested } = parseBody(AuthTokenRequest, body);
    reply.header('cache-control', 'no-store');
    if (email !== undefined && password !== undefined) {
      return this.signIn.withPassword({ email, password, source: request.ip }, requested);
    }
    if (request.user && email === undefined && password === undefined) {
      if (requested.organization === undefined) throw missingMemberError('organization');
      return this.signIn.exchange(request.user, readBearer(request), requested);
    }
    throw email === undefined ? missingMemberError('email') : missingMemberError('password');
  }
}

function missingMemberError(field: string): Failure {
  return Failure.field('required', field, 'This field is required.');
}

/**
 * Returns the bearer token, which the guard has verified. If the request uses an API key instead, the service rejects
 * it before it reads any claims.
 */
function readBearer({ headers }: StrataRequest): string {
  return (headers.authorization ?? '').replace(/^\S+ /, '');
}
