import { Controller, Get, Inject, Param, Query, Req, Res } from '@nestjs/common';
import { Failure, isUuid } from '@strata/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isFromNoOtherSite } from './browser-request.ts';
import { Providers } from './providers.ts';
import type { SignInFlow } from './sealed-cookie.ts';
import { Sessions } from './sessions.ts';
import { SignIn } from './sign-in.ts';
import { SignInError } from './sign-in-problem.ts';

/** People type a password and confirm with a second device meanwhile. */
const FLOW_SECONDS = 600;
/** Browsers ignore cookies of more than 4096 bytes. */
const RETURN_MAX = 1_500;

/**
 * Sign-in with an identity provider. Both routes are navigations of the browser, so an error is a code in the address of
 * the sign-in page, which explains it.
 */
@Controller('session/provider/:id')
export class ProviderSignInController {
  constructor(
    @Inject(Sessions) private readonly sessions: Sessions,
    @Inject(Providers) private readonly providers: Providers,
    @Inject(SignIn) private readonly signIn: SignIn,
  ) {}

  /** Sends the browser to the provider. */
  @Get()
  async begin(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('id') provider: string,
    @Query('return') requestedPath: unknown,
    @Query('organization') organization: unknown,
  ): Promise<void> {
    const returnTo = localPath(requestedPath);
    try {
      // a page of another site must not replace the session of this browser
      if (!isFromNoOtherSite(request)) throw new SignInError('other_origin');
      // the cookie would not arrive at the address to which the provider sends the browser back
      if (!this.sessions.isAtPublicUrl(request)) throw new SignInError('other_address');
      const { url, ...sent } = await this.providers.request(provider);
      const flow: SignInFlow = {
        ...sent,
        provider,
        returnTo,
        ...(typeof organization === 'string' && isUuid(organization) && { organization }),
        endsAt: this.sessions.now + FLOW_SECONDS,
      };
      reply.header('set-cookie', this.sessions.flowCookie(request, flow)).redirect(url.href, 302);
    } catch (error) {
      reply.redirect(this.sessions.publicUrl(signInPage(error, returnTo)), 303);
    }
  }

  /** Receives the response of the provider. The cookie of the sign-in proves that this browser has started it. */
  @Get('callback')
  async finish(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('id') provider: string,
  ): Promise<void> {
    const flow = this.sessions.readFlow(request);
    const cookies = [this.sessions.flowCookie(request, null)];
    try {
      const session = await this.finished(flow, provider, request);
      cookies.push(this.sessions.sessionCookie(request, session));
      reply.header('set-cookie', cookies).redirect(flow?.returnTo ?? '/', 303);
    } catch (error) {
      reply.header('set-cookie', cookies).redirect(signInPage(error, flow?.returnTo ?? '/'), 303);
    }
  }

  private async finished(flow: SignInFlow | null, provider: string, request: FastifyRequest) {
    if (flow === null) throw new SignInError('sign_in_expired');
    if (flow.provider !== provider) throw new SignInError('sign_in_mismatch');
    const { search } = new URL(request.url, 'http://gateway');
    const idToken = await this.providers.idToken(provider, search, flow);
    return this.signIn.beginWithIdToken(idToken, flow.organization, request);
  }
}

/** Browsers treat `//` and a backslash at the beginning as another host, and ignore control characters. */
const LOCAL_PATH = /^\/(?!\/)[!-[\]-~]*$/;

/** Returns the path of a page of this origin; the first page for anything else. */
function localPath(requestedPath: unknown): string {
  return typeof requestedPath === 'string' && requestedPath.length <= RETURN_MAX && LOCAL_PATH.test(requestedPath)
    ? requestedPath
    : '/';
}

/** Returns the address of the sign-in page with the code of the error. Any error that is not expected is thrown again. */
function signInPage(error: unknown, back: string): string {
  if (!(error instanceof SignInError || error instanceof Failure)) throw error;
  return `/sign-in?${new URLSearchParams({ problem: error.code, back })}`;
}
