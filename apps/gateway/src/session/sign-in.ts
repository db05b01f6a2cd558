import { type AuthToken, LIMITS, type Membership, TOKEN_SECONDS_MIN, type User } from '@strata/contract';
import { Failure } from '@strata/domain';
import type { CorePool } from '@strata/rest-client';
import { z } from 'zod';
import { clientOf, coreOf, type RequestOrigin } from '../core.ts';
import { SESSION_SECONDS, type Session } from './sealed-session.ts';

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
export const SwitchRequest = z.strictObject({ organization: filled(LIMITS.userId) });
export type SwitchRequest = z.infer<typeof SwitchRequest>;

/** The origin of a request. The core limits password guesses by address. */
interface Arriving {
  readonly id: string;
  readonly ip: string;
}

const originOf = ({ id, ip }: Arriving): RequestOrigin => ({ requestId: id, address: ip });

/** Creates sessions from credentials and checks with the core whether they are still valid. */
export class SignIn {
  constructor(
    private readonly pool: CorePool,
    private readonly nowInSeconds: () => number,
  ) {}

  /** Throws the core's errors: a wrong password, too many attempts, an external identity provider. */
  async begin(given: SignInRequest, arriving: Arriving): Promise<Session> {
    return 'apiKey' in given ? this.withKey(given.apiKey, arriving) : this.withPassword(given, arriving);
  }

  /** Returns false if the core rejects the credential; throws if the core cannot be reached. */
  async isStillGood({ authorization }: Session, arriving: Arriving): Promise<boolean> {
    try {
      await this.core(authorization, arriving).get<User>('users/current/');
      return true;
    } catch (error) {
      if (error instanceof Failure && REFUSED.includes(error.kind)) return false;
      throw error;
    }
  }

  /**
   * Switches to another organization of the same user, without the password and with the same end. The core exchanges
   * the token and throws if the user is not a member there. A session with an API key stays in the organization of the
   * key.
   */
  async switched(session: Session, { organization }: SwitchRequest, arriving: Arriving): Promise<Session> {
    const left = session.endsAt - this.nowInSeconds();
    const wanted = { organization, expires_in: Math.max(left, TOKEN_SECONDS_MIN) };
    const { body } = await this.core(session.authorization, arriving).send<AuthToken>('POST', 'auth/token/', wanted);
    return {
      authorization: `Bearer ${body.access_token}`,
      organizationId: body.organization,
      endsAt: session.endsAt,
    };
  }

  private async withPassword(
    { email, password, organization }: Extract<SignInRequest, { email: string }>,
    arriving: Arriving,
  ): Promise<Session> {
    const wanted = { email, password, organization, expires_in: SESSION_SECONDS };
    const startedAt = this.nowInSeconds();
    const { body } = await this.core('', arriving).send<AuthToken>('POST', 'auth/token/', wanted);
    return {
      authorization: `Bearer ${body.access_token}`,
      organizationId: body.organization,
      endsAt: startedAt + Math.min(body.expires_in, SESSION_SECONDS),
    };
  }

  /** The core checks the key with each request, so the session ends with the key. */
  private async withKey(key: string, arriving: Arriving): Promise<Session> {
    const authorization = `Api-Key ${key}`;
    const core = this.core(authorization, arriving);
    const { body: caller } = await core.get<User>('users/current/');
    const { body: membership } = await core.get<Membership>(`memberships/${caller.membership_id}/`);
    return {
      authorization,
      organizationId: membership.organization.split('/').at(-2) ?? '',
      endsAt: this.nowInSeconds() + SESSION_SECONDS,
    };
  }

  private core(authorization: string, arriving: Arriving) {
    return coreOf(clientOf(this.pool, authorization, originOf(arriving)));
  }
}

const REFUSED = ['unauthenticated', 'bad_credential', 'forbidden'];
