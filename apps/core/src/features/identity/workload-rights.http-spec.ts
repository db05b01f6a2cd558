import { type CallerAbilities, OPERATIONS, type Organization, type Project, type User } from '@strata/contract';
import { roleIncludes } from '@strata/domain';
import { LocalIssuer, type OwnCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { startSecondCore } from '../../testing/core-in-process.ts';
import { query } from '../../testing/query.ts';
import { serviceAccount } from '../../testing/service-accounts.ts';
import {
  clientWithAccessToken,
  clientWithKey,
  createTrustedAccount,
  exchangeToken,
  GITHUB,
  raiseAsEarlierRelease,
} from '../../testing/workloads.ts';

const NOWHERE = '00000000-0000-4000-8000-000000000000';

let issuer: LocalIssuer;
let core: OwnCore;
beforeAll(async () => {
  issuer = await LocalIssuer.start('/_services/token');
  const settings = { STRATA_WORKLOAD_ISSUERS: issuer.url, STRATA_PRIVATE_ISSUERS: 'true' };
  core = await startSecondCore(await sharedCore(), settings);
});
afterAll(async () => {
  await core?.close();
  await issuer?.close();
});

/** An account of the role CONTRIB with sessions from before and after an earlier release raised it to OWNER. */
async function raisedAccount(organization: TestOrganization) {
  const account = await createTrustedAccount(organization, issuer);
  const startSession = async () =>
    clientWithAccessToken(core, await exchangeToken(core, issuer.token(GITHUB), { service_account: account.id }));
  const before = await startSession();
  expect(await before.get<User>('users/current/')).toMatchObject({ status: 200, body: { role: 'CONTRIB' } });
  await raiseAsEarlierRelease(core, organization, account, 'OWNER');
  const byKey = await clientWithKey(core, account).get<CallerAbilities>('users/current/abilities/');
  expect(byKey.body.abilities).toContain('change_organization');
  return { account, sessions: [before, await startSession()] };
}

const DENIED = { status: 403, headers: { 'x-error-code': 'forbidden' } };

describe('a workload whose account an earlier release raised to OWNER', () => {
  const aboveContrib = OPERATIONS.filter(
    ({ requires }) => requires !== 'nothing' && !roleIncludes('CONTRIB', requires),
  );

  it('is denied every operation that requires ADMIN or OWNER, also with a session from before', async () => {
    const organization = await core.organization();
    const { sessions } = await raisedAccount(organization);

    for (const client of sessions) {
      for (const { id, method, path, body } of aboveContrib) {
        const target = path.replace('/organizations/{id}/', `/organizations/${organization.id}/`);
        const response = await client.send(method.toUpperCase(), target.replace(/\{\w+\}/g, NOWHERE), {
          body: body ? {} : undefined,
        });
        expect([id, response.status]).toEqual([id, 403]);
      }
    }
    expect(aboveContrib.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['organizations_partial_update', 'organizations_destroy', 'memberships_update']),
    );
  });

  it('cannot change or delete the organization', async () => {
    const organization = await core.organization();
    const { account, sessions } = await raisedAccount(organization);
    const path = `organizations/${organization.id}/`;

    for (const client of sessions) {
      expect(await client.patch(path, { name: 'taken over' })).toMatchObject(DENIED);
      expect(await client.put(path, { name: 'taken over' })).toMatchObject(DENIED);
      expect(await client.delete(path)).toMatchObject(DENIED);
      expect(await client.put(`${path}sign-in/`, { sso_only: false })).toMatchObject(DENIED);
    }
    expect((await organization.owner.get<Organization>(path)).body.name).toBe(organization.name);
    expect((await clientWithKey(core, account).patch(path, { name: 'by the key' })).status).toBe(200);
  });

  it('cannot remove members, its account or restrictions, nor give roles', async () => {
    const organization = await core.organization();
    const { account, sessions } = await raisedAccount(organization);
    const member = await serviceAccount(organization, { role: 'VIEWER' });
    const open = await organization.project();
    const environment = await organization.environment();
    const restricted = await organization.project();
    const { owner } = organization;
    await owner.patch(restricted.url, { access_controlled: true });
    const grant = { principal: member.user.url, scope: restricted.url, role: 'VIEWER' };
    const { body: granted } = await owner.post<{ url: string }>('grants/', grant);
    const raise = {
      operation: 'memberships_partial_update',
      path: { id: account.user.membership_id },
      body: { role: 'ADMIN' },
    };

    for (const client of sessions) {
      const statuses = {
        member: await client.delete(`memberships/${member.user.membership_id}/`),
        ownMembership: await client.delete(`memberships/${account.user.membership_id}/`),
        ownUser: await client.delete(`users/${account.id}/`),
        account: await client.delete(account.url),
        ownAccess: await client.patch(open.url, { access_controlled: true }),
        ofEnvironment: await client.patch(environment.url, { access_controlled: true }),
        contents: await client.get(`${restricted.url}parameters/`),
        release: await client.patch(restricted.url, { access_controlled: false }),
        scope: await client.delete(restricted.url),
        newGrant: await client.post('grants/', { ...grant, principal: account.user.url }),
        firstGrant: await client.post('grants/', { ...grant, scope: open.url, role: 'OWNER' }),
        changedGrant: await client.patch(granted.url, { role: 'OWNER' }),
        removedGrant: await client.delete(granted.url),
        removedGrants: await client.delete(`grants/multi/?scope=${restricted.url}`),
        changeset: await client.post('changesets/', { operations: [raise] }),
        organization: await client.post('organizations/', { name: 'another' }),
      };
      for (const [name, { status }] of Object.entries(statuses)) expect([name, status]).toEqual([name, 403]);
    }
    expect((await owner.get(account.url)).status).toBe(200);
  });

  it('sees the role that it acts with, and not the stored one', async () => {
    const organization = await core.organization();
    const { account, sessions } = await raisedAccount(organization);
    const project = await organization.project();
    await organization.owner.patch(project.url, { access_controlled: true });
    await organization.owner.post('grants/', { principal: account.user.url, scope: project.url, role: 'OWNER' });

    for (const client of sessions) {
      expect((await client.get<User>('users/current/')).body.role).toBe('CONTRIB');
      expect((await client.get<CallerAbilities>('users/current/abilities/')).body.role).toBe('CONTRIB');
      expect((await client.get<Organization>(`organizations/${organization.id}/`)).body.role).toBe('CONTRIB');
      expect((await client.get<Project>(project.url)).body.role).toBe('CONTRIB');
    }
    const byKey = clientWithKey(core, account);
    expect((await byKey.get<User>('users/current/')).body.role).toBe('OWNER');
    expect((await byKey.get<Organization>(`organizations/${organization.id}/`)).body.role).toBe('OWNER');
    expect((await byKey.get<Project>(project.url)).body.role).toBe('OWNER');
  });
});

