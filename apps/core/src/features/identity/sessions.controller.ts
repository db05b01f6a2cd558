import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import {
  CREATE_SIGN_IN_CODE,
  END_OWN_SESSION,
  END_SESSION,
  LIST_SESSIONS,
  parseBody,
  SessionStart,
} from '@strata/contract';
import { Failure } from '@strata/domain';
import type { FastifyReply } from 'fastify';
import { Requires } from '../../platform/auth/requires.ts';
import { actionController } from '../../platform/http/action-controller.ts';
import { sendTagged } from '../../platform/http/conditional-requests.ts';
import type { StrataRequest } from '../../platform/http/request.ts';
import { SessionsService } from './sessions.service.ts';
import { SignInService, type Token } from './sign-in.service.ts';
import { SignInCodes } from './sign-in-codes.ts';

@Controller('auth/session')
export class SessionStartController {
  constructor(
    private readonly signIn: SignInService,
    private readonly codes: SignInCodes,
  ) {}

  /** Starts a session with an e-mail address and a password, a sign-in code, or the API key of the request. */
  @Post()
  @HttpCode(200)
  @Requires('nothing_or_credential')
  start(
    @Req() request: StrataRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() body: unknown,
  ): Promise<Token> {
    const { email, password, organization, code, code_verifier: verifier, client = '' } = parseBody(SessionStart, body);
    reply.header('cache-control', 'no-store');
    const from = { client, address: request.ip };
    if (email !== undefined && password !== undefined) {
      return this.signIn.startWithPassword({ email, password, source: request.ip }, organization, from);
    }
    if (code !== undefined && email === undefined) {
      if (verifier === undefined) throw required('code_verifier');
      return this.codes.redeem(code, verifier, request.ip);
    }
    if (request.user && email === undefined && password === undefined) {
      return this.signIn.startWithKey(request.user, from);
    }
    throw required(email === undefined ? 'email' : 'password');
  }
}

const required = (field: string) => Failure.field('required', field, 'This field is required.');

export const SessionsController = actionController(
  'SessionsController',
  { createCode: CREATE_SIGN_IN_CODE, endOwn: END_OWN_SESSION, list: LIST_SESSIONS, end: END_SESSION },
  { sessions: SessionsService, codes: SignInCodes },
  ({ sessions, codes }) => ({
    createCode: ({ call, caller, input }) => {
      call.reply.header('cache-control', 'no-store');
      return codes.create(caller, input);
    },
    endOwn: async ({ call, caller }) => {
      call.reply.header('cache-control', 'no-store');
      return sendTagged(call, JSON.stringify(await sessions.endOwn(caller)));
    },
    list: async ({ call, caller }) => {
      const results = await sessions.list(caller);
      return sendTagged(call, JSON.stringify({ count: results.length, next: null, previous: null, results }));
    },
    end: async ({ caller, path }) => void (await sessions.end(caller, path.session ?? '')),
  }),
);
