import { hash, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { SignInMethod } from '@strata/contract';
import {
  effectivePermissions,
  haveEnded,
  type OrganizationId,
  type Permissions,
  type Revision,
  type Uuid,
} from '@strata/domain';
import { filterProviders } from '@strata/issuers';
import type { VerifiedCredential } from '../caller.ts';
import type { Env } from '../env.ts';
import { ChangeNotifier } from '../notifications/change-notifier.ts';
import { SnapshotReader } from '../postgres/snapshot-reader.ts';
import { ENV } from '../tokens.ts';
import { ServiceKeys } from '../vault/service-keys.ts';
import { CredentialUses } from './credential-uses.ts';
import { isLimitedRow, type KeyLimitRow, keyLimitColumns, limitedSecret } from './key-limits.ts';
import { RIGHTS, type RightsRow, toStoredPermissions } from './scope-rows.ts';
import type { SessionToken } from './session-token.ts';
import { permittedBySsoRuleSql } from './sso-rule.ts';
import type { TokenClaims } from './token-claims.ts';

/** The account that a credential belongs to. The other fields of a Caller come from the request. */
export interface Identity extends Permissions {
  readonly id: string;
  readonly name: string;
  readonly type: 'interactive' | 'service';
  readonly organizationId: OrganizationId;
  readonly membershipId: string;
  /** The organization's revision at the time of the lookup. The identity takes account of all writes up to it. */
  readonly revision: Revision;
  readonly credential: VerifiedCredential;
}

interface IdentityRow extends RightsRow {
  readonly id: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly type: 'interactive' | 'service';
  readonly organization_id: string;
  readonly membership_id: string;
  readonly token_version: number;
  readonly revision: Revision;
}

/**
 * A revocation takes effect at once in the process that runs it, and in other processes when they are notified or after
 * this time.
 */
const CACHE_MS = 1_000;
const CACHED_MAX = 10_000;

const PERSON = `person.id, person.name, person.email, person.type, person.token_version, membership.organization_id, membership.id as membership_id,
  (select head.revision from organization_head head where head.organization_id = membership.organization_id) as revision,
  ${RIGHTS}`;

const WITHOUT_SESSION = { sessionId: null, keyPrefix: null, keyScopes: null, trustRuleId: null, isWorkload: false };
const OF_PROGRAM = { ...WITHOUT_SESSION, tokenVersion: null, satisfiesSso: true };

interface SessionRow extends IdentityRow, KeyLimitRow {
  readonly secret_hmac: Buffer;
  readonly key_prefix: string | null;
  readonly trust_rule_id: Uuid | null;
  readonly method: SignInMethod;
  readonly satisfies_sso: boolean;
  readonly expires_at_ms: number;
}

interface ApiKeyRow extends IdentityRow, KeyLimitRow {
  readonly secret_hmac: Buffer;
  readonly expires_at_ms: number | null;
}

/** $1 is the session, $2 the organization, $3 the identity providers of the organization. */
const SESSION = `
select session.secret_hmac, session.key_prefix, session.trust_rule_id, session.method, sso.is_satisfied as satisfies_sso,
       (extract(epoch from session.expires_at) * 1000)::float8 as expires_at_ms, ${keyLimitColumns('$2::uuid')}, ${PERSON}
  from session
  join person on person.id = session.person_id and person.token_version = session.token_version
  join membership on membership.organization_id = $2 and membership.person_id = person.id
  left join api_key on api_key.organization_id = $2 and api_key.prefix = session.key_prefix and not api_key.revoked
   and (api_key.expires_at is null or api_key.expires_at > clock_timestamp())
 cross join lateral (
   select session.method in ('api_key', 'workload') or coalesce(session.provider = any($3::text[]), false) as is_satisfied) sso
 where session.id = $1 and session.expires_at > clock_timestamp() and ${permittedBySsoRuleSql('sso.is_satisfied')}
   and (session.key_prefix is null or api_key.prefix is not null)`;

/**
 * Turns verified credentials into identities. It caches them for a moment, so that most requests cost no extra
 * statement.
 */
@Injectable()
export class Credentials {
  private readonly cache = new Map<string, { identity: Identity; until: number }>();
  /**
   * The number of times the cache was cleared. Results that were read before a clearing must not be cached after it.
   */
  private clearCount = 0;

  constructor(
    private readonly reader: SnapshotReader,
    private readonly serviceKeys: ServiceKeys,
    @Inject(ENV) private readonly env: Env,
    private readonly uses: CredentialUses,
    notifier: ChangeNotifier,
  ) {
    notifier.onChange((organizationId, topic) => {
      if (topic === 'people') this.clearCache(organizationId);
    });
  }

  /** Returns the cached identity of a key, or null if it must be looked up. */
  cachedByApiKey(key: string): Identity | null {
    return this.cached(hashCredential(key));
  }

  /** Returns the cached identity of a session, or null if it must be looked up. */
  cachedBySession({ text }: SessionToken): Identity | null {
    return this.cached(hashCredential(text));
  }

  /** Returns the cached identity of a verified token, or null if it must be looked up. */
  cachedByToken(claims: TokenClaims): Identity | null {
    return this.cached(this.tokenKey(claims).key);
  }

  /**
   * Returns null unless the whole key is correct, not revoked and not expired. The result takes account of all writes
   * up to `since`.
   */
  async byApiKey(prefix: string, key: string, minRevision: Revision = 0): Promise<Identity | null> {
    return this.cachedOrFound(hashCredential(key), minRevision, async () => {
      const [row] = await this.reader.query<ApiKeyRow>(
        `select api_key.secret_hmac, (extract(epoch from api_key.expires_at) * 1000)::float8 as expires_at_ms,
                ${keyLimitColumns('api_key.organization_id')}, ${PERSON} from api_key
           join person on person.id = api_key.person_id
           join membership on membership.organization_id = api_key.organization_id and membership.person_id = api_key.person_id
          where api_key.prefix = $1 and not api_key.revoked and (api_key.expires_at is null or api_key.expires_at > clock_timestamp())`,
        [prefix],
      );
      const hmac = this.serviceKeys.apiKeyHmac(limitedSecret(key, row !== undefined && isLimitedRow(row)));
      // compares an unknown prefix, too, so that it takes as long as a wrong secret
      if (!timingSafeEqual(row?.secret_hmac ?? Buffer.alloc(hmac.length), hmac) || !row) return null;
      this.uses.ofAccount(row.organization_id, row.id);
      this.uses.ofKey(row.organization_id, prefix, 'read');
      const expiresAt = row.expires_at_ms ?? Number.POSITIVE_INFINITY;
      return toIdentity(row, { ...OF_PROGRAM, keyPrefix: prefix, keyScopes: row.key_scopes, expiresAt });
    });
  }

  /**
   * Returns null unless the session and what it was started with are still valid: the key, the trust rule, and the
   * version of the person's tokens, which changes when they sign out everywhere.
   */
  async bySession(
    { text, id, organizationId, secret }: SessionToken,
    minRevision: Revision = 0,
  ): Promise<Identity | null> {
    return this.cachedOrFound(hashCredential(text), minRevision, async () => {
      const providers = filterProviders(this.env.STRATA_IDENTITY_PROVIDERS, organizationId);
      const [row] = await this.reader.query<SessionRow>(SESSION, [
        id,
        organizationId,
        providers.map((provider) => provider.id),
      ]);
      const hmac = this.serviceKeys.sessionHmac(limitedSecret(secret, row !== undefined && isLimitedRow(row)));
      if (!timingSafeEqual(row?.secret_hmac ?? Buffer.alloc(hmac.length), hmac) || !row) return null;
      this.uses.ofSession(id);
      if (row.type === 'service') this.uses.ofAccount(organizationId, row.id);
      if (row.key_prefix !== null) this.uses.ofKey(organizationId, row.key_prefix, 'read');
      return toIdentity(row, {
        sessionId: id,
        keyPrefix: row.key_prefix,
        keyScopes: row.key_scopes,
        trustRuleId: row.trust_rule_id,
        tokenVersion: row.token_version,
        satisfiesSso: row.satisfies_sso,
        isWorkload: row.method === 'workload',
        expiresAt: row.expires_at_ms,
      });
    });
  }

  /**
   * Returns the membership that a verified token is valid for: the organization it names, or the person's only one.
   * Service accounts have keys, not tokens. An external issuer revokes its tokens itself. Its subjects are matched to
   * people by id, or by an earlier sign-in. After a user signs out everywhere, earlier tokens are invalid: our own by
   * their version, those of the issuer by their time. The caller of this method checks the expiry in the claims.
   */
  async byToken(claims: TokenClaims, minRevision: Revision = 0): Promise<Identity | null> {
    const { sub, organization, token_version: version } = claims;
    const { key, issuer, issuedAt } = this.tokenKey(claims);
    return this.cachedOrFound(key, minRevision, async () => {
      const rows = await this.reader.query<IdentityRow & { is_bound: boolean }>(
        `select ${PERSON}, entered.id is not null as is_bound
           from (select (select person_id from issuer_subject where issuer = $3 and subject = $1) as id) entered
           join person on person.id = coalesce(entered.id, $1)
           join membership on membership.person_id = person.id
          where person.type = 'interactive' and ($2::uuid is null or membership.organization_id = $2)
            and ($3::text is null or person.tokens_valid_from is null
                 or coalesce(to_timestamp($4::float8) > person.tokens_valid_from, false))
            and ${permittedBySsoRuleSql('$3::text is not null')} limit 2`,
        [sub, organization ?? null, issuer, issuedAt],
      );
      const [row] = rows;
      if (!row || rows.length > 1) return null;
      // a write that has waited checks the token version again, for tokens of every issuer
      const checkedRow = { ...WITHOUT_SESSION, tokenVersion: row.token_version, satisfiesSso: issuer !== null };
      if (issuer === null && version !== row.token_version) return null;
      if (issuer !== null && !row.is_bound) this.recordSubject(issuer, row.id);
      return toIdentity(row, { ...checkedRow, expiresAt: Number.POSITIVE_INFINITY });
    });
  }

  /** Equal keys belong to tokens that identify the same caller. The external issuer is null for our own tokens. */
  private tokenKey({ sub, organization, token_version: version, iat }: TokenClaims) {
    const issuer = this.env.STRATA_JWKS_URL ? (this.env.STRATA_JWT_ISSUER ?? '') : null;
    const issuedAt = issuer === null ? null : parseInstant(iat);
    return { key: JSON.stringify([sub, organization, issuer ?? version, issuedAt]), issuer, issuedAt };
  }

  private cached(key: string): Identity | null {
    const cachedCredential = this.cache.get(key);
    if (!cachedCredential || cachedCredential.until <= performance.now()) return null;
    const { identity } = cachedCredential;
    const now = Date.now();
    return identity.credential.expiresAt > now && !haveEnded(identity, now) ? identity : null;
  }

  private async cachedOrFound(
    key: string,
    minRevision: Revision,
    find: () => Promise<Identity | null>,
  ): Promise<Identity | null> {
    const cachedCredential = this.cached(key);
    if (cachedCredential && cachedCredential.revision >= minRevision) return cachedCredential;
    const { clearCount } = this;
    const identity = await find();
    if (clearCount !== this.clearCount) return identity;
    if (this.cache.size >= CACHED_MAX) this.cache.clear();
    if (identity) this.cache.set(key, { identity, until: performance.now() + CACHE_MS });
    else this.cache.delete(key);
    return identity;
  }

  /**
   * Returns whether an identity takes account of all writes up to `since`. If not, the cached identities of its
   * organization are looked up again.
   */
  isCurrent({ revision, organizationId }: Identity, minRevision: Revision): boolean {
    if (revision >= minRevision) return true;
    this.clearCache(organizationId);
    return false;
  }

  private clearCache(organizationId: OrganizationId | null): void {
    this.clearCount += 1;
    for (const [key, { identity }] of this.cache) {
      if (!organizationId || identity.organizationId === organizationId) this.cache.delete(key);
    }
  }

  /** From now on, no other subject can sign in as this person with the same address. */
  private recordSubject(issuer: string, personId: string): void {
    this.reader
      .query('insert into issuer_subject (issuer, subject, person_id) values ($1, $2, $2) on conflict do nothing', [
        issuer,
        personId,
      ])
      .catch(() => undefined); // the next lookup tries again
  }
}

const YEAR_9999 = 253_402_300_799;

/** Converts a claim to seconds since 1970; null if it is not an instant. */
const parseInstant = (claim: unknown): number | null =>
  typeof claim === 'number' && claim >= 0 && claim <= YEAR_9999 ? claim : null;

/** Returns the key under which a cache stores what belongs to a credential. Credentials themselves are not stored. */
export const hashCredential = (credential: string): string => hash('sha256', credential, 'base64');

function toIdentity(row: IdentityRow & Partial<KeyLimitRow>, credential: VerifiedCredential): Identity | null {
  const permissions = effectivePermissions(toStoredPermissions(row), credential);
  if (permissions === null) return null;
  return {
    ...permissions,
    id: row.id,
    name: row.name ?? row.email ?? row.id,
    type: row.type,
    organizationId: row.organization_id,
    membershipId: row.membership_id,
    revision: row.revision,
    credential,
  };
}
