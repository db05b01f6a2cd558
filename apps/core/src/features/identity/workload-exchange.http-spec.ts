import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ExchangedToken,
  type Grant,
  type Page,
  type ServiceAccountCreated,
  TOKEN_EXCHANGE_GRANT_TYPE,
  type TrustRule,
  type User,
} from '@strata/contract';
import {
  LocalIssuer,
  type OwnCore,
  RawClient,
  type Reply,
  type RunningCore,
  sharedCore,
  type TestOrganization,
} from '@strata/testkit';
import pg from 'pg';
import { startSecondCore } from '../../testing/core-in-process.ts';
import { signToken, signTokenWithSecret } from '../../testing/forged-tokens.ts';
import { ListeningClient } from '../../testing/listening-client.ts';
import { lockOrganizationHead } from '../../testing/locked-head.ts';
import { query } from '../../testing/query.ts';
import { waitUntil } from '../../testing/until.ts';
import {
  AUDIENCE,
  clientWithAccessToken,
  clientWithKey,
  createTrustedAccount,
  exchangeToken,
  GITHUB,
  JWT,
  raiseAsEarlierRelease,
} from '../../testing/workloads.ts';

const KUBERNETES = {
  aud: ['https://kubernetes.default.svc', AUDIENCE],
  sub: 'system:serviceaccount:prod:app',
  'kubernetes.io': { namespace: 'prod', pod: { name: 'app-1' }, serviceaccount: { name: 'app', uid: 'c1' } },
};
const GITLAB = {
  aud: AUDIENCE,
  sub: 'project_path:group/app:ref_type:branch:ref:main',
  project_id: '22',
  namespace_id: '72',
  ref_protected: 'true',
};

let local: RunningCore;
let core: OwnCore;
let github: LocalIssuer;
let kubernetes: LocalIssuer;
let gitlab: LocalIssuer;
/** Its keys are good, but the operator has not listed it. */
let unlisted: LocalIssuer;

beforeAll(async () => {
  [github, kubernetes, gitlab, unlisted] = await Promise.all([
    LocalIssuer.start('/_services/token'),
    LocalIssuer.start(),
    LocalIssuer.start(),
    LocalIssuer.start(),
  ]);
  local = await sharedCore();
  core = await coreFor([github, kubernetes, gitlab]);
});
afterAll(async () => {
  await core?.close();
  await Promise.all([github, kubernetes, gitlab, unlisted].map((issuer) => issuer?.close()));
});

const coreFor = (issuers: readonly LocalIssuer[], settings: Readonly<Record<string, string>> = {}) =>
  startSecondCore(local, {
    STRATA_WORKLOAD_ISSUERS: issuers.map(({ url }) => url).join(', '),
    STRATA_PRIVATE_ISSUERS: 'true',
    ...settings,
  });

const exchange = (token: string, more: object = {}, at: Pick<RunningCore, 'origin'> = core) =>
  exchangeToken(at, token, more);
const clientWithToken = (exchanged: Reply<ExchangedToken>) => clientWithAccessToken(core, exchanged);
const withKey = (account: ServiceAccountCreated) => clientWithKey(core, account);
const trusted = (organization: TestOrganization, otherMembers: object = {}) =>
  createTrustedAccount(organization, github, otherMembers);

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

const BAD_CREDENTIAL = {
  status: 403,
  headers: { 'x-error-code': 'bad_credential' },
  body: { detail: 'Incorrect authentication credentials.' },
};

