import { Inject, Injectable } from '@nestjs/common';
import { Failure, textProblem } from '@strata/domain';
import { SnapshotReader } from '../database/snapshot-reader.ts';
import type { Env } from '../env.ts';
import { ENV } from '../tokens.ts';
import type { TokenClaims } from './token-claims.ts';

/** Somebody of whom a verified token of an external issuer says that an address is theirs. */
export interface KnownOutside {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
  readonly name: string;
}

const EMAIL_MAX = 254;
const NAME_MAX = 256;

/**
 * A person with this address becomes the subject's, unless another subject entered as them before: whose an address is
 * may change at the issuer, and must not change who somebody is here.
 */
const BIND = `
with bound as (
  insert into issuer_subject (issuer, subject, person_id)
  select $1, $2, p.id from person p where p.type = 'interactive' and lower(p.email) = lower($3)
  on conflict do nothing returning person_id)
update person p set email_is_proven = true from bound where p.id = bound.person_id returning p.id`;

/** A token that is good, of somebody who is nobody here yet: all they can do is to accept an invitation. */
export class NotYetMember extends Failure {
  constructor(readonly who: KnownOutside) {
    super(
      'forbidden',
      'no_organization',
      `Nobody has let ${who.email} into an organization here yet. Ask for an invitation to this address, and accept it with this token.`,
    );
  }
}

/** Lets people of an external issuer in by the address that the issuer vouches for (ADR 0013). */
@Injectable()
export class ExternalPeople {
  constructor(
    private readonly reader: SnapshotReader,
    @Inject(ENV) private readonly env: Env,
  ) {}

  /** Null unless the issuer says that it has made sure whose the address is; "true" in words does not count. */
  knownAs({ sub, email, email_verified: isVerified, name }: TokenClaims): KnownOutside | null {
    if (isVerified !== true || typeof sub !== 'string' || typeof email !== 'string') return null;
    if (!email.includes('@') || email.length > EMAIL_MAX || textProblem(email) !== null) return null;
    const called = typeof name === 'string' && textProblem(name) === null ? name.trim().slice(0, NAME_MAX) : '';
    return { issuer: this.env.STRATA_JWT_ISSUER ?? '', subject: sub, email, name: called || email };
  }

  /** Whether somebody is this person from now on. */
  async bind({ issuer, subject, email }: KnownOutside): Promise<boolean> {
    return (await this.reader.query<object>(BIND, [issuer, subject, email])).length > 0;
  }
}
