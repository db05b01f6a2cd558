import { Injectable } from '@nestjs/common';
import { Failure, sentence, type UserId } from '@strata/domain';
import { DeniedRequestLog } from '../../platform/access-log/denied-request-log.ts';
import { badCredentialError } from '../../platform/auth/bad-credential.ts';
import type { Env } from '../../platform/env.ts';
import { FairQueue } from '../../platform/limits/fair-queue.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { isPassword } from './password.ts';
import { SignInAttempts } from './sign-in-attempts.ts';

export interface PersonWithPassword {
  readonly id: UserId;
  readonly password_hash: string | null;
  readonly token_version: number;
}

export interface PasswordAttempt {
  readonly email: string;
  readonly password: string;
  /** The source address. Failures are counted per source. */
  readonly source: string;
}

/**
 * The limits of parallel checks. Each check uses 32 MiB and one of the four threads of the pool. Sources take turns, so
 * that many attempts from one source do not delay the others.
 */
const CHECKS = { perHolder: 2, total: 4, waitingMax: 64, waitMsMax: 20_000, createError: busyError };

/** Checks an e-mail address and a password. It slows down guessing wherever a password is required. */
@Injectable()
export class PasswordCheck {
  private readonly checks = new FairQueue(CHECKS);

  constructor(
    private readonly reader: SnapshotReader,
    private readonly attempts: SignInAttempts,
    private readonly deniedRequests: DeniedRequestLog,
  ) {}

  /**
   * Returns the person with this address and password. Throws the same error for an unknown address as for a wrong
   * password, and `too_many_attempts` after too many failures.
   */
  async findPerson({ email, password, source }: PasswordAttempt): Promise<PersonWithPassword> {
    const address = email.trim().toLowerCase();
    const takeBack = await this.begin(source, address);
    const [person] = await this.reader.query<PersonWithPassword>(
      `select id, password_hash, token_version from person where lower(email) = $1 and type = 'interactive'`,
      [address],
    );
    if (!(await this.isTheirs(password, person?.password_hash ?? null, source)) || !person) {
      if (person) this.deniedRequests.signIn({ account: { personId: person.id }, rule: 'wrong_password' });
      throw badCredentialError();
    }
    await takeBack();
    return person;
  }

  private async begin(source: string, email: string): Promise<() => Promise<void>> {
    try {
      return await this.attempts.begin(source, email);
    } catch (error) {
      if (error instanceof Failure) this.deniedRequests.signIn({ account: { email }, rule: error.code });
      throw error;
    }
  }

  /** Returns whether the password is right. Takes as long for an unknown address as for a wrong password. */
  private async isTheirs(password: string, hash: string | null, source: string): Promise<boolean> {
    const enteredCheck = this.checks.enter(source);
    const release = typeof enteredCheck === 'function' ? enteredCheck : await enteredCheck.admitted;
    try {
      return await isPassword(password, hash);
    } finally {
      release();
    }
  }
}

function busyError(): Failure {
  return new Failure({
    kind: 'unavailable',
    code: 'busy',
    message: 'Too many users are signing in. Try again.',
    retryAfterSeconds: 1,
  });
}

/** Throws if an external issuer manages the passwords: Strata can neither check nor change them then. */
export function assertLocal(env: Pick<Env, 'STRATA_JWKS_URL' | 'STRATA_JWT_ISSUER'>): void {
  if (!env.STRATA_JWKS_URL) return;
  throw new Failure({
    kind: 'forbidden',
    code: 'external_issuer',
    message: sentence`Sign in with ${{ issuer: env.STRATA_JWT_ISSUER ?? '' }}; it issues the tokens.`,
  });
}
