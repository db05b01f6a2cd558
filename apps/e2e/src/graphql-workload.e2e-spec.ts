import type { ServiceAccountCreated } from '@strata/contract';
import { LocalIssuer, type OwnCore, RawClient, startCore } from '@strata/testkit';
import pg from 'pg';
import { GraphQLStack } from './graphql-stack.ts';

const CLAIMS = { aud: 'https://strata.example', sub: 'system:serviceaccount:prod:app' };

let issuer: LocalIssuer;
let core: OwnCore;
let stack: GraphQLStack;
beforeAll(async () => {
  issuer = await LocalIssuer.start();
  core = await startCore({ STRATA_WORKLOAD_ISSUERS: issuer.url, STRATA_PRIVATE_ISSUERS: 'true' });
  stack = await GraphQLStack.start(core);
});
afterAll(async () => {
  await stack?.close();
  await core?.close();
  await issuer?.close();
});

async function trustedAccount() {
  const organization = await core.organization();
  const input = { name: 'deploy', role: 'CONTRIB' };
  const { body: account } = await organization.owner.post<ServiceAccountCreated>('serviceaccounts/', input);
  const rule = { issuer: issuer.url, audience: CLAIMS.aud, subject: CLAIMS.sub };
  await organization.owner.post(`${account.url}trust-rules/`, rule);
  return { organization, account };
}

async function raiseAsEarlierRelease({ user }: ServiceAccountCreated) {
  const client = new pg.Client({ connectionString: core.database.url });
  await client.connect();
  try {
    await client.query(`update membership set role = 'OWNER' where id = $1`, [user.membership_id]);
  } finally {
    await client.end();
  }
}

test('the viewer of a workload has the role that it acts with, and cannot change the organization', async () => {
  const { organization, account } = await trustedAccount();
  await raiseAsEarlierRelease(account);
  const { body } = await new RawClient(core.origin, null).post<{ access_token: string }>('auth/exchange/', {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: issuer.token(CLAIMS),
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    service_account: account.id,
  });
  const authorization = `Bearer ${body.access_token}`;

  const { viewer } = await stack.data(
    '{ viewer { role abilities { role } organization { role } user { role } } }',
    {},
    authorization,
  );
  expect(viewer).toEqual({
    role: 'CONTRIB',
    abilities: { role: 'CONTRIB' },
    organization: { role: 'CONTRIB' },
    user: { role: 'CONTRIB' },
  });

  const CHANGE = `mutation ($id: ID!) { updateOrganization(id: $id, input: { name: "taken" }) { __typename } }`;
  const DELETE = 'mutation ($id: ID!) { deleteOrganization(id: $id) { __typename } }';
  const { id } = organization;
  expect(await stack.data(CHANGE, { id }, authorization)).toEqual({
    updateOrganization: { __typename: 'PermissionDenied' },
  });
  expect(await stack.data(DELETE, { id }, authorization)).toEqual({
    deleteOrganization: { __typename: 'PermissionDenied' },
  });
});

test('an account with trust rules cannot be raised above its workloads', async () => {
  const { organization, account } = await trustedAccount();
  const RAISE = `mutation ($id: ID!) { updateMembership(id: $id, input: { role: ADMIN }) {
    __typename ... on ValidationProblem { code fields { field message } } } }`;

  const { updateMembership } = await stack.data(
    RAISE,
    { id: account.user.membership_id },
    organization.ownerAuthorization,
  );

  expect(updateMembership).toEqual({
    __typename: 'ValidationProblem',
    code: 'role_too_high',
    fields: [{ field: 'role', message: expect.stringContaining('Delete its trust rules first') }],
  });
});