describe('the token of a workload', () => {
  it.each([
    ['a job of GitHub', () => github, GITHUB, {}],
    ['a pod of Kubernetes', () => kubernetes, KUBERNETES, { subject: 'system:serviceaccount:prod:*', claims: {} }],
    ['a job of GitLab', () => gitlab, GITLAB, { subject: GITLAB.sub, claims: { project_id: '22' } }],
  ])('is exchanged for a short session of a service account: %s', async (_, issuer, claims, otherMembers) => {
    const organization = await core.organization();
    const account = await trusted(organization, { issuer: issuer().url, ...otherMembers });

    const exchanged = await exchange(issuer().token(claims), { service_account: account.id });

    expect(exchanged).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'no-store' },
      body: {
        access_token: expect.stringMatching(/^ses_/),
        token_type: 'Bearer',
        issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        organization: organization.id,
      },
    });
    expect(await clientWithToken(exchanged).get<User>('users/current/')).toMatchObject({
      status: 200,
      body: { id: account.id, role: 'CONTRIB' },
    });
  });

  it('is exchanged for at most 15 minutes, and at most 5 minutes longer than it is valid', async () => {
    const { id } = await trusted(await core.organization());
    const now = Math.floor(Date.now() / 1_000);
    const lifetimeFor = async (exp: number) =>
      (await exchange(github.token({ ...GITHUB, exp }), { service_account: id })).body.expires_in;

    expect(await lifetimeFor(now + 3_600)).toBe(900);
    expect(await lifetimeFor(now + 60)).toBeLessThanOrEqual(360);
  });

  it('can be exchanged again by the same job, also as a form, and shows in the trust rule', async () => {
    const organization = await core.organization();
    const { id, url } = await trusted(organization);
    const token = github.token(GITHUB);
    const form = new URLSearchParams({
      grant_type: TOKEN_EXCHANGE_GRANT_TYPE,
      subject_token: token,
      subject_token_type: JWT,
    });
    form.set('service_account', `${core.origin}/api/v1/serviceaccounts/${id}/`);

    const [first, second] = [
      await exchange(token, { service_account: id }),
      await new RawClient(core.origin, null).post<ExchangedToken>('auth/exchange/', form),
    ];

    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body.access_token).not.toBe(first.body.access_token);
    const { body } = await organization.owner.get<Page<TrustRule>>(`${url}trust-rules/`);
    expect(body.results).toMatchObject([{ last_used_at: expect.any(String) }]);
  });

  it('needs the name of a service account if rules of several accounts accept it', async () => {
    const organization = await core.organization();
    const subject = 'repo:octo/several:environment:prod';
    const accounts = [await trusted(organization, { subject }), await trusted(organization, { subject })];
    const token = github.token({ ...GITHUB, sub: subject });

    expect(await exchange(token)).toMatchObject({
      status: 403,
      headers: { 'x-error-code': 'service_account_needed' },
      body: { detail: expect.stringContaining('`service_account`') },
    });
    for (const { id } of accounts) {
      const exchanged = await exchange(token, { service_account: id });
      expect((await clientWithToken(exchanged).get<User>('users/current/')).body.id).toBe(id);
    }
  });

  it('needs the name of a service account if rules of two organizations could accept it', async () => {
    const [mine, theirs] = [await core.organization(), await core.organization()];
    const subject = 'repo:octo/two:environment:prod';
    const account = await trusted(mine, { subject });
    const token = github.token({ ...GITHUB, sub: subject });
    expect((await exchange(token)).body.organization).toBe(mine.id);

    // it does not accept the token, but would reveal by its existence where the job signs in
    await trusted(theirs, { subject, claims: { repository_id: '75' } });

    expect(await exchange(token)).toMatchObject({
      status: 403,
      headers: { 'x-error-code': 'service_account_needed' },
    });
    expect((await exchange(token, { organization: mine.id })).body.organization).toBe(mine.id);
    expect((await exchange(token, { service_account: account.id })).body.organization).toBe(mine.id);
  });

  it('is rejected for a service account or an organization whose rules do not accept it', async () => {
    const [mine, theirs] = [await core.organization(), await core.organization()];
    const subject = 'repo:octo/mine:environment:prod';
    const account = await trusted(mine, { subject });
    const otherAccount = await trusted(theirs);
    const token = github.token({ ...GITHUB, sub: subject });

    expect((await exchange(token, { organization: mine.id })).status).toBe(200);
    expect((await exchange(token)).body.organization).toBe(mine.id);
    expect(await exchange(token, { service_account: otherAccount.id })).toMatchObject(BAD_CREDENTIAL);
    expect(await exchange(token, { organization: theirs.id })).toMatchObject(BAD_CREDENTIAL);
    expect(await exchange(token, { organization: 'x' })).toMatchObject(BAD_CREDENTIAL);
    expect(await exchange(token, { organization: theirs.id, service_account: account.id })).toMatchObject(
      BAD_CREDENTIAL,
    );
  });

  const now = () => Math.floor(Date.now() / 1_000);
  const pem = () => createPublicKey(github.key).export({ type: 'spki', format: 'pem' }).toString();
  const complete = () => ({ iss: github.url, iat: now(), exp: now() + 300, ...GITHUB });
  const signed = (otherMembers: object) => () => github.token({ ...GITHUB, ...otherMembers });
  it.each<[string, () => string]>([
    ['an expiry that has passed', () => github.token({ ...GITHUB, iat: now() - 600, exp: now() - 1 })],
    ['no expiry', signed({ exp: undefined })],
    ['a lifetime of more than a day', () => github.token({ ...GITHUB, exp: now() + 90_000 })],
    ['a start in the future', () => github.token({ ...GITHUB, nbf: now() + 120 })],
    ['a time of issue in the future', () => github.token({ ...GITHUB, iat: now() + 120, exp: now() + 300 })],
    ['an issuer that the operator has not listed', () => unlisted.token(GITHUB)],
    ['the signature of another issuer', () => unlisted.token({ ...GITHUB, iss: github.url })],
    ['the name of another issuer', () => github.token({ ...GITHUB, iss: kubernetes.url })],
    ['another audience', signed({ aud: 'https://github.com/octo' })],
    ['audiences without the expected one', signed({ aud: ['a', `${AUDIENCE}/`] })],
    ['no audience', signed({ aud: undefined })],
    ['an audience that is a list in a list', signed({ aud: [[AUDIENCE]] })],
    ['an audience with a null character', signed({ aud: [`${AUDIENCE}\u0000`] })],
    ['another repository', signed({ sub: 'repo:octo/app2:ref:refs/heads/main' })],
    ['a tag of the repository', signed({ sub: 'repo:octo/app:ref:refs/tags/main' })],
    ['a branch whose name crosses a slash', signed({ sub: 'repo:octo/app:ref:refs/heads/main/x' })],
    ['a subject that crosses a colon', signed({ sub: 'repo:octo/app:ref:refs/heads/main:environment:x' })],
    ['a subject that ends with the expected one', signed({ sub: `x${GITHUB.sub}` })],
    ['a list of subjects', signed({ sub: [GITHUB.sub] })],
    ['a subject with a null character', signed({ sub: `${GITHUB.sub}\u0000` })],
    ['no subject', signed({ sub: undefined })],
    ['the id of another repository', signed({ repository_id: '75' })],
    ['no id of the repository', signed({ repository_id: undefined })],
    ['alg none', () => `${signTokenWithSecret('x', complete(), { alg: 'none' }).replace(/[^.]*$/, '')}`],
    ['the public key as a secret', () => signTokenWithSecret(pem(), complete(), { alg: 'HS256', kid: 'k1' })],
    ['another algorithm in the header', () => signToken(ec, complete(), { alg: 'ES256', kid: 'k1' })],
    ['an unknown kid', () => github.token(GITHUB, { kid: 'k2' })],
    ['the type of a logout token', () => github.token(GITHUB, { typ: 'logout+jwt' })],
    ['the type of an access token', () => github.token(GITHUB, { typ: 'at+jwt' })],
    ['the media type of an access token', () => github.token(GITHUB, { typ: 'application/at+jwt' })],
    ['a number as its type', () => github.token(GITHUB, { typ: 7 })],
    ['an empty type', () => github.token(GITHUB, { typ: '' })],
    ['an unknown critical extension', () => github.token(GITHUB, { crit: ['x'], x: 1 })],
    ['a list as claims', () => signTokenWithSecret('x', [], { alg: 'RS256' })],
    ['no dots', () => 'token'],
  ])('is rejected if it has %s', async (_, token) => {
    const { id } = await trusted(await core.organization());
    expect((await exchange(github.token(GITHUB), { service_account: id })).status).toBe(200);

    expect(await exchange(token(), { service_account: id })).toMatchObject(BAD_CREDENTIAL);
  });

  it.each([['jwt'], [undefined]])('is exchanged if its type is %p', async (typ) => {
    const { id } = await trusted(await core.organization());
    expect((await exchange(github.token(GITHUB, { typ }), { service_account: id })).status).toBe(200);
  });

  it('is rejected if its rule is deleted while it is exchanged', async () => {
    const organization = await core.organization();
    const { id } = await trusted(organization);
    const deleter = new pg.Client({ connectionString: core.database.url });
    await deleter.connect();
    try {
      await deleter.query('begin');
      await deleter.query('delete from trust_rule where organization_id = $1', [organization.id]);
      const exchanged = exchange(github.token(GITHUB), { service_account: id });
      const waiting = `select 1 from pg_stat_activity
                        where datname = current_database() and wait_event_type = 'Lock' and query like '%trust_rule%'`;
      await waitUntil(
        () => query(core, waiting),
        (rows) => rows.length > 0,
      );
      await deleter.query('commit');

      expect(await exchanged).toMatchObject(BAD_CREDENTIAL);
    } finally {
      await deleter.end();
    }
  });

  it('counts against the rate of its address if it is rejected', async () => {
    const limited = await coreFor([github], { STRATA_RATE_PER_ADDRESS: '2' });
    try {
      const statuses: number[] = [];
      while (!statuses.includes(429)) statuses.push((await exchange(unlisted.token(GITHUB), {}, limited)).status);
      expect(statuses[0]).toBe(403);
    } finally {
      await limited.close();
    }
  });
});

