import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ACCESS_TOKEN_TYPE, type ExchangedToken, parseBody, TokenExchange } from '@strata/contract';
import type { FastifyReply } from 'fastify';
import { badCredentialError } from '../../platform/auth/bad-credential.ts';
import { Requires } from '../../platform/auth/requires.ts';
import type { StrataRequest } from '../../platform/http/request.ts';
import { observedSignIn } from './observed-sign-in.ts';
import { ProviderSignIn } from './provider-sign-in.ts';
import { WorkloadExchange } from './workload-exchange.ts';

/** Exchanges tokens of other issuers for tokens of Strata (RFC 8693). */
@Controller('auth/exchange')
export class TokenExchangeController {
  constructor(
    private readonly providers: ProviderSignIn,
    private readonly workloads: WorkloadExchange,
  ) {}

  @Post()
  @HttpCode(200)
  @Requires('nothing')
  async exchange(
    @Req() request: StrataRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() body: unknown,
  ): Promise<ExchangedToken> {
    const input = parseBody(TokenExchange, body);
    reply.header('cache-control', 'no-store');
    const from = { client: input.client ?? '', address: request.ip, requestId: request.id };
    const token = await observedSignIn(async () => {
      const issuedToken = (await this.providers.exchange(input, from)) ?? (await this.workloads.exchange(input, from));
      if (issuedToken === null) throw badCredentialError();
      return issuedToken;
    });
    return { ...token, issued_token_type: ACCESS_TOKEN_TYPE };
  }
}
