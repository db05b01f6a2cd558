import { Inject, Injectable } from '@nestjs/common';
import type { PasswordChange, SignInMethods } from '@strata/contract';
import { type AccessLogAction, Failure } from '@strata/domain';
import { accessLogInsertSql, END_TOKENS } from '../../platform/auth/end-sessions.ts';
import type { Caller } from '../../platform/caller.ts';
import type { Env } from '../../platform/env.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { acrossOrganizations } from '../../platform/postgres/tenants.ts';
import { ENV } from '../../platform/tokens.ts';
import { hashPassword } from './password.ts';
import { assertLocal, PasswordCheck } from './password-check.ts';
import { SessionsService } from './sessions.service.ts';

/**
 * Returns SQL that changes a person, and records this in the access log of each of their organizations. By default, it
 * invalidates all of their tokens. $1 is the person, $2 the interface, $3 the request id, and $4 the person's name.
 */
const recorded = (action: AccessLogAction, { set = END_TOKENS, where = '' } = {}) => `
with changed as (update person set ${set} where id = $1 ${where} returning id, name, type),
     logged as (${accessLogInsertSql(action, 'changed.id, $4, changed.type, $2, $3')})
select 1 from changed`;

const actor = ({ id, surface, requestId, name }: Caller) => [id, surface, requestId, name];

const wrongPassword = () => Failure.field('wrong_password', 'old_password', 'This is not your password.');

/**
 * Changes a person's own account in all of their organizations at once. An account is not part of the configuration, so
 * its changes create no revision.
 */
@Injectable()
export class OwnAccount {
  constructor(
    private readonly reader: SnapshotReader,
    private readonly sessions: SessionsService,
    private readonly passwords: PasswordCheck,
    @Inject(ENV) private readonly env: Env,
  ) {}

  /** Changes the name. It applies to future revisions; those in the history keep the name of their time. */
  async changeName(caller: Caller, name: string): Promise<void> {
    if (caller.type !== 'interactive') throw Failure.forbidden('The name of a service account cannot change.');
    const change = { set: 'name = $5, modified_at = clock_timestamp()', where: 'and name is distinct from $5' };
    await this.record(recorded('change_name', change), [...actor(caller), name]);
    await this.sessions.notifyOrganizations(caller.id);
  }

  /** Returns how the caller can sign in. A provider that shares its issuer with another one accepts the same account. */
  async signInMethods({ id }: Caller): Promise<SignInMethods> {
    const [account] = await this.reader.query<{ has_password: boolean; issuers: readonly string[] }>(
      `select password_hash is not null as has_password,
              array(select issuer from issuer_subject where person_id = person.id) as issuers
         from person where id = $1`,
      [id],
    );
    const linkedProviders = this.env.STRATA_IDENTITY_PROVIDERS.filter(({ issuer }) =>
      account?.issuers.includes(issuer),
    );
    return {
      has_password: account?.has_password ?? false,
      providers: linkedProviders.map(({ id, name }) => ({ id, name })),
    };
  }

  /** Changes the password. All sessions end, including the caller's. */
  async changePassword(caller: Caller, change: PasswordChange, source: string): Promise<void> {
    assertPerson(caller);
    assertLocal(this.env);
    const { old_password: before, new_password: after } = change;
    const hash = await this.provenHash(caller, before, source);
    if (before === after) {
      throw Failure.field('same_password', 'new_password', 'The new password must differ from the current one.');
    }
    const changedRows = await this.record(
      recorded('change_password', { set: `password_hash = $5, ${END_TOKENS}`, where: 'and password_hash = $6' }),
      [...actor(caller), await hashPassword(after), hash],
    );
    // A parallel request has changed the password, so the old password is no longer the current one.
    if (changedRows.length === 0) throw wrongPassword();
    await this.sessions.notifyOrganizations(caller.id);
  }

  /**
   * Signs out everywhere. Within a second, every process rejects the tokens and closes their event streams and
   * websockets.
   */
  async endTokens(caller: Caller): Promise<void> {
    assertPerson(caller);
    await this.record(recorded('sign_out_everywhere'), actor(caller));
    await this.sessions.notifyOrganizations(caller.id);
  }

  /** Changes the person, and records it in all of their organizations. */
  private record(statement: string, values: readonly unknown[]): Promise<object[]> {
    return acrossOrganizations(() => this.reader.query<object>(statement, values));
  }

  /** Returns the stored hash if the password is right. Failures count as failed sign-ins. */
  private async provenHash(caller: Caller, password: string, source: string): Promise<string | null> {
    const [person] = await this.reader.query<{ email: string | null }>('select email from person where id = $1', [
      caller.id,
    ]);
    try {
      return (await this.passwords.findPerson({ email: person?.email ?? '', password, source })).password_hash;
    } catch (error) {
      throw error instanceof Failure && error.kind === 'bad_credential' ? wrongPassword() : error;
    }
  }
}

function assertPerson({ type }: Caller): void {
  if (type === 'interactive') return;
  throw Failure.forbidden('Service accounts have no password and no tokens. Revoke their keys instead.');
}
