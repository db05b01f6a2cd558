import { Inject, Injectable } from '@nestjs/common';
import { Failure, sentence, textProblem } from '@strata/domain';
import type { Env } from '../env.ts';
import { SnapshotReader } from '../postgres/snapshot-reader.ts';
import { ENV } from '../tokens.ts';
import { badCredentialError } from './bad-credential.ts';
import type { TokenClaims } from './token-claims.ts';

/** A verified e-mail address in a token of an external issuer. */
export interface ExternalIdentity {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
  readonly name: string;
}

const EMAIL_MAX = 254;
const NAME_MAX = 256;

/**
 * Binds the person with this address to the subject, unless another subject is already bound. The issuer may assign the
 * address to another subject later, which must not give that subject this person's account.
 */
const BIND = `
with bound as (
  insert into issuer_subject (issuer, subject, person_id)
  select $1, $2, person.id from person where person.type = 'interactive' and lower(person.email) = lower($3)
  on conflict do nothing returning person_id)
update person set email_is_proven = true from bound where person.id = bound.person_id returning person.id`;

/** The error for a valid token without a membership. Such a token can only be used to accept an invitation. */
export class NotAMemberError extends Failure {
  constructor(
    readonly identity: ExternalIdentity,
    { kind, code, message, params }: Failure,
  ) {
    super({ kind, code, message, params });
  }
}

const invitationNeeded = ({ email }: ExternalIdentity) =>
  new Failure({
    kind: 'forbidden',
    code: 'no_organization',
    message: sentence`${{ email }} is not a member of any organization. Ask for an invitation to this address, and accept it with this token.`,
  });

const organizationNeeded = () =>
  new Failure({
    kind: 'forbidden',
    code: 'organization_needed',
    message: 'You belong to several organizations. Set the claim `organization` of the token to the id of one of them.',
  });

export const emailUsedByOtherAccount = () =>
  new Failure({
    kind: 'forbidden',
    code: 'known_otherwise',
    message:
      'Another account of the issuer already uses this e-mail address. Sign in with that account, or contact your administrator.',
  });

/**
 * Selects whether a subject is a member of any organization, and whether the person with the address is bound to
 * another subject.
 */
const PERMISSIONS = `
with entered as (select coalesce((select person_id from issuer_subject where issuer = $1 and subject = $2), $2) as id),
     member as (select person.id, person.email from person
                 where person.type = 'interactive' and exists (select from membership where membership.person_id = person.id))
select exists (select from member join entered on entered.id = member.id) as "isMember",
       exists (select from member join entered on entered.id <> member.id where lower(member.email) = lower($3)) as "isTaken"`;

/** Authenticates people of an external issuer by the address that the issuer has verified (ADR 0013). */
@Injectable()
export class ExternalPeople {
  constructor(
    private readonly reader: SnapshotReader,
    @Inject(ENV) private readonly env: Env,
  ) {}

  /** Returns null unless the issuer has verified the address; the text "true" does not count. */
  readIdentity({ sub, email, email_verified: isVerified, name }: TokenClaims): ExternalIdentity | null {
    if (isVerified !== true || typeof sub !== 'string' || typeof email !== 'string') return null;
    if (!email.includes('@') || email.length > EMAIL_MAX || textProblem(email) !== null) return null;
    const personName = typeof name === 'string' && textProblem(name) === null ? name.trim().slice(0, NAME_MAX) : '';
    return { issuer: this.env.STRATA_JWT_ISSUER ?? '', subject: sub, email, name: personName || email };
  }

  /**
   * Returns why a valid token has no membership: the person has none, or the token names none of several, or a wrong
   * one.
   */
  async failureFor(claims: TokenClaims): Promise<Failure> {
    const identity = this.readIdentity(claims);
    const [permissions] = await this.reader.query<{ isMember: boolean; isTaken: boolean }>(PERMISSIONS, [
      this.env.STRATA_JWT_ISSUER ?? '',
      claims.sub,
      identity?.email ?? null,
    ]);
    const isUndecided = permissions?.isMember && claims.organization === undefined;
    if (identity === null) return isUndecided ? organizationNeeded() : badCredentialError();
    if (isUndecided) return new NotAMemberError(identity, organizationNeeded());
    if (permissions?.isMember) return new NotAMemberError(identity, badCredentialError());
    return new NotAMemberError(identity, permissions?.isTaken ? emailUsedByOtherAccount() : invitationNeeded(identity));
  }

  /** Returns whether the subject is bound to this person from now on. */
  async bind({ issuer, subject, email }: ExternalIdentity): Promise<boolean> {
    return (await this.reader.query<object>(BIND, [issuer, subject, email])).length > 0;
  }
}