describe('the session of a workload', () => {
  it('never has more rights than a CONTRIB, whatever role its service account gets', async () => {
    const organization = await core.organization();
    const account = await trusted(organization);
    const { owner } = organization;
    const restricted = await organization.project();
    await owner.patch(restricted.url, { access_controlled: true });
    await raiseAsEarlierRelease(core, organization, account, 'OWNER');
    const client = clientWithToken(await exchange(github.token(GITHUB), { service_account: account.id }));

    expect((await client.get<User>('users/current/')).status).toBe(200);
    expect((await client.get('users/current/abilities/')).text).not.toContain('manage_');
    expect((await client.post('webhooks/', {})).status).toBe(403);
    expect((await client.get(`${restricted.url}parameters/`)).status).toBe(403);
    expect((await withKey(account).get(`${restricted.url}parameters/`)).status).toBe(200);
    expect((await client.post('projects/', { name: 'by-workload' })).status).toBe(201);
  });

  it('never manages a project or environment, even with a grant as OWNER', async () => {
    const organization = await core.organization();
    const account = await trusted(organization);
    const { owner } = organization;
    const project = await organization.project();
    await owner.patch(project.url, { access_controlled: true });
    const grant = { principal: account.user.url, scope: project.url, role: 'OWNER' };
    expect((await owner.post<Grant>('grants/', grant)).status).toBe(201);
    const client = clientWithToken(await exchange(github.token(GITHUB), { service_account: account.id }));

    expect((await client.get('users/current/abilities/')).text).not.toContain('"manage"');
    expect((await client.post(`${project.url}parameters/`, { name: 'A' })).status).toBe(201);
    expect((await client.patch(project.url, { description: 'x' })).status).toBe(403);
    expect((await withKey(account).patch(project.url, { description: 'x' })).status).toBe(200);
    expect((await client.delete(project.url)).status).toBe(403);
    expect((await client.post('grants/', { ...grant, principal: organization.id })).status).toBe(403);
  });

  it('gets no more rights for a write that has waited', async () => {
    const organization = await core.organization();
    const account = await trusted(organization);
    const project = await organization.project();
    await raiseAsEarlierRelease(core, organization, account, 'ADMIN');
    const client = clientWithToken(await exchange(github.token(GITHUB), { service_account: account.id }));
    expect((await client.get(`${project.url}parameters/`)).status).toBe(200);
    const head = await lockOrganizationHead(core, organization.id);
    const restricted = organization.owner.patch(project.url, { access_controlled: true });
    await head.waiting(1);

    const written = client.post(`${project.url}parameters/`, { name: 'late' });
    await sleep(300); // the write waits behind the other one by now
    await head.release();

    expect([(await restricted).status, (await written).status]).toEqual([200, 403]);
    expect((await withKey(account).post(`${project.url}parameters/`, { name: 'by-key' })).status).toBe(201);
  });

  it('cannot create credentials that would outlive it', async () => {
    const organization = await core.organization();
    const account = await trusted(organization);
    await organization.owner.patch(account.url, { owner: account.id });
    const client = clientWithToken(await exchange(github.token(GITHUB), { service_account: account.id }));
    const rule = { issuer: github.url, audience: 'x', subject: 'x', claims: { repository_id: '1' } };

    expect((await client.post('serviceaccounts/', { name: 'x', role: 'VIEWER' })).status).toBe(403);
    expect((await client.post(`${account.url}rekey/`)).status).toBe(403);
    expect((await client.post(`${account.url}trust-rules/`, rule)).status).toBe(403);
    expect((await client.post('auth/token/', { organization: organization.id })).status).toBe(403);
  });

  it.each<[string, (organization: TestOrganization, account: ServiceAccountCreated) => Promise<unknown>]>([
    [
      'its trust rule is deleted',
      async ({ owner }, { url }) => {
        const { body } = await owner.get<Page<TrustRule>>(`${url}trust-rules/`);
        return owner.delete(`${url}trust-rules/${body.results[0]?.id}/`);
      },
    ],
    ['its service account is deleted', ({ owner }, { url }) => owner.delete(url)],
    ['its membership is deleted', ({ owner }, { user }) => owner.delete(`memberships/${user.membership_id}/`)],
  ])('ends with its event streams when %s', async (_, end) => {
    const organization = await core.organization();
    const account = await trusted(organization);
    const exchanged = await exchange(github.token(GITHUB), { service_account: account.id });
    const client = clientWithToken(exchanged);
    const authorization = `Bearer ${exchanged.body.access_token}`;
    const stream = await ListeningClient.open(core.origin, { authorization });
    await organization.project({ name: 'heard' });
    await stream.until(() => stream.changes.length === 1);

    await end(organization, account);

    expect(await client.get('users/current/')).toMatchObject(BAD_CREDENTIAL);
    await stream.ended;
    expect(stream.messages.at(-1)).toMatchObject({ event: 'close', data: { code: 'credential_revoked' } });
    expect(await exchange(github.token(GITHUB), { service_account: account.id })).toMatchObject(BAD_CREDENTIAL);
  });
});

