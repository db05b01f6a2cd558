import { Inject, Injectable } from '@nestjs/common';
import { Failure, isUuid, type OrganizationId, type UserId } from '@strata/domain';
import { decodeJwt } from 'jose';
import { badCredential } from '../../platform/auth/bad-credential.ts';
import { TOKEN_LIFETIME_SECONDS, TokenIssuer } from '../../platform/auth/token-issuer.ts';
import type { Caller } from '../../platform/caller.ts';
import type { Env } from '../../platform/env.ts';
import { lastSegment, unknownLink } from '../../platform/http/links.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { FairQueue } from '../../platform/shares/fair-queue.ts';
import { ENV } from '../../platform/tokens.ts';
import { isPassword } from './password.ts';
import { SignInAttempts } from './sign-in-attempts.ts';

export interface Token {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly organization: OrganizationId;
}

interface Person {
  readonly id: UserId;
  readonly password_hash: string | null;
  readonly token_version: number;
}

/** Each check holds 32 MiB and one of the four threads of the pool. Machines take turns, so that one with many guesses does not keep others waiting. */
const CHECKS = { perHolder: 2, total: 4, waitingMax: 64, waitMsMax: 20_000, refusal: busy };

/** A working day: after it the password is asked for again, however often the token was exchanged. */
const SESSION_SECONDS = 12 * 3_600;

const nowInSeconds = () => Math.floor(Date.now() / 1_000);

/** Turns an e-mail address and a password, or a token for another organization, into a token. */
@Injectable()
export class SignInService {
  private readonly checks = new FairQueue(CHECKS);

  constructor(
    private readonly attempts: SignInAttempts,
    private readonly reader: SnapshotReader,
    private readonly issuer: TokenIssuer,
    @Inject(ENV) private readonly env: Env,
  ) {}

  async withPassword(
    { email, password }: { readonly email: string; readonly password: string },
    organization: string | undefined,
    source: string,
  ): Promise<Token> {
    this.assertLocal();
    const address = email.trim().toLowerCase();
    const takeBack = await this.attempts.begin(source, address);
    const [person] = await this.reader.query<Person>(
      `select id, password_hash, token_version from person where lower(email) = $1 and type = 'interactive'`,
      [address],
    );
    if (!(await this.isTheirs(password, person?.password_hash ?? null, source)) || !person) throw badCredential();
    await takeBack();
    return this.tokenFor(person, organization, nowInSeconds());
  }

  /** For people only: a service account belongs to one organization. */
  async exchange(caller: Caller, token: string, organization: string): Promise<Token> {
    this.assertLocal();
    if (caller.type !== 'interactive') {
      throw Failure.forbidden('Only people exchange tokens; a service account belongs to one organization.');
    }
    const signedInAt = Number(decodeJwt(token).auth_time);
    if (!(signedInAt > nowInSeconds() - SESSION_SECONDS)) throw badCredential();
    const [person] = await this.reader.query<Person>('select id, token_version from person where id = $1', [caller.id]);
    if (!person) throw badCredential();
    return this.tokenFor(person, organization, signedInAt);
  }

  /** Unknown addresses cost the same as wrong passwords. */
  private async isTheirs(password: string, hash: string | null, source: string): Promise<boolean> {
    const entered = this.checks.enter(source);
    const release = typeof entered === 'function' ? entered : await entered.admitted;
    try {
      return await isPassword(password, hash);
    } finally {
      release();
    }
  }

  private async tokenFor(
    { id, token_version: version }: Person,
    wanted: string | undefined,
    signedInAt: number,
  ): Promise<Token> {
    const organizationId = await this.organizationOf(id, wanted);
    return {
      access_token: await this.issuer.issue({ personId: id, organizationId, tokenVersion: version, signedInAt }),
      token_type: 'Bearer',
      expires_in: TOKEN_LIFETIME_SECONDS,
      organization: organizationId,
    };
  }

  /** The one that is asked for, or the person's oldest membership. */
  private async organizationOf(personId: UserId, wanted: string | undefined): Promise<OrganizationId> {
    const id = wanted === undefined ? null : lastSegment(wanted).toLowerCase();
    if (id !== null && !isUuid(id)) throw unknownLink('organization', 'organizations');
    const [row] = await this.reader.query<{ id: OrganizationId }>(
      `select organization_id as id from membership where person_id = $1 and ($2::uuid is null or organization_id = $2)
        order by created_at, organization_id limit 1`,
      [personId, id],
    );
    if (row) return row.id;
    if (id !== null) throw unknownLink('organization', 'organizations');
    throw new Failure('forbidden', 'no_organization', 'You do not belong to any organization.');
  }

  private assertLocal(): void {
    if (!this.env.STRATA_JWKS_URL) return;
    throw new Failure(
      'forbidden',
      'external_issuer',
      `Sign in with ${this.env.STRATA_JWT_ISSUER}; it issues the tokens.`,
    );
  }
}

function busy(): Failure {
  return new Failure('unavailable', 'busy', 'Too many people sign in at once. Try again.', 'detail', [], 1);
}
