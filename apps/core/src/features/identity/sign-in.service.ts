import { Inject, Injectable } from '@nestjs/common';
import { SIGN_IN_SECONDS } from '@strata/contract';
import { Failure, type OrganizationId, type UserId } from '@strata/domain';
import { decodeJwt } from 'jose';
import { badCredentialError } from '../../platform/auth/bad-credential.ts';
import { parseSessionToken, type SessionToken, sessionToken } from '../../platform/auth/session-token.ts';
import { TOKEN_LIFETIME_SECONDS, TokenIssuer } from '../../platform/auth/token-issuer.ts';
import type { Caller } from '../../platform/caller.ts';
import type { Env } from '../../platform/env.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { ENV } from '../../platform/tokens.ts';
import { observedSignIn } from './observed-sign-in.ts';
import { OrganizationChoice } from './organization-choice.ts';
import { assertLocal, type PasswordAttempt, PasswordCheck } from './password-check.ts';
import { type AcceptedSignIn, SessionsService } from './sessions.service.ts';

export interface Token {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly organization: OrganizationId;
}

interface Person {
  readonly id: UserId;
  readonly token_version: number;
}

/** How a session starts that is not given out as a token of the built-in issuer. */
type NewSession = Pick<AcceptedSignIn, 'client' | 'address'>;

/** The organization and the lifetime of a requested token. */
export interface RequestedToken {
  readonly organization?: string | undefined;
  readonly expires_in?: number | undefined;
}

const nowInSeconds = () => Math.floor(Date.now() / 1_000);

/** Issues tokens and starts sessions for passwords and keys, and exchanges them for another organization. */
@Injectable()
export class SignInService {
  constructor(
    private readonly reader: SnapshotReader,
    private readonly issuer: TokenIssuer,
    private readonly passwords: PasswordCheck,
    private readonly sessions: SessionsService,
    private readonly organizations: OrganizationChoice,
    @Inject(ENV) private readonly env: Env,
  ) {}

  async withPassword(attempt: PasswordAttempt, requestedToken: RequestedToken): Promise<Token> {
    assertLocal(this.env);
    return observedSignIn(async () =>
      this.tokenFor(await this.passwords.findPerson(attempt), requestedToken, nowInSeconds()),
    );
  }

  /** Starts a session with a password. */
  async startWithPassword(
    attempt: PasswordAttempt,
    organization: string | undefined,
    from: NewSession,
  ): Promise<Token> {
    assertLocal(this.env);
    return observedSignIn(async () => {
      const { id, token_version: tokenVersion } = await this.passwords.findPerson(attempt);
      const organizationId = await this.organizations.of(id, organization);
      return this.start({ personId: id, organizationId, tokenVersion, method: 'password', ...from });
    });
  }

  /** Starts a session of a service account, which ends with the key of the request. */
  async startWithKey(caller: Caller, from: NewSession): Promise<Token> {
    const { keyPrefix, sessionId } = caller.authorization?.credential ?? {};
    if (!keyPrefix || sessionId) throw Failure.field('required', 'email', 'This field is required.');
    const person = await this.person(caller.id);
    const { organizationId } = caller;
    const { id: personId, token_version: tokenVersion } = person;
    const isLimited = caller.key !== undefined;
    return this.start({ personId, organizationId, tokenVersion, method: 'api_key', keyPrefix, isLimited, ...from });
  }

  /** Starts a session, by default for the working day of a person. */
  async start(signIn: Omit<AcceptedSignIn, 'lifetimeSeconds'>, lifetimeSeconds = SIGN_IN_SECONDS): Promise<Token> {
    return {
      access_token: await this.sessions.start({ ...signIn, lifetimeSeconds }),
      token_type: 'Bearer',
      expires_in: lifetimeSeconds,
      organization: signIn.organizationId,
    };
  }

  /**
   * Issues a token for another organization of the caller. Rejects service accounts, because each belongs to only one
   * organization.
   */
  async exchange(caller: Caller, token: string, requestedToken: RequestedToken): Promise<Token> {
    if (caller.type !== 'interactive') {
      throw Failure.forbidden('Service accounts cannot exchange tokens, because they belong to one organization.');
    }
    const session = parseSessionToken(token);
    if (session) return this.switched(caller, session, requestedToken);
    assertLocal(this.env);
    const signedInAt = Number(decodeJwt(token).auth_time);
    if (!(signedInAt > nowInSeconds() - SIGN_IN_SECONDS)) throw badCredentialError();
    return this.tokenFor(await this.person(caller.id), requestedToken, signedInAt);
  }

  /** Returns the token of the same session for another organization. The session stays as it is. */
  private async switched(caller: Caller, session: SessionToken, { organization }: RequestedToken): Promise<Token> {
    const provider = await this.sessions.findProvider(session.id);
    const organizationId = await this.organizations.of(caller.id, organization, provider);
    const expiresAt = caller.authorization?.credential.expiresAt ?? 0;
    return {
      access_token: sessionToken(session.id, organizationId, session.secret).text,
      token_type: 'Bearer',
      expires_in: Math.max(1, Math.floor((expiresAt - Date.now()) / 1_000)),
      organization: organizationId,
    };
  }

  private async person(id: UserId): Promise<Person> {
    const [person] = await this.reader.query<Person>('select id, token_version from person where id = $1', [id]);
    if (!person) throw badCredentialError();
    return person;
  }

  private async tokenFor(
    { id, token_version: version }: Person,
    { organization, expires_in: lifetime = TOKEN_LIFETIME_SECONDS }: RequestedToken,
    signedInAt: number,
  ): Promise<Token> {
    const organizationId = await this.organizations.of(id, organization);
    // A sign-in ends after a working day. A token of the usual lifetime may outlast it; a longer one ends with it.
    const left = Math.max(TOKEN_LIFETIME_SECONDS, signedInAt + SIGN_IN_SECONDS - nowInSeconds());
    const lifetimeSeconds = Math.min(lifetime, left);
    const subject = { personId: id, organizationId, tokenVersion: version, signedInAt, lifetimeSeconds };
    return {
      access_token: await this.issuer.issue(subject),
      token_type: 'Bearer',
      expires_in: lifetimeSeconds,
      organization: organizationId,
    };
  }
}
