import type { AuditTrail, Page, TrustRule } from '@strata/contract';
import { ROLES, type Role } from '@strata/domain';
import { RawClient, type RunningCore, sharedCore } from '@strata/testkit';
import { serviceAccount } from '../../testing/service-accounts.ts';
import { raiseAsEarlierRelease } from '../../testing/workloads.ts';

/** The issuer that the shared core accepts. */
const ISSUER = 'https://workloads.example';
const RULE = {
  issuer: ISSUER,
  audience: 'strata',
  subject: 'system:serviceaccount:prod:app',
  claims: { environment: 'prod' },
};

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

describe('trust rules', () => {
  it('are created, listed in the order of their creation, and deleted', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const path = `${(await serviceAccount(organization)).url}trust-rules/`;
    const rule = await owner.post<TrustRule>(path, RULE);
    const otherRule = await owner.post<TrustRule>(path, {
      ...RULE,
      subject: 'system:serviceaccount:prod:*',
      claims: {},
    });

    expect(rule).toMatchObject({ status: 201, body: { ...RULE, last_used_at: null } });
    expect((await owner.get<Page<TrustRule>>(path)).body).toEqual({
      count: 2,
      next: null,
      previous: null,
      results: [rule.body, otherRule.body],
    });
    expect((await owner.get<Page<TrustRule>>(`${path}?page_size=1&page=2`)).body).toMatchObject({
      next: null,
      results: [otherRule.body],
    });
    expect((await owner.delete(`${path}${rule.body.id}/`)).status).toBe(204);
    expect((await owner.delete(`${path}${rule.body.id}/`)).status).toBe(404);
    expect((await owner.get<Page<TrustRule>>(path)).body.results).toEqual([otherRule.body]);
  });

  it('are recorded as changes of their service account', async () => {
    const organization = await core.organization();
    const account = await serviceAccount(organization);
    const { owner } = organization;
    const { body } = await owner.post<TrustRule>(`${account.url}trust-rules/`, RULE);
    await owner.delete(`${account.url}trust-rules/${body.id}/`);

    const { body: audit } = await owner.get<Page<AuditTrail>>('audit/?object_type=ServiceAccount&action=update');
    expect(audit.results.map(({ object_id: id }) => id)).toEqual([account.id, account.id]);
    expect(JSON.stringify(audit)).not.toContain('system:serviceaccount');
  });

  it.each([
    ['another issuer', { issuer: 'https://evil.example' }, 'issuer'],
    ['an issuer with another ending', { issuer: `${ISSUER}/` }, 'issuer'],
    ['no audience', { audience: '' }, 'audience'],
    ['any audience', { audience: '*' }, 'audience'],
    ['any subject', { subject: '*' }, 'subject'],
    ['a subject that is too long', { subject: 'x'.repeat(257) }, 'subject'],
    ['nine claims', { claims: Object.fromEntries([...'abcdefghi'].map((name) => [name, 'x'])) }, 'claims'],
    ['a claim that is not a text', { claims: { project_id: 7 } }, 'claims'],
    ['a null character', { subject: 'a\u0000b' }, 'subject'],
    ['a subject of every group of GitLab', { subject: 'project_path:*/app:ref_type:branch:ref:main' }, 'claims'],
  ])('cannot be created with %s', async (_, otherMembers, field) => {
    const organization = await core.organization();
    const account = await serviceAccount(organization);

    const response = await organization.owner.post(`${account.url}trust-rules/`, { ...RULE, ...otherMembers });

    expect(response.status).toBe(400);
    expect(Object.keys(response.body as object)).toEqual([field]);
  });

  it('cannot be created with an unknown issuer, and the error lists those that are allowed', async () => {
    const organization = await core.organization();
    const account = await serviceAccount(organization);
    const input = { ...RULE, issuer: 'https://evil.example' };

    const accept = { accept: 'application/problem+json' };
    const { body } = await organization.owner.post(`${account.url}trust-rules/`, input, accept);

    expect(body).toMatchObject({ code: 'invalid', pointer: '/issuer', params: { choices: [ISSUER] } });
  });

  it('are at most twenty for one service account', async () => {
    const organization = await core.organization();
    const account = await serviceAccount(organization);
    const path = `${account.url}trust-rules/`;
    for (let count = 0; count < 20; count += 1) await organization.owner.post(path, RULE);

    expect(await organization.owner.post(path, RULE)).toMatchObject({
      status: 400,
      headers: { 'x-error-code': 'too_many_trust_rules' },
    });
    expect((await organization.owner.get<Page<TrustRule>>(path)).body.count).toBe(20);
  });

  it.each(['ADMIN', 'OWNER'])('cannot be created for a service account with the role %s', async (role) => {
    const organization = await core.organization();
    const account = await serviceAccount(organization, { role });

    expect(await organization.owner.post(`${account.url}trust-rules/`, RULE)).toMatchObject({
      status: 400,
      headers: { 'x-error-code': 'role_too_high' },
      body: { non_field_errors: [expect.stringContaining('CONTRIB')] },
    });
  });
});

describe('permissions on trust rules', () => {
  const rank = (role: Role) => ROLES.indexOf(role);

  it.each(ROLES)('let a %s change those of accounts of others if they are at least ADMIN', async (role) => {
    const organization = await core.organization();
    const account = await serviceAccount(organization, { role: 'VIEWER' });
    const path = `${account.url}trust-rules/`;
    const { body } = await organization.owner.post<TrustRule>(path, RULE);
    const client = organization.as(role);

    const statuses = [(await client.post(path, RULE)).status, (await client.delete(`${path}${body.id}/`)).status];

    expect([role, ...statuses]).toEqual([role, ...(rank(role) >= rank('ADMIN') ? [201, 204] : [403, 403])]);
    expect((await client.get(path)).status).toBe(200);
  });

  it('let a CONTRIB change those of their own accounts until an account gets a higher role', async () => {
    const organization = await core.organization();
    const account = await serviceAccount(organization, { role: 'CONTRIB' }, 'CONTRIB');
    const path = `${account.url}trust-rules/`;
    const { body } = await organization.as('CONTRIB').post<TrustRule>(path, RULE);
    await raiseAsEarlierRelease(core, organization, account, 'ADMIN');

    expect(await organization.as('CONTRIB').delete(`${path}${body.id}/`)).toMatchObject({
      status: 403,
      headers: { 'x-error-code': 'role_above_own' },
    });
    expect((await organization.owner.delete(`${path}${body.id}/`)).status).toBe(204);
  });

  it('do not extend to other organizations, other accounts and callers without a credential', async () => {
    const [organization, otherOrganization] = [await core.organization(), await core.organization()];
    const [account, otherAccount] = [await serviceAccount(organization), await serviceAccount(organization)];
    const path = `${account.url}trust-rules/`;
    const { body } = await organization.owner.post<TrustRule>(path, RULE);

    expect((await otherOrganization.owner.get(path)).status).toBe(404);
    expect((await otherOrganization.owner.post(path, RULE)).status).toBe(404);
    expect((await otherOrganization.owner.delete(`${path}${body.id}/`)).status).toBe(404);
    expect((await organization.owner.delete(`${otherAccount.url}trust-rules/${body.id}/`)).status).toBe(404);
    expect((await new RawClient(core.origin, null).get(path)).status).toBe(401);
    expect((await organization.owner.get<Page<TrustRule>>(path)).body.count).toBe(1);
  });
});
