import { randomUUID } from 'node:crypto';
import type { Invitation, InvitationCreated, Membership, Page, ServiceAccountCreated } from '@strata/contract';
import { ROLES, type Role } from '@strata/domain';
import {
  RawClient as Client,
  type RawClient,
  type RunningCore,
  sharedCore,
  type TestOrganization,
} from '@strata/testkit';
import { createPerson, type Person } from '../../testing/people.ts';
import { query } from '../../testing/query.ts';

let core: RunningCore;
let organization: TestOrganization;
beforeAll(async () => {
  core = await sharedCore();
});
beforeEach(async () => {
  organization = await core.organization();
});

const invite = (client: RawClient, role: Role, more: object = {}) =>
  client.post<InvitationCreated>('invitations/', { email: `${randomUUID()}@example.com`, role, ...more });

/** Returns whether the person who accepts an invitation has the ability. */
async function joins(role: Role, more: object = {}): Promise<boolean | undefined> {
  const { body } = await invite(organization.owner, role, more);
  const join = { token: body.token, password: 'correct horse battery', name: 'Nora' };
  const accepted = await new Client(core.origin, null).post<Invitation>(`invitations/${body.id}/accept/`, join);
  const { reveals_secrets: reveals } = (await organization.owner.get<Membership>(accepted.body.membership ?? '')).body;
  expect(body.reveals_secrets).toBe(reveals);
  return reveals;
}

/** Returns whether a person of another organization has the ability after the owner has added them. */
async function isAdded(role: Role, more: object = {}): Promise<boolean | undefined> {
  const otherOrganization = await core.organization();
  const { id } = await createPerson(core, otherOrganization.id, 'CONTRIB');
  const { body: users } = await organization.owner.get<Page<{ id: string }>>('users/?type=interactive');
  await query(
    core,
    `insert into membership (organization_id, id, person_id, role) values ($1, gen_random_uuid(), $2, 'OWNER')`,
    [otherOrganization.id, users.results[0]?.id],
  );
  return (await organization.owner.post<Membership>('memberships/', { user: id, role, ...more })).body.reveals_secrets;
}

const setViewersReveal = (client: RawClient, value: boolean) =>
  client.patch(`organizations/${organization.id}/`, { viewers_reveal_secrets: value });

/** Creates an ADMIN without the ability. */
async function withoutReveal(): Promise<Person> {
  const administrator = await createPerson(core, organization.id, 'ADMIN');
  await organization.owner.patch(`memberships/${administrator.membershipId}/`, { reveals_secrets: false });
  return administrator;
}

describe('in a new organization', () => {
  it.each(ROLES)('a person who joins as %s may reveal secrets, except as VIEWER', async (role) => {
    expect([await joins(role), await isAdded(role)]).toEqual([role !== 'VIEWER', role !== 'VIEWER']);
  });

  it.each([true, false])('the request that adds a person sets the ability to %s', async (requested) => {
    const more = { reveals_secrets: requested };
    for (const role of ['VIEWER', 'CONTRIB'] as const) {
      expect([await joins(role, more), await isAdded(role, more)]).toEqual([requested, requested]);
    }
  });

  it('a service account with the role VIEWER may reveal secrets', async () => {
    const { body } = await organization.owner.post<ServiceAccountCreated>('serviceaccounts/', { name: 'ci' });
    expect(body.reveals_secrets).toBe(true);
  });

  it('the ability does not change with the role', async () => {
    const { membershipId } = await createPerson(core, organization.id, 'CONTRIB');
    const at = `memberships/${membershipId}/`;
    expect((await organization.owner.patch(at, { role: 'VIEWER' })).body).toMatchObject({ reveals_secrets: true });
    await organization.owner.patch(at, { reveals_secrets: false });
    expect((await organization.owner.patch(at, { role: 'ADMIN' })).body).toMatchObject({ reveals_secrets: false });
  });
});

describe('an organization that existed before', () => {
  it('lets new VIEWERs reveal secrets until an owner decides otherwise', async () => {
    await query(core, 'update organization set viewers_reveal_secrets = default where id = $1', [organization.id]);
    expect(await joins('VIEWER')).toBe(true);
    expect((await setViewersReveal(organization.owner, false)).body).toMatchObject({ viewers_reveal_secrets: false });
    expect(await joins('VIEWER')).toBe(false);
  });
});

describe('a member gains no ability', () => {
  it('by changing an own membership, one of another organization, or that of an OWNER', async () => {
    const [viewer, admin] = [
      await createPerson(core, organization.id, 'VIEWER'),
      await createPerson(core, organization.id, 'ADMIN'),
    ];
    const owner = await createPerson(core, organization.id, 'OWNER');
    const stranger = await createPerson(core, (await core.organization()).id, 'OWNER');
    await organization.owner.patch(`memberships/${viewer.membershipId}/`, { reveals_secrets: false });
    const set = async (by: Person, target: Person, reveals: boolean) =>
      (await by.client.patch(`memberships/${target.membershipId}/`, { reveals_secrets: reveals })).status;

    expect(await set(viewer, viewer, true)).toBe(403);
    expect(await set(stranger, viewer, true)).toBe(404);
    expect(await set(admin, owner, false)).toBe(403);
    expect(await set(admin, viewer, true)).toBe(200);
  });

  it('by the setting of the organization, as ADMIN or without the ability', async () => {
    const admin = await createPerson(core, organization.id, 'ADMIN');
    const owner = await createPerson(core, organization.id, 'OWNER');
    await organization.owner.patch(`memberships/${owner.membershipId}/`, { reveals_secrets: false });
    expect((await setViewersReveal(admin.client, true)).status).toBe(403);
    expect((await setViewersReveal(owner.client, true)).status).toBe(403);
    expect((await setViewersReveal(owner.client, false)).status).toBe(200);
  });

  it('by inviting a second account, or with the new token of an invitation that gives it', async () => {
    const { client } = await withoutReveal();
    const { body: byOwner } = await invite(organization.owner, 'CONTRIB');
    const { body: byMember } = await invite(client, 'CONTRIB');
    expect([byOwner.reveals_secrets, byMember.reveals_secrets]).toEqual([true, false]);

    expect((await invite(client, 'CONTRIB', { reveals_secrets: true })).status).toBe(403);
    expect((await client.post(`invitations/${byOwner.id}/resend/`, {})).status).toBe(403);
    expect((await client.patch(`invitations/${byMember.id}/`, { reveals_secrets: true })).status).toBe(403);
    expect((await client.patch(`invitations/${byOwner.id}/`, { reveals_secrets: false })).status).toBe(200);
    expect((await client.post(`invitations/${byOwner.id}/resend/`, {})).body).toMatchObject({ reveals_secrets: false });
  });

  it('with the token of an invitation that lost it meanwhile', async () => {
    const { body } = await invite(organization.owner, 'CONTRIB');
    await organization.owner.patch(`invitations/${body.id}/`, { reveals_secrets: false });
    const join = { token: body.token, password: 'correct horse battery' };
    expect((await new Client(core.origin, null).post(`invitations/${body.id}/accept/`, join)).status).toBe(404);
  });
});