describe('an issuer of workloads', () => {
  it('is contacted once for many tokens, and not again for unknown keys', async () => {
    const issuer = await LocalIssuer.start();
    const ownCore = await coreFor([issuer]);
    try {
      const { id } = await trusted(await ownCore.organization(), { issuer: issuer.url });
      const tokens = Array.from({ length: 20 }, (_, n) =>
        issuer.token({ ...GITHUB, n }, { kid: n < 10 ? 'k1' : 'k2' }),
      );

      const responses = await Promise.all(tokens.map((token) => exchange(token, { service_account: id }, ownCore)));

      expect(responses.filter(({ status }) => status === 200)).toHaveLength(10);
      expect(issuer.requests).toEqual(['/.well-known/openid-configuration', '/keys']);
    } finally {
      await Promise.all([ownCore.close(), issuer.close()]);
    }
  });

  const UNAVAILABLE = { status: 503, headers: { 'x-error-code': 'issuer_unavailable', 'retry-after': '1' } };
  it.each<[string, (issuer: LocalIssuer) => void]>([
    ['has the metadata of another issuer', (issuer) => (issuer.metadata = { issuer: `${issuer.url}/` })],
    ['has keys at an address without encryption', (issuer) => (issuer.metadata = { jwks_uri: 'http://example.com/' })],
    ['has keys at a link-local address', (issuer) => (issuer.metadata = { jwks_uri: 'https://169.254.169.254/' })],
    ['sends an oversized response', (issuer) => (issuer.metadata = { padding: 'x'.repeat(1_100_000) })],
    ['does not respond', (issuer) => (issuer.fault = () => undefined)],
    ['fails', (issuer) => (issuer.fault = (_, response) => response.writeHead(500).end('{}'))],
    ['sends no JSON', (issuer) => (issuer.fault = (_, response) => response.end('<html>'))],
    [
      'redirects elsewhere',
      (issuer) => {
        const location = `${issuer.url}/elsewhere`;
        issuer.fault = (_, response) => response.writeHead(302, { location }).end();
      },
    ],
  ])('that %s makes exchanges fail with 503 until it is repaired', async (_, breakIt) => {
    const issuer = await LocalIssuer.start();
    const ownCore = await coreFor([issuer]);
    try {
      const { id } = await trusted(await ownCore.organization(), { issuer: issuer.url });
      breakIt(issuer);
      expect(await exchange(issuer.token(GITHUB), { service_account: id }, ownCore)).toMatchObject(UNAVAILABLE);

      Object.assign(issuer, { fault: null, metadata: {} });
      expect((await exchange(issuer.token(GITHUB), { service_account: id }, ownCore)).status).toBe(200);
    } finally {
      await Promise.all([ownCore.close(), issuer.close()]);
    }
  });

  it('with a private address is not contacted unless the operator allows it', async () => {
    const ownCore = await coreFor([github], { STRATA_PRIVATE_ISSUERS: 'false' });
    try {
      const before = github.requests.length;
      expect(await exchange(github.token(GITHUB), {}, ownCore)).toMatchObject(UNAVAILABLE);
      expect(github.requests).toHaveLength(before);
    } finally {
      await ownCore.close();
    }
  });
});
