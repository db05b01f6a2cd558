import { Inject, Injectable } from '@nestjs/common';
import { type TokenExchange, WORKLOAD_SECONDS } from '@strata/contract';
import { acceptsWorkload, Failure, isUuid, type OrganizationId, type UserId, type WorkloadTrust } from '@strata/domain';
import { badCredential } from '../../platform/auth/bad-credential.ts';
import { IssuerTokens, type VerifiedClaims } from '../../platform/auth/issuer-tokens.ts';
import type { Env } from '../../platform/env.ts';
import { lastSegment } from '../../platform/http/links.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { ENV } from '../../platform/tokens.ts';
import { userIdOfLink } from './people.ts';

/** A service account that a workload may act as. */
export interface AcceptedWorkload {
  readonly ruleId: string;
  readonly personId: UserId;
  readonly organizationId: OrganizationId;
  readonly tokenVersion: number;
  readonly lifetimeSeconds: number;
}

/** A job that exchanges its token at the last moment can still work for a while. */
const LONGER_THAN_TOKEN_SECONDS = 300;
/**
 * The number of rules that are compared with one token. A service account has fewer, so the limit does not affect
 * requests that name one.
 */
const COMPARED_MAX = 100;

interface RuleRow extends WorkloadTrust, Omit<AcceptedWorkload, 'lifetimeSeconds'> {}

/** Selects the rules that can accept a token: $1 is its issuer, $2 its audiences, $3 its subject. */
const CANDIDATES = `
select t.id as "ruleId", t.person_id as "personId", t.organization_id as "organizationId",
       p.token_version as "tokenVersion", t.issuer, t.audience, t.subject, t.claims
  from trust_rule t
  join person p on p.id = t.person_id
  join membership m on m.organization_id = t.organization_id and m.person_id = t.person_id
 where t.issuer = $1 and t.audience = any($2::text[]) and starts_with($3, split_part(t.subject, '*', 1))
   and ($4::uuid is null or t.organization_id = $4) and ($5::text is null or t.person_id = $5)
 order by t.created_at, t.id limit ${COMPARED_MAX}`;

const USED = `
update trust_rule set last_used_at = clock_timestamp()
 where id = $1 and (last_used_at is null or last_used_at < clock_timestamp() - interval '1 minute')`;

/** Accepts the tokens of workloads by the trust rules of service accounts (ADR 0059). */
@Injectable()
export class WorkloadExchange {
  constructor(
    private readonly issuerTokens: IssuerTokens,
    private readonly reader: SnapshotReader,
    @Inject(ENV) private readonly env: Env,
  ) {}

  /** Returns whether tokens with this `iss` claim are those of workloads. */
  isIssuer(issuer: unknown): issuer is string {
    return this.env.STRATA_WORKLOAD_ISSUERS.some((each) => each === issuer);
  }

  /**
   * Returns the service account whose trust rules accept the token. Throws `bad_credential` whatever the reason is, so
   * that an attacker cannot learn which part of a rule matches.
   */
  async accept(issuer: string, request: TokenExchange): Promise<AcceptedWorkload> {
    const claims = await this.issuerTokens.verify(request.subject_token, issuer);
    const candidates = await this.candidates(claims, request);
    const accepting = candidates.filter((rule) => acceptsWorkload(rule, claims));
    const [first] = accepting;
    if (!first) throw badCredential();
    const isUndecided =
      candidates.length === COMPARED_MAX || accepting.some((rule) => rule.personId !== first.personId);
    if (isUndecided) throw accountNeeded();
    await this.reader.query(USED, [first.ruleId]);
    const left = claims.exp - Math.floor(Date.now() / 1_000) + LONGER_THAN_TOKEN_SECONDS;
    return { ...first, lifetimeSeconds: Math.min(WORKLOAD_SECONDS, left) };
  }

  private async candidates(
    { iss, aud, sub }: VerifiedClaims,
    { organization, service_account: account }: TokenExchange,
  ): Promise<readonly RuleRow[]> {
    const organizationId = organization === undefined ? null : lastSegment(organization).toLowerCase();
    if (organizationId !== null && !isUuid(organizationId)) return [];
    const accountId = account === undefined ? null : userIdOfLink(account);
    return this.reader.query<RuleRow>(CANDIDATES, [iss, [aud].flat(), sub, organizationId, accountId]);
  }
}

function accountNeeded(): Failure {
  return new Failure({
    kind: 'forbidden',
    code: 'service_account_needed',
    message:
      'Trust rules of several service accounts accept this token. Set `service_account` to the id of one of them.',
  });
}
