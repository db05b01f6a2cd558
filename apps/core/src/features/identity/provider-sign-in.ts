import { Inject, Injectable } from '@nestjs/common';
import type { AuthToken, TokenExchange } from '@strata/contract';
import { Failure, type OrganizationId, sentence, type UserId } from '@strata/domain';
import type { IdentityProvider, ProvidedOrganization } from '@strata/issuers';
import { decodeJwt, type JWTPayload } from 'jose';
import { DeniedRequestLog } from '../../platform/access-log/denied-request-log.ts';
import { badCredentialError } from '../../platform/auth/bad-credential.ts';
import { emailUsedByOtherAccount } from '../../platform/auth/external-people.ts';
import { IssuerTokens } from '../../platform/auth/issuer-tokens.ts';
import type { Env } from '../../platform/env.ts';
import { UnitOfWork } from '../../platform/ledger/unit-of-work.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { ENV } from '../../platform/tokens.ts';
import { OrganizationChoice } from './organization-choice.ts';
import { ProvidedMembers } from './provided-members.ts';
import { findOrganization, type ProviderIdentity, providerIdentity, readClaimedGroups } from './provider-identity.ts';
import { SessionsService } from './sessions.service.ts';
import { SignInService } from './sign-in.service.ts';
import { UsedIdTokens } from './used-id-tokens.ts';

/** An id token is exchanged right after it was issued. An older one was taken from somewhere else. */
const AGE_SECONDS_MAX = 600;

interface KnownPerson {
  readonly id: UserId;
  readonly name: string;
  readonly token_version: number;
}

/** The client and its address, for the list of sessions, and the request, for the ledger. */
export interface ExchangeOrigin {
  readonly client: string;
  readonly address: string;
  readonly requestId: string;
}

/**
 * Binds the person with an address to a subject, unless another subject of the issuer is bound already. If the address
 * was never proven, another person may have created the account and may know its password, also the inviter of a member.
 * Such an account loses its password and its sessions. The break-glass owner of an organization keeps them, and their
 * address stays unproven.
 */
const BIND = `
with bound as (
  insert into issuer_subject (issuer, subject, person_id)
  select $1, $2, person.id from person where person.type = 'interactive' and lower(person.email) = lower($3)
  on conflict do nothing returning person_id),
known as (
  select person.id, person.email_is_proven or exists (
           select from sso_only
             join membership on membership.organization_id = sso_only.organization_id and membership.id = sso_only.break_glass_owner
            where membership.person_id = person.id) as is_trusted
    from bound join person on person.id = bound.person_id)
update person
   set email_is_proven = person.email_is_proven or not is_trusted,
       password_hash = case when is_trusted then password_hash end,
       token_version = token_version + case when is_trusted then 0 else 1 end
  from known where person.id = known.id returning 1`;

const PERSON = 'person.id, coalesce(person.name, person.email, person.id) as name, person.token_version';

/** Signs people in with the id token of an identity provider. */
@Injectable()
export class ProviderSignIn {
  constructor(
    private readonly tokens: IssuerTokens,
    private readonly reader: SnapshotReader,
    private readonly members: ProvidedMembers,
    private readonly unitOfWork: UnitOfWork,
    private readonly organizations: OrganizationChoice,
    private readonly signIn: SignInService,
    private readonly sessions: SessionsService,
    private readonly usedTokens: UsedIdTokens,
    private readonly deniedRequests: DeniedRequestLog,
    @Inject(ENV) private readonly env: Env,
  ) {}

  /** Returns null if the token is not from an identity provider. Throws if it is invalid or belongs to no member. */
  async exchange(
    { subject_token: token, organization }: TokenExchange,
    origin: ExchangeOrigin,
  ): Promise<AuthToken | null> {
    const provider = this.findProvider(token);
    if (provider === null) return null;
    const identity = await this.verifyIdentity(provider, token);
    const providedOrganization = await this.existing(findOrganization(provider, identity));
    // a provider that is not trusted for a domain must not write into the audit of its organization
    const address = providedOrganization && identity.email;
    return this.recorded(address, () =>
      this.usedTokens.once(token, async () => {
        const person = await this.findMember(identity, providedOrganization, origin);
        if (providedOrganization) await this.updateGroups(person, providedOrganization, identity, origin);
        const requestedOrganization = organization ?? providedOrganization?.organization;
        const organizationId = await this.organizations.of(person.id, requestedOrganization, provider.id);
        return this.start(person, organizationId, provider, token, origin);
      }),
    );
  }

