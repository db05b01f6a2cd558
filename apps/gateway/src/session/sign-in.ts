import type { IncomingHttpHeaders } from 'node:http';
import {
  type AuthToken,
  type ExchangedToken,
  LIMITS,
  type SessionEnd,
  type SignInCode,
  SUBJECT_TOKEN_TYPES,
  TOKEN_EXCHANGE_GRANT_TYPE,
  TOKEN_SECONDS_MIN,
  type User,
} from '@strata/contract';
import { Failure } from '@strata/domain';
import type { CorePool } from '@strata/rest-client';
import { z } from 'zod';
import { createClient, createCoreClient, type RequestOrigin } from '../core.ts';
import { type BrowserSession, SESSION_SECONDS } from './sealed-cookie.ts';

const filled = (max: number) => z.string('must be a text').min(1, 'must not be empty').max(max, 'is too long');

export const SignInRequest = z.union([
  z.strictObject({
    email: filled(LIMITS.email),
    password: filled(LIMITS.password),
    organization: filled(LIMITS.userId).optional(),
  }),
  z.strictObject({ apiKey: filled(512).regex(/^[\w-]+\.[\w-]+$/, 'must look like <prefix>.<secret>') }),
]);
export type SignInRequest = z.infer<typeof SignInRequest>;

/** Switches to another organization of the same user. */
export const SwitchOrganizationRequest = z.strictObject({ organization: filled(LIMITS.userId) });
export type SwitchOrganizationRequest = z.infer<typeof SwitchOrganizationRequest>;

/** Lets the command line of a machine sign in. The list of sessions shows the name of the machine. */
export const ApprovalRequest = z.strictObject({
  challenge: filled(128),
  machine: filled(64).regex(/^[\w.-]+$/, 'must be the name of a machine'),
});
export type ApprovalRequest = z.infer<typeof ApprovalRequest>;

/** The origin of a request. The core limits password guesses by address, and lists sessions with their programs. */
interface Arriving {
  readonly id: string;
  readonly ip: string;
  readonly headers: IncomingHttpHeaders;
}

const CLIENT_MAX = 256;

const requestOrigin = ({ id, ip }: Arriving): RequestOrigin => ({ requestId: id, address: ip });
const clientName = ({ headers }: Arriving): string => (headers['user-agent'] ?? '').slice(0, CLIENT_MAX);

/** Starts and ends sessions at the core, and checks whether they are still valid. */
export class SignIn {
  constructor(
    private readonly pool: CorePool,
    private readonly nowInSeconds: () => number,
  ) {}

  /** Throws the core's errors: a wrong password, too many attempts, an organization that requires single sign-on. */
  async begin(request: SignInRequest, browserRequest: Arriving): Promise<BrowserSession> {
    const client = clientName(browserRequest);
    if ('apiKey' in request)
      return this.started(`Api-Key ${request.apiKey}`, 'auth/session/', { client }, browserRequest);
    return this.started('', 'auth/session/', { ...request, client }, browserRequest);
  }

  /**
   * Starts a session for the user of an id token, in the given organization if the user may open it with this token,
   * else in the one that the core chooses. Throws the core's errors: a user who belongs to no organization.
   */
  async beginWithIdToken(
    idToken: string,
    organization: string | undefined,
    browserRequest: Arriving,
  ): Promise<BrowserSession> {
    const exchange = {
      grant_type: TOKEN_EXCHANGE_GRANT_TYPE,
      subject_token: idToken,
      subject_token_type: SUBJECT_TOKEN_TYPES[0],
      client: clientName(browserRequest),
    };
    try {
      return await this.started('', 'auth/exchange/', { ...exchange, organization }, browserRequest);
    } catch (error) {
      // the core has not used the token up
      const isOtherPossible = organization !== undefined && error instanceof Failure && NOT_THERE.includes(error.code);
      if (isOtherPossible) return this.started('', 'auth/exchange/', exchange, browserRequest);
      throw error;
    }
  }

  /** Ends the session at the core. Returns null if it has ended already. */
  async end({ authorization }: BrowserSession, browserRequest: Arriving): Promise<SessionEnd | null> {
    try {
      const { body } = await this.core(authorization, browserRequest).send<SessionEnd>('DELETE', 'auth/session/');
      return body;
    } catch (error) {
      if (error instanceof Failure && [...CREDENTIAL_ERRORS, NO_SESSION].includes(error.kind)) return null;
      throw error;
    }
  }

  /** Returns false if the core rejects the credential; throws if the core cannot be reached. */
  async isStillGood({ authorization }: BrowserSession, browserRequest: Arriving): Promise<boolean> {
    try {
      await this.core(authorization, browserRequest).get<User>('users/current/');
      return true;
    } catch (error) {
      if (error instanceof Failure && CREDENTIAL_ERRORS.includes(error.kind)) return false;
      throw error;
    }
  }

  /**
   * Switches to another organization of the same user, without the password and with the same end. The core exchanges
   * the token and throws if the user is not a member there. A session with an API key stays in the organization of the
   * key.
   */
  async switched(
    session: BrowserSession,
    { organization }: SwitchOrganizationRequest,
    browserRequest: Arriving,
  ): Promise<BrowserSession> {
    const left = session.endsAt - this.nowInSeconds();
    const tokenRequest = { organization, expires_in: Math.max(left, TOKEN_SECONDS_MIN) };
    const { body } = await this.core(session.authorization, browserRequest).send<AuthToken>(
      'POST',
      'auth/token/',
      tokenRequest,
    );
    return {
      authorization: `Bearer ${body.access_token}`,
      organizationId: body.organization,
      endsAt: session.endsAt,
    };
  }

  /** Creates a code for a session of a command line. Throws the core's errors: a service account. */
  async codeFor(
    { authorization }: BrowserSession,
    { challenge, machine }: ApprovalRequest,
    browserRequest: Arriving,
  ): Promise<SignInCode> {
    const input = { code_challenge: challenge, client: `strata on ${machine}` };
    return (await this.core(authorization, browserRequest).send<SignInCode>('POST', 'auth/code/', input)).body;
  }

  private async started(
    authorization: string,
    path: string,
    input: object,
    browserRequest: Arriving,
  ): Promise<BrowserSession> {
    const startedAt = this.nowInSeconds();
    const { body } = await this.core(authorization, browserRequest).send<AuthToken | ExchangedToken>(
      'POST',
      path,
      input,
    );
    return {
      authorization: `Bearer ${body.access_token}`,
      organizationId: body.organization,
      endsAt: startedAt + Math.min(body.expires_in, SESSION_SECONDS),
    };
  }

  private core(authorization: string, browserRequest: Arriving) {
    return createCoreClient(createClient(this.pool, authorization, requestOrigin(browserRequest)));
  }
}

/** The user is not a member of the organization, or it requires another identity provider. */
const NOT_THERE = ['unknown_link', 'sso_required'];
const CREDENTIAL_ERRORS = ['unauthenticated', 'bad_credential', 'forbidden'];
/** The cookie is from a release before sessions, and contains a token or an API key. */
const NO_SESSION = 'conflict';
