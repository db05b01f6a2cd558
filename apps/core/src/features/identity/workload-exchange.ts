import { Inject, Injectable } from '@nestjs/common';
import { type AuthToken, type TokenExchange, WORKLOAD_SECONDS } from '@strata/contract';
import {
  acceptsWorkload,
  Failure,
  isUuid,
  type OrganizationId,
  textProblem,
  type UserId,
  type Uuid,
  type WorkloadTrust,
} from '@strata/domain';
import { badCredentialError } from '../../platform/auth/bad-credential.ts';
import { IssuerTokens, type VerifiedClaims } from '../../platform/auth/issuer-tokens.ts';
import { decodeClaims } from '../../platform/auth/token-claims.ts';
import type { Env } from '../../platform/env.ts';
import { lastSegment } from '../../platform/http/links.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { ENV } from '../../platform/tokens.ts';
import { userIdOfLink } from './people.ts';
import type { ExchangeOrigin } from './provider-sign-in.ts';
import { SignInService } from './sign-in.service.ts';

/** A job that exchanges its token at the last moment can still work for a while. */
const LONGER_THAN_TOKEN_SECONDS = 300;
/**
 * The number of rules that are compared with one token. A service account has fewer, so the limit does not affect
 * requests that name one.
 */
const COMPARED_MAX = 100;

/** A trust rule and its service account. */
interface RuleRow extends WorkloadTrust {
  readonly ruleId: Uuid;
  readonly personId: UserId;
  readonly organizationId: OrganizationId;
  readonly tokenVersion: number;
}

/** Selects the rules that can accept a token: $1 is its issuer, $2 its audiences, $3 its subject. */
const CANDIDATES = `
select trust_rule.id as "ruleId", trust_rule.person_id as "personId", trust_rule.organization_id as "organizationId",
       person.token_version as "tokenVersion", trust_rule.issuer, trust_rule.audience, trust_rule.subject, trust_rule.claims
  from trust_rule
  join person on person.id = trust_rule.person_id
  join membership on membership.organization_id = trust_rule.organization_id and membership.person_id = trust_rule.person_id
 where trust_rule.issuer = $1 and trust_rule.audience = any($2::text[]) and starts_with($3, split_part(trust_rule.subject, '*', 1))
   and ($4::uuid is null or trust_rule.organization_id = $4) and ($5::text is null or trust_rule.person_id = $5)
 order by trust_rule.created_at, trust_rule.id limit ${COMPARED_MAX}`;

const USED = `
update trust_rule set last_used_at = clock_timestamp()
 where organization_id = $1 and id = $2 and (last_used_at is null or last_used_at < clock_timestamp() - interval '1 minute')`;

/** Starts sessions of service accounts for tokens of workloads that a trust rule accepts (ADR 0059). */
@Injectable()
export class WorkloadExchange {
  constructor(
    private readonly tokens: IssuerTokens,
    private readonly reader: SnapshotReader,
    private readonly signIn: SignInService,
    @Inject(ENV) private readonly env: Env,
  ) {}

  /**
   * Returns null if the token is not from an issuer of workloads. Throws `bad_credential` whatever is wrong with it, so
   * that an attacker cannot learn which part of a rule matches.
   */
  async exchange(request: TokenExchange, { client, address }: ExchangeOrigin): Promise<AuthToken | null> {
    const { subject_token: token } = request;
    const claimedIssuer = decodeClaims(token)?.iss;
    const issuer = this.env.STRATA_WORKLOAD_ISSUERS.find((candidate) => candidate === claimedIssuer);
    if (issuer === undefined) return null;
    const claims = await this.tokens.verify(token, issuer);
    const { ruleId, personId, organizationId, tokenVersion } = await this.ruleFor(claims, request);
    await this.reader.query(USED, [organizationId, ruleId]);
    const left = claims.exp - Math.floor(Date.now() / 1_000);
    return this.signIn.start(
      { personId, organizationId, tokenVersion, method: 'workload', trustRuleId: ruleId, client, address },
      Math.min(WORKLOAD_SECONDS, left + LONGER_THAN_TOKEN_SECONDS),
    );
  }

  private async ruleFor(claims: VerifiedClaims, request: TokenExchange): Promise<RuleRow> {
    const candidates = await this.candidates(claims, request);
    // rules of other organizations must not decide where a job signs in
    const isNamed = request.service_account !== undefined || request.organization !== undefined;
    const organizations = new Set(candidates.map(({ organizationId }) => organizationId));
    if (!isNamed && organizations.size > 1) throw accountRequiredError();
    const acceptingRules = candidates.filter((rule) => acceptsWorkload(rule, claims));
    const [first] = acceptingRules;
    if (!first) throw badCredentialError();
    const isOne = acceptingRules.every((rule) => rule.personId === first.personId);
    if (!isOne || candidates.length === COMPARED_MAX) throw accountRequiredError();
    return first;
  }

  private async candidates(
    { iss, aud, sub }: VerifiedClaims,
    { organization, service_account: account }: TokenExchange,
  ): Promise<readonly RuleRow[]> {
    const organizationId = organization === undefined ? null : lastSegment(organization).toLowerCase();
    if (organizationId !== null && !isUuid(organizationId)) return [];
    const audiences = [aud].flat().filter(isText);
    if (!isText(sub)) return [];
    const accountId = account === undefined ? null : userIdOfLink(account);
    return this.reader.query<RuleRow>(CANDIDATES, [iss, audiences, sub, organizationId, accountId]);
  }
}

/** A claim can have any type, and characters that the database does not store. */
const isText = (claim: unknown): claim is string => typeof claim === 'string' && textProblem(claim) === null;

function accountRequiredError(): Failure {
  return new Failure({
    kind: 'forbidden',
    code: 'service_account_needed',
    message:
      'Trust rules of several service accounts accept this token. Set `service_account` to the id of one of them.',
  });
}