  private start(
    person: KnownPerson,
    organizationId: OrganizationId,
    provider: IdentityProvider,
    idToken: string,
    { client, address }: ExchangeOrigin,
  ): Promise<AuthToken> {
    return this.signIn.start({
      personId: person.id,
      organizationId,
      tokenVersion: person.token_version,
      method: 'provider',
      provider: provider.id,
      idToken,
      client,
      address,
    });
  }

  /** Records the rejection of a verified token in the organizations of the account with its address, if there is one. */
  private async recorded<Result>(email: string | null, step: () => Promise<Result>): Promise<Result> {
    try {
      return await step();
    } catch (error) {
      if (error instanceof Failure && email !== null && error.code !== 'sso_required')
        this.deniedRequests.signIn({ account: { email }, rule: error.code });
      throw error;
    }
  }

  /** Finds the provider by claims that are not verified yet. */
  private findProvider(token: string): IdentityProvider | null {
    let claims: JWTPayload;
    try {
      claims = decodeJwt(token);
    } catch {
      return null;
    }
    const audiences = [claims.aud].flat();
    // a token with several audiences names the client that it was issued to
    const client = claims.azp ?? (audiences.length === 1 ? audiences[0] : undefined);
    const isFor = ({ issuer, client_id: id }: IdentityProvider) =>
      issuer === claims.iss && id === client && audiences.includes(id);
    return this.env.STRATA_IDENTITY_PROVIDERS.find(isFor) ?? null;
  }

  private async verifyIdentity(provider: IdentityProvider, token: string): Promise<ProviderIdentity> {
    const claims = await this.tokens.verify(token, provider.issuer);
    if (!isRecent(claims)) throw badCredentialError();
    const identity = providerIdentity(provider, claims);
    if (identity === null) throw badCredentialError();
    return identity;
  }

  /**
   * Returns the person of a subject. An unknown subject is bound to the person with its address, or becomes a new
   * member, but only if the operator trusts the provider for the domain of the address.
   */
  private async findMember(
    identity: ProviderIdentity,
    providedOrganization: ProvidedOrganization | null,
    origin: ExchangeOrigin,
  ): Promise<KnownPerson> {
    const { issuer, subject, email } = identity;
    let person = await this.bySubject(identity);
    if (!person && providedOrganization && email !== null) {
      const bound = await this.reader.query<object>(BIND, [issuer, subject, email]);
      person = await this.bySubject(identity);
      if (person && bound.length > 0) await this.sessions.notifyOrganizations(person.id);
    }
    if (!providedOrganization) {
      if (person) return person;
      throw notAMember(identity);
    }
    if (!person || !(await this.isMember(person, providedOrganization))) {
      await this.unitOfWork.run(this.members.join(identity, person, providedOrganization, origin));
      person = await this.bySubject(identity);
    }
    if (!person) throw emailUsedByOtherAccount();
    return person;
  }

  private async bySubject({ issuer, subject }: ProviderIdentity): Promise<KnownPerson | null> {
    const [person] = await this.reader.query<KnownPerson>(
      `select ${PERSON} from issuer_subject join person on person.id = issuer_subject.person_id where issuer_subject.issuer = $1 and issuer_subject.subject = $2`,
      [issuer, subject],
    );
    return person ?? null;
  }

  /** An organization that the operator has mapped may have been deleted. */
  private async existing(providedOrganization: ProvidedOrganization | null): Promise<ProvidedOrganization | null> {
    if (!providedOrganization) return null;
    const text = 'select 1 from organization where id = $1 and deleted_at is null';
    return (await this.reader.query<object>(text, [providedOrganization.organization])).length > 0
      ? providedOrganization
      : null;
  }

  private async isMember({ id }: KnownPerson, { organization }: ProvidedOrganization): Promise<boolean> {
    const rows = await this.reader.query<object>(
      'select 1 from membership where organization_id = $1 and person_id = $2',
      [organization, id],
    );
    return rows.length > 0;
  }

  private async updateGroups(
    person: KnownPerson,
    providedOrganization: ProvidedOrganization,
    identity: ProviderIdentity,
    origin: ExchangeOrigin,
  ): Promise<void> {
    const groups = readClaimedGroups(providedOrganization, identity);
    const command = await this.members.groupsChanged(person, providedOrganization.organization, groups, origin);
    if (command) await this.unitOfWork.run(command);
  }
}

function isRecent({ iat = 0 }: JWTPayload): boolean {
  return iat > Date.now() / 1_000 - AGE_SECONDS_MAX;
}

const notAMember = ({ email }: ProviderIdentity) =>
  new Failure({
    kind: 'forbidden',
    code: 'no_organization',
    message: email
      ? sentence`${{ email }} is not a member of any organization. Ask your administrator, or sign in with another account.`
      : 'This account is not a member of any organization. Ask your administrator, or sign in with another account.',
  });
