import {
  type ExchangedToken,
  type ServiceAccountCreated,
  TOKEN_EXCHANGE_GRANT_TYPE,
  type TrustRule,
} from '@strata/contract';
import type { Role } from '@strata/domain';
import { type LocalIssuer, RawClient, type Reply, type RunningCore, type TestOrganization } from '@strata/testkit';
import { query } from './query.ts';
import { serviceAccount } from './service-accounts.ts';

export const AUDIENCE = 'https://strata.example';
export const JWT = 'urn:ietf:params:oauth:token-type:jwt';

/** The claims of a real token, shortened. */
export const GITHUB = {
  aud: AUDIENCE,
  sub: 'repo:octo/app:ref:refs/heads/main',
  repository: 'octo/app',
  repository_id: '74',
  repository_owner_id: '65',
  ref: 'refs/heads/main',
  workflow: 'deploy',
};

type Origin = Pick<RunningCore, 'origin'>;

export const exchangeToken = ({ origin }: Origin, token: string, extraFields: object = {}) =>
  new RawClient(origin, null).post<ExchangedToken>('auth/exchange/', {
    grant_type: TOKEN_EXCHANGE_GRANT_TYPE,
    subject_token: token,
    subject_token_type: JWT,
    ...extraFields,
  });

export const clientWithAccessToken = ({ origin }: Origin, { body }: Reply<ExchangedToken>) =>
  new RawClient(origin, `Bearer ${body.access_token}`);

export const clientWithKey = ({ origin }: Origin, { apikey }: ServiceAccountCreated) =>
  new RawClient(origin, `Api-Key ${apikey}`);

/** Creates a service account with the role CONTRIB and a trust rule for the tokens of GitHub above. */
export async function createTrustedAccount(
  organization: TestOrganization,
  { url: issuer }: LocalIssuer,
  otherMembers: object = {},
): Promise<ServiceAccountCreated> {
  const account = await serviceAccount(organization, { role: 'CONTRIB' });
  const rule = {
    issuer,
    audience: AUDIENCE,
    subject: 'repo:octo/app:ref:refs/heads/*',
    claims: { repository_id: '74' },
    ...otherMembers,
  };
  const { status, text } = await organization.owner.post<TrustRule>(`${account.url}trust-rules/`, rule);
  if (status !== 201) throw new Error(text);
  return account;
}

/** Raises an account with trust rules, as earlier releases did. The core clears its cached permissions. */
export async function raiseAsEarlierRelease(
  core: Pick<RunningCore, 'database'>,
  organization: TestOrganization,
  { user }: ServiceAccountCreated,
  role: Role,
): Promise<void> {
  await query(core, 'update membership set role = $2 where id = $1', [user.membership_id, role]);
  await organization.owner.post('groups/', { name: `after ${user.id} became ${role}` });
}
