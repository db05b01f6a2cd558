import { Inject, Injectable } from '@nestjs/common';
import { SIGN_IN_SECONDS } from '@strata/contract';
import { Failure, isUuid, type OrganizationId, type UserId } from '@strata/domain';
import { decodeJwt } from 'jose';
import { RefusalLog } from '../../platform/access-log/refusal-log.ts';
import { badCredential } from '../../platform/auth/bad-credential.ts';
import { TOKEN_LIFETIME_SECONDS, TokenIssuer } from '../../platform/auth/token-issuer.ts';
import type { Caller } from '../../platform/caller.ts';
import type { Env } from '../../platform/env.ts';
import { lastSegment, unknownLink } from '../../platform/http/links.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { ENV } from '../../platform/tokens.ts';
import { assertLocal, type PasswordAttempt, PasswordCheck } from './password-check.ts';

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

/** The organization and the lifetime of a requested token. */
export interface RequestedToken {
  readonly organization?: string | undefined;
  readonly expires_in?: number | undefined;
}

const nowInSeconds = () => Math.floor(Date.now() / 1_000);

/** Issues a token in exchange for an e-mail address and a password, or for a token of another organization. */
@Injectable()
export class SignInService {
  constructor(
    private readonly reader: SnapshotReader,
    private readonly issuer: TokenIssuer,
    private readonly passwords: PasswordCheck,
    private readonly refusals: RefusalLog,
    @Inject(ENV) private readonly env: Env,
  ) {}

  async withPassword(given: PasswordAttempt, requested: RequestedToken): Promise<Token> {
    assertLocal(this.env);
    return this.tokenFor(await this.passwords.personOf(given), requested, nowInSeconds());
  }

  /**
   * Issues a token for another organization of the caller. Rejects service accounts, because each belongs to only one
   * organization.
   */
  async exchange(caller: Caller, token: string, requested: RequestedToken): Promise<Token> {
    assertLocal(this.env);
    if (caller.type !== 'interactive') {
      throw Failure.forbidden('Service accounts cannot exchange tokens, because they belong to one organization.');
    }
    const signedInAt = Number(decodeJwt(token).auth_time);
    if (!(signedInAt > nowInSeconds() - SIGN_IN_SECONDS)) throw badCredential();
    const [person] = await this.reader.query<Person>('select id, token_version from person where id = $1', [caller.id]);
    if (!person) throw badCredential();
    return this.tokenFor(person, requested, signedInAt);
  }

  private async tokenFor(
    { id, token_version: version }: Person,
    { organization, expires_in: lifetime = TOKEN_LIFETIME_SECONDS }: RequestedToken,
    signedInAt: number,
  ): Promise<Token> {
    const organizationId = await this.organizationOf(id, organization);
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

  /** Returns the requested organization, or the one that the person joined first. */
  private async organizationOf(personId: UserId, requested: string | undefined): Promise<OrganizationId> {
    const id = requested === undefined ? null : lastSegment(requested).toLowerCase();
    if (id !== null && !isUuid(id)) throw unknownLink('organization', 'organizations');
    const [row] = await this.reader.query<{ id: OrganizationId }>(
      `select organization_id as id from membership where person_id = $1 and ($2::uuid is null or organization_id = $2)
        order by created_at, organization_id limit 1`,
      [personId, id],
    );
    if (row) return row.id;
    if (id !== null) {
      this.refusals.signIn({ account: { personId }, rule: 'membership_ended', organizationId: id });
      throw unknownLink('organization', 'organizations');
    }
    throw new Failure({
      kind: 'forbidden',
      code: 'no_organization',
      message: 'You do not belong to any organization.',
    });
  }
}
