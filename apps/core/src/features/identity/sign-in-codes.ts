import { hash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SIGN_IN_CODE_SECONDS, type SignInCode, type SignInCodeCreate, type SignInMethod } from '@strata/contract';
import { Failure, type OrganizationId, type UserId } from '@strata/domain';
import { DeniedRequestLog } from '../../platform/access-log/denied-request-log.ts';
import { badCredentialError } from '../../platform/auth/bad-credential.ts';
import type { Caller } from '../../platform/caller.ts';
import { translateViolations } from '../../platform/postgres/constraints.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { acrossOrganizations } from '../../platform/postgres/tenants.ts';
import { ServiceKeys } from '../../platform/vault/service-keys.ts';
import { observedSignIn } from './observed-sign-in.ts';
import { OrganizationChoice } from './organization-choice.ts';
import { SignInService, type Token } from './sign-in.service.ts';

const CODE_BYTES = 32;

/** A further code of the same session replaces the previous one, so the table cannot outgrow the sessions. */
const CREATE = `
insert into sign_in_code (session_id, code_hmac, challenge, organization_id, client, expires_at)
values ($1, $2, $3, $4, $5, clock_timestamp() + make_interval(secs => ${SIGN_IN_CODE_SECONDS}))
on conflict (session_id) do update
   set code_hmac = excluded.code_hmac, challenge = excluded.challenge, organization_id = excluded.organization_id,
       client = excluded.client, expires_at = excluded.expires_at`;

/** The violations if the session has ended, or the organization was deleted, in the meantime. */
const ENDED_MEANWHILE = {
  sign_in_code_session_id_fkey: badCredentialError,
  sign_in_code_organization_id_fkey: badCredentialError,
};

/**
 * Uses a code up, whatever the result, and returns the sign-in that it stands for. The person must still be able to use
 * the session that created the code.
 */
const USE = `
with used as (delete from sign_in_code where code_hmac = $1 returning *)
select session.person_id, session.token_version, session.method, session.provider, used.organization_id, used.client,
       used.challenge = $2 as is_verified,
       floor(extract(epoch from session.expires_at - clock_timestamp()))::int as seconds
  from used
  join session on session.id = used.session_id and session.expires_at > clock_timestamp()
  join person on person.id = session.person_id and person.token_version = session.token_version
  join membership on membership.organization_id = used.organization_id and membership.person_id = person.id
 where used.expires_at > clock_timestamp()`;

interface UsedCode {
  readonly person_id: UserId;
  readonly token_version: number;
  readonly method: SignInMethod;
  readonly provider: string | null;
  readonly organization_id: OrganizationId;
  readonly client: string;
  readonly is_verified: boolean;
  readonly seconds: number;
}

/**
 * Codes with which people sign a program in by their browser. The program proves with its code verifier that it has
 * requested the code (PKCE).
 */
@Injectable()
export class SignInCodes {
  constructor(
    private readonly reader: SnapshotReader,
    private readonly serviceKeys: ServiceKeys,
    private readonly organizations: OrganizationChoice,
    private readonly signIn: SignInService,
    private readonly deniedRequests: DeniedRequestLog,
  ) {}

  /** Creates a code for a session of the caller, in the organization of the request. */
  async create(caller: Caller, { code_challenge: challenge, client = '' }: SignInCodeCreate): Promise<SignInCode> {
    if (caller.type !== 'interactive')
      throw Failure.forbidden('Service accounts cannot create sign-in codes. Programs use their API keys.');
    const sessionId = caller.authorization?.credential.sessionId;
    if (!sessionId) throw Failure.conflict('no_session', 'This request uses no session. Sign in with a session first.');
    const code = randomBytes(CODE_BYTES).toString('base64url');
    const values = [sessionId, this.serviceKeys.signInCodeHmac(code), challenge, caller.organizationId, client];
    // It replaces a code of the session for another organization.
    await translateViolations(
      acrossOrganizations(() => this.reader.query(CREATE, values)),
      ENDED_MEANWHILE,
    );
    return { code, expires_in: SIGN_IN_CODE_SECONDS };
  }

  /**
   * Starts the session that a code stands for. It expires with the session that created the code, so that a copied
   * session cannot be extended. Every code that is not valid gets the same error.
   */
  redeem(code: string, verifier: string, address: string): Promise<Token> {
    return observedSignIn(async () => {
      const usedCode = await this.use(code, verifier);
      const { person_id: personId, token_version: tokenVersion, method, provider, client } = usedCode;
      const organizationId = await this.organizations.of(personId, usedCode.organization_id, provider);
      const from = { client, address, ...(provider !== null && { provider }) };
      return this.signIn.start({ personId, organizationId, tokenVersion, method, ...from }, usedCode.seconds);
    });
  }

  private async use(code: string, verifier: string): Promise<UsedCode> {
    const challenge = hash('sha256', verifier, 'base64url');
    const [usedCode] = await this.reader.query<UsedCode>(USE, [this.serviceKeys.signInCodeHmac(code), challenge]);
    if (usedCode?.is_verified) return usedCode;
    if (usedCode) {
      const { person_id: personId, organization_id: organizationId } = usedCode;
      this.deniedRequests.signIn({ account: { personId }, rule: 'wrong_code_verifier', organizationId });
    }
    throw badCredentialError();
  }
}
