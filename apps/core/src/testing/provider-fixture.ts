import { randomUUID } from 'node:crypto';
import { type ExchangedToken, type Page, TOKEN_EXCHANGE_GRANT_TYPE } from '@strata/contract';
import {
  type ProviderClient,
  RawClient,
  type RunningCore,
  sharedCore,
  startIdentityProvider,
  type TestIdentityProvider,
  type TestOrganization,
} from '@strata/testkit';
import { type CoreInProcess, startSecondCore } from './core-in-process.ts';

const GROUPS = { 'idp-platform': 'Platform', 'idp-owners': 'Owners' };

type Claims = Readonly<Record<string, unknown>>;

/** A core whose settings have two identity providers. The domains of its organizations belong to the first one. */
export class ProviderFixture {
  private constructor(
    readonly shared: RunningCore,
    readonly core: CoreInProcess,
    readonly provider: TestIdentityProvider,
    readonly client: ProviderClient,
    /** The other provider, which is trusted for no domain. It has the same issuer. */
    readonly otherClient: ProviderClient,
    private readonly unused: TestOrganization[],
  ) {}

  /** The settings of a core name its organizations, so they are created before it. */
  static async open(organizations: number): Promise<ProviderFixture> {
    const sharedCoreProcess = await sharedCore();
    const provider = await startIdentityProvider();
    const client = await provider.register('acme', 'https://config.example');
    const otherClient = await provider.register('other', 'https://config.example');
    const unusedOrganizations = await Promise.all(
      Array.from({ length: organizations }, () => sharedCoreProcess.organization()),
    );
    const mappedOrganizations = unusedOrganizations.map((organization) => ({
      organization: organization.id,
      domains: [emailDomain(organization)],
      groups: GROUPS,
    }));
    const core = await startSecondCore(sharedCoreProcess, {
      STRATA_IDENTITY_PROVIDERS: JSON.stringify([
        { ...client, organizations: mappedOrganizations },
        { ...otherClient, organizations: [] },
      ]),
      STRATA_PRIVATE_ISSUERS: 'true',
    });
    return new ProviderFixture(sharedCoreProcess, core, provider, client, otherClient, unusedOrganizations);
  }

  async close(): Promise<void> {
    await Promise.all([this.core.close(), this.provider.close()]);
  }

  get anonymous(): RawClient {
    return new RawClient(this.core.origin, null);
  }

  /** Returns an organization that no other test uses. */
  organization(): TestOrganization {
    const next = this.unused.pop();
    if (!next) throw new Error('Open the fixture with more organizations.');
    return next;
  }

  ownerAt({ ownerAuthorization }: TestOrganization): RawClient {
    return new RawClient(this.core.origin, ownerAuthorization);
  }

  as(token: string): RawClient {
    return new RawClient(this.core.origin, `Bearer ${token}`);
  }

  exchange(token: string, extraFields: object = {}) {
    return this.anonymous.post<ExchangedToken>('auth/exchange/', {
      grant_type: TOKEN_EXCHANGE_GRANT_TYPE,
      subject_token: token,
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      ...extraFields,
    });
  }

  async signIn(claims: Claims, extraClaims: object = {}) {
    return this.exchange(await this.provider.idToken(this.client, claims), extraClaims);
  }

  async signedIn(claims: Claims): Promise<RawClient> {
    const { status, body } = await this.signIn(claims);
    if (status !== 200) throw new Error(`The sign-in returned ${status}.`);
    return this.as(body.access_token);
  }

  async findMember(at: TestOrganization, email: string) {
    const { body } = await this.ownerAt(at).get<Page<{ email: string; id: string }>>('users/?page_size=100');
    return body.results.find((user) => user.email === email);
  }
}

export const emailDomain = ({ id }: { readonly id: string }): string => `${id}.example`;

/** The claims of a new person with a verified address of the organization's domain. */
export function createClaims(at: TestOrganization, otherClaims: object = {}) {
  const sub = randomUUID();
  return { sub, email: `${sub}@${emailDomain(at)}`, email_verified: true, name: 'Ada', ...otherClaims };
}