it('a member of a group by a claim sees the role that the grant of the group gives them', async () => {
  const organization = await core.organization();
  const account = await serviceAccount(organization, { role: 'VIEWER' });
  const project = await organization.project();
  const { owner } = organization;
  await owner.patch(project.url, { access_controlled: true });
  const { body: group } = await owner.post<{ id: string; url: string }>('groups/', {
    name: 'owners',
    users: [account.user.url],
  });
  await owner.post('grants/', { principal: group.url, scope: project.url, role: 'OWNER' });
  await query(core, 'update group_member set from_claim = true where group_id = $1', [group.id]);

  const client = clientWithKey(core, account);

  expect((await client.get<Project>(project.url)).body.role).toBe('ADMIN');
  expect((await client.patch(project.url, { access_controlled: false })).status).toBe(403);
});

it('an account that is limited to other projects has no role on a project, whatever it was granted', async () => {
  const organization = await core.organization();
  const [inside, outside] = [await organization.project(), await organization.project()];
  const account = await serviceAccount(organization, { role: 'VIEWER', only_projects: [inside.url] });
  await organization.owner.patch(outside.url, { access_controlled: true });
  await organization.owner.post('grants/', { principal: account.user.url, scope: outside.url, role: 'CONTRIB' });

  const client = clientWithKey(core, account);

  expect((await client.get<Project>(outside.url)).body.role).toBeNull();
  expect((await client.get(`${outside.url}parameters/`)).status).toBe(403);
});

describe('an account with trust rules', () => {
  it.each(['ADMIN', 'OWNER'])('cannot be raised to %s until they are deleted', async (role) => {
    const organization = await core.organization();
    const account = await createTrustedAccount(organization, issuer);
    const { owner } = organization;
    const path = `memberships/${account.user.membership_id}/`;
    const { user } = (await owner.get<{ user: string }>(path)).body;
    const changed = {
      operation: 'memberships_partial_update',
      path: { id: account.user.membership_id },
      body: { role },
    };
    const REJECTED = {
      status: 400,
      headers: { 'x-error-code': 'role_too_high' },
      body: { role: [expect.stringContaining('Delete its trust rules first')] },
    };

    expect(await owner.patch(path, { role })).toMatchObject(REJECTED);
    expect(await owner.put(path, { user, role })).toMatchObject(REJECTED);
    expect((await owner.post('changesets/', { operations: [changed] })).text).toContain('Delete its trust rules first');
    expect((await owner.patch(path, { role: 'VIEWER' })).status).toBe(200);
    expect((await owner.get<User>(`users/${account.id}/`)).body.role).toBe('VIEWER');

    const { body: rules } = await owner.get<{ results: { id: string }[] }>(`${account.url}trust-rules/`);
    await owner.delete(`${account.url}trust-rules/${rules.results[0]?.id}/`);
    expect(await owner.patch(path, { role })).toMatchObject({ status: 200, body: { role } });
  });

  it('can be lowered if an earlier release raised it', async () => {
    const organization = await core.organization();
    const account = await createTrustedAccount(organization, issuer);
    await raiseAsEarlierRelease(core, organization, account, 'OWNER');
    const path = `memberships/${account.user.membership_id}/`;

    expect((await organization.owner.patch(path, { role: 'ADMIN' })).status).toBe(200);
    expect((await organization.owner.patch(path, { role: 'OWNER' })).status).toBe(400);
    expect((await organization.owner.patch(path, { role: 'CONTRIB' })).status).toBe(200);
  });
});
