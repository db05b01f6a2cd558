import { Body, Controller, Delete, Get, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import type { SignInCode } from '@strata/contract';
import { asSentence, Failure } from '@strata/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { Providers } from './providers.ts';
import { assertMeantForOrganization } from './request-credential.ts';
import type { BrowserSession } from './sealed-cookie.ts';
import { Sessions } from './sessions.ts';
import { ApprovalRequest, SignIn, SignInRequest, SwitchOrganizationRequest } from './sign-in.ts';

/** The state of a session that the console sees; never the credential. */
interface SessionAnswer {
  readonly signedIn: boolean;
  /** The id of the session's organization. */
  readonly organization?: string;
  /** The latest time at which the session ends. */
  readonly endsAt?: string;
  /** Without a session: the identity providers that the user can choose from. */
  readonly providers?: readonly { readonly id: string; readonly name: string }[];
  /** After signing out: the address at which the user signs out of the identity provider as well. */
  readonly logoutUrl?: string;
}

/** The session of a browser: a sealed cookie. No script can read the credential in it, and no gateway stores it. */
@Controller('session')
export class SessionController {
  constructor(
    @Inject(Sessions) private readonly sessions: Sessions,
    @Inject(SignIn) private readonly signIn: SignIn,
    @Inject(Providers) private readonly providers: Providers,
  ) {}

  /**
   * Returns whether the user is signed in, which the core confirms, and deletes the cookie of a session that has ended.
   */
  @Get()
  async tell(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<SessionAnswer> {
    this.sessions.assertReader(request);
    const session = this.sessions.readSession(request);
    if (session !== null && (await this.signIn.isStillGood(session, request))) return describeSession(session);
    if (request.headers.cookie !== undefined) reply.header('set-cookie', this.sessions.sessionCookie(request, null));
    return { signedIn: false, providers: this.providers.list };
  }

  /** Starts a session of at most twelve hours that replaces the previous one. */
  @Post()
  @HttpCode(200)
  async begin(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() body: unknown,
  ): Promise<SessionAnswer> {
    this.sessions.assertOwnPage(request);
    assertJson(request);
    const session = await this.signIn.begin(parsed(SignInRequest, body, HOW_TO_SIGN_IN), request);
    reply.header('set-cookie', this.sessions.sessionCookie(request, session));
    return describeSession(session);
  }

  /** Switches the session to another organization of the same user. */
  @Post('organization')
  @HttpCode(200)
  async switch(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() body: unknown,
  ): Promise<SessionAnswer> {
    this.sessions.assertOwnPage(request);
    assertJson(request);
    const switchRequest = parsed(
      SwitchOrganizationRequest,
      body,
      'Send "organization", the id of the organization to switch to.',
    );
    const session = this.signedIn(request);
    const switched = await this.signIn.switched(session, switchRequest, request);
    reply.header('set-cookie', this.sessions.sessionCookie(request, switched));
    return describeSession(switched);
  }

  /** Creates the code with which the command line of a machine signs in as the user of the session. */
  @Post('code')
  @HttpCode(200)
  async approve(@Req() request: FastifyRequest, @Body() body: unknown): Promise<SignInCode> {
    this.sessions.assertOwnPage(request);
    assertJson(request);
    const approval = parsed(ApprovalRequest, body, 'Send "challenge" and "machine", as `strata login` does.');
    const session = this.signedIn(request);
    assertMeantForOrganization(session, request);
    return this.signIn.codeFor(session, approval, request);
  }

  /** Ends the session for all copies of its cookie. If the core cannot be reached, the user stays signed in. */
  @Delete()
  @HttpCode(200)
  async end(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<SessionAnswer> {
    this.sessions.assertOwnPage(request);
    const session = this.sessions.readSession(request);
    const endedSession = session && (await this.signIn.end(session, request));
    reply.header('set-cookie', this.sessions.sessionCookie(request, null));
    const logoutUrl = endedSession?.provider
      ? await this.providers.logoutUrl(endedSession.provider, endedSession.id_token)
      : null;
    return { signedIn: false, ...(logoutUrl !== null && { logoutUrl }) };
  }

  private signedIn(request: FastifyRequest): BrowserSession {
    const session = this.sessions.readSession(request);
    if (session !== null) return session;
    const message = 'You are not signed in. Sign in first.';
    throw new Failure({ kind: 'unauthenticated', code: 'unauthenticated', message });
  }
}

function describeSession({ organizationId, endsAt }: BrowserSession): SessionAnswer {
  return { signedIn: true, organization: organizationId, endsAt: new Date(endsAt * 1_000).toISOString() };
}

/** Other sites can send forms without a preflight request, but not JSON. */
function assertJson({ headers }: FastifyRequest): void {
  if (/^application\/json\b/i.test(headers['content-type'] ?? '')) return;
  throw new Failure({
    kind: 'unsupported_media_type',
    code: 'unsupported_media_type',
    message: 'Send the credential as application/json.',
  });
}

const HOW_TO_SIGN_IN =
  'Send either "email" and "password" (optionally "organization", an id), or "apiKey", each as a non-empty string.';

function parsed<Shape extends z.ZodType>(shape: Shape, body: unknown, help: string): z.infer<Shape> {
  const result = shape.safeParse(body);
  if (result.success) return result.data;
  throw Failure.invalid('invalid_sign_in', asSentence(help));
}
