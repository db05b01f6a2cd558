import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SESSIONS_MAX, type Session, type SignInMethod } from '@strata/contract';
import { Failure, isUuid, type OrganizationId, type UserId, type Uuid } from '@strata/domain';
import { badCredentialError } from '../../platform/auth/bad-credential.ts';
import { limitedSecret } from '../../platform/auth/key-limits.ts';
import { newSessionSecret, sessionToken } from '../../platform/auth/session-token.ts';
import type { Caller } from '../../platform/caller.ts';
import { ChangeNotifier } from '../../platform/notifications/change-notifier.ts';
import { translateViolations } from '../../platform/postgres/constraints.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { acrossOrganizations } from '../../platform/postgres/tenants.ts';
import { wireTimeSql } from '../../platform/postgres/versioned-table.ts';
import { ServiceKeys } from '../../platform/vault/service-keys.ts';

/** Many jobs of one service account run at once, each with a session of at most 15 minutes. */
const WORKLOAD_SESSIONS_MAX = 1_000;

/** A sign-in that was accepted, and the organization that it is for. */
export interface AcceptedSignIn {
  readonly personId: UserId;
  readonly organizationId: OrganizationId;
  readonly tokenVersion: number;
  readonly method: SignInMethod;
  readonly lifetimeSeconds: number;
  /** How the program that signs in describes itself. */
  readonly client: string;
  readonly address: string;
  readonly provider?: string;
  readonly keyPrefix?: string;
  /** Whether this key has limits, which the session has, too. */
  readonly isLimited?: boolean;
  readonly trustRuleId?: Uuid;
  /** The id token that was exchanged, with which the user signs out at the provider. */
  readonly idToken?: string;
}

/** The end of a session: what signing out at its identity provider takes. */
export interface EndedSession {
  readonly provider: string | null;
  readonly id_token: string | null;
}

/**
 * Creates a session, and deletes the person's oldest ones above the limit and expired ones of anybody. All deletions
 * skip rows that another statement has locked.
 */
const START = `
with expired as (
  delete from session where id in (
    select id from session where expires_at < clock_timestamp() limit 100 for update skip locked)),
surplus as (
  delete from session where id in (
    select id from session
     where person_id = $3 and (method = 'workload') = ($5 = 'workload') and expires_at > clock_timestamp()
     order by created_at desc offset $14 for update skip locked))
insert into session (id, secret_hmac, person_id, token_version, method, provider, organization_id, key_prefix,
                     trust_rule_id, id_token, client, address, created_at, expires_at)
values ($1, $2, $3, $4, $5, $6, case when coalesce($7, $8::text) is not null then $13::uuid end, $7, $8::uuid, $9,
        $10, $11, clock_timestamp(), clock_timestamp() + make_interval(secs => $12))`;

/** A key, a rule or a person that was deleted in the meantime. */
const CONSTRAINT_ERRORS = {
  session_rule: badCredentialError,
  session_api_key: badCredentialError,
  session_person_id_fkey: badCredentialError,
};

const LIST = `
select id, method, provider, client, address, coalesce(id = $2, false) as is_current, ${wireTimeSql('created_at')} as created_at,
       ${wireTimeSql('last_used_at')} as last_used_at, ${wireTimeSql('expires_at')} as expires_at
  from session
 where person_id = $1 and expires_at > clock_timestamp()
   and token_version = (select token_version from person where id = $1)
 order by created_at desc, id`;

/** The sessions of people and programs. A session ends when its row is deleted. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly reader: SnapshotReader,
    private readonly serviceKeys: ServiceKeys,
    private readonly notifier: ChangeNotifier,
  ) {}

  /** Starts a session and returns its token. */
  async start(signIn: AcceptedSignIn): Promise<string> {
    const id = randomUUID();
    const secret = newSessionSecret();
    const { idToken } = signIn;
    const values = [
      id,
      this.serviceKeys.sessionHmac(limitedSecret(secret, signIn.isLimited ?? false)),
      signIn.personId,
      signIn.tokenVersion,
      signIn.method,
      signIn.provider ?? null,
      signIn.keyPrefix ?? null,
      signIn.trustRuleId ?? null,
      idToken === undefined ? null : this.serviceKeys.sealIdToken(id, idToken),
      signIn.client,
      signIn.address,
      signIn.lifetimeSeconds,
      signIn.organizationId,
      (signIn.method === 'workload' ? WORKLOAD_SESSIONS_MAX : SESSIONS_MAX) - 1,
    ];
    await translateViolations(this.reader.query(START, values), CONSTRAINT_ERRORS);
    return sessionToken(id, signIn.organizationId, secret).text;
  }

  /** Returns the identity provider that a session was started with, if there is one. */
  async findProvider(id: Uuid): Promise<string | null> {
    const [row] = await this.reader.query<{ provider: string | null }>('select provider from session where id = $1', [
      id,
    ]);
    return row?.provider ?? null;
  }

  /** Returns the sessions of the caller in all organizations, newest first. */
  list({ id, authorization }: Caller): Promise<readonly Session[]> {
    return this.reader.query<Session>(LIST, [id, authorization?.credential.sessionId ?? null]);
  }

  /** Ends a session of the caller. Within a second, every process rejects its token and closes its connections. */
  async end(caller: Caller, id: string): Promise<EndedSession> {
    const [endedSession] = isUuid(id)
      ? await this.reader.query<{ id: Uuid; provider: string | null; id_token: Buffer | null }>(
          'delete from session where id = $1 and person_id = $2 returning id, provider, id_token',
          [id, caller.id],
        )
      : [];
    if (!endedSession) throw Failure.notFound('Session');
    await this.notifyOrganizations(caller.id);
    const { provider, id_token: sealedIdToken } = endedSession;
    return { provider, id_token: sealedIdToken && this.serviceKeys.openIdToken(endedSession.id, sealedIdToken) };
  }

  /** Ends the session of the request. */
  async endOwn(caller: Caller): Promise<EndedSession> {
    const id = caller.authorization?.credential.sessionId;
    if (!id)
      throw Failure.conflict('no_session', 'This request uses no session. Keys and other tokens cannot sign out.');
    return this.end(caller, id);
  }

  /** Makes every process clear the cached credentials of the person. */
  async notifyOrganizations(personId: UserId): Promise<void> {
    const rows = await acrossOrganizations(() =>
      this.reader.query<{ organization_id: OrganizationId }>(
        'select organization_id from membership where person_id = $1',
        [personId],
      ),
    );
    for (const { organization_id: organizationId } of rows) this.notifier.notify(organizationId, 'people');
  }
}
