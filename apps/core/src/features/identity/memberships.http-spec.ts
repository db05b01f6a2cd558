import { randomUUID } from 'node:crypto';
import type { Membership, Page, User } from '@strata/contract';
import { ROLES, type Role } from '@strata/domain';
import { type Reply, type RunningCore, sharedCore } from '@strata/testkit';
import { createPerson } from '../../testing/people.ts';
import { query } from '../../testing/query.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

const rank = (role: Role) => ROLES.indexOf(role);
const revision = ({ headers }: Reply) => Number(headers['x-revision']);

describe('memberships', () => {
  it('can be listed, filtered, and found by id', async () => {
    const organization = await core.organization();
    const member = await createPerson(core, organization.id, 'CONTRIB');
    const viewer = organization.as('VIEWER');

    const all = await viewer.get<Page<Membership>>('memberships/');
    const contributors = await viewer.get<Page<Membership>>('memberships/?role=CONTRIB');
    const byLink = await viewer.get<Page<Membership>>(`memberships/?user=https://x/api/v1/users/${member.id}/`);
    const byId = await viewer.get<Page<Membership>>(`memberships/?user=${member.id}&id__in=${member.membershipId}`);
    const membership = await viewer.get<Membership>(`memberships/${member.membershipId}/`);

    expect(all.body.count).toBe(3);
    expect(contributors.body.results.map(({ id }) => id)).toEqual([member.membershipId]);
    expect(byLink.body).toEqual(byId.body);
    expect(membership.body).toEqual(byId.body.results[0]);
    expect(membership.body).toMatchObject({
      user: `${core.origin}/api/v1/users/${member.id}/`,
      organization: `${core.origin}/api/v1/organizations/${organization.id}/`,
      role: 'CONTRIB',
    });
    expect(revision(membership)).toBeGreaterThan(0);
    expect(
      (await viewer.get(`memberships/${member.membershipId}/`, { 'if-none-match': membership.headers.etag ?? '' }))
        .status,
    ).toBe(304);
  });

  it.each(['role=viewer', 'role=ROOT', 'id__in=x'])('cannot be filtered by %s', async (query) => {
    const organization = await core.organization();
    expect((await organization.owner.get(`memberships/?${query}`)).status).toBe(400);
  });

  it('are an empty list if they are filtered by an unknown member', async () => {
    const organization = await core.organization();
    for (const user of ['nobody', 'users/%2500/', '%F0%9F%92%A5']) {
      expect(await organization.owner.get(`memberships/?user=${user}`)).toMatchObject({
        status: 200,
        body: { count: 0 },
      });
    }
  });

  it('can be created for a person who shares another organization with the caller', async () => {
    const [first, second] = [await core.organization(), await core.organization()];
    const registered = await createPerson(core, first.id, 'VIEWER');

    const membership = await second.owner.post<Membership>('memberships/', {
      user: `${core.origin}/api/v1/users/${registered.id}/`,
      role: 'CONTRIB',
    });
    const repeatedResponse = await second.owner.post('memberships/', { user: registered.id, role: 'VIEWER' });
    const { body } = await second.owner.get<User>(`users/${registered.id}/`);

    expect(membership).toMatchObject({
      status: 201,
      headers: { location: membership.body.url },
      body: { role: 'CONTRIB' },
    });
    expect(membership.body.created_at).toBe(membership.body.modified_at);
    expect(repeatedResponse).toMatchObject({ status: 400, body: { user: [expect.any(String)] } });
    expect(body).toMatchObject({ id: registered.id, role: 'CONTRIB', organization_name: second.name });
  });

  it('cannot be created for others: unknown people and service accounts return the same error as ids that do not exist', async () => {
    const [mine, otherOrganization] = [await core.organization(), await core.organization()];
    const caller = await createPerson(core, mine.id, 'OWNER');
    const outsider = await createPerson(core, otherOrganization.id, 'VIEWER');
    const service = await otherOrganization.as('VIEWER').get<User>('users/current/');

    const responses = [
      await caller.client.post('memberships/', { user: outsider.id, role: 'VIEWER' }),
      await mine.owner.post('memberships/', { user: service.body.url, role: 'VIEWER' }),
      await caller.client.post('memberships/', { user: randomUUID(), role: 'VIEWER' }),
      await caller.client.post('memberships/', { user: 'users/%00/', role: 'VIEWER' }),
    ];

    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(responses[0]).toMatchObject({ status: 400, body: { user: [expect.any(String)] } });
  });

  it('change their role immediately; a change creates a revision only if the role differs', async () => {
    const organization = await core.organization();
    const member = await createPerson(core, organization.id, 'VIEWER');
    const path = `memberships/${member.membershipId}/`;
    expect((await member.client.post('environments/', { name: 'early' })).status).toBe(403);

    const changeResponse = await organization.owner.patch<Membership>(path, { role: 'CONTRIB' });
    const same = await organization.owner.put<Membership>(path, { role: 'CONTRIB', user: 'ignored' });
    const nothing = await organization.owner.patch<Membership>(path, {});

    expect(changeResponse).toMatchObject({ status: 200, body: { role: 'CONTRIB' } });
    expect((await member.client.post('environments/', { name: 'now' })).status).toBe(201);
    expect([same.body, nothing.body]).toEqual([changeResponse.body, changeResponse.body]);
    expect(revision(same)).toBe(revision(changeResponse));
    expect(await organization.owner.put(path, {})).toMatchObject({ status: 400, body: { role: [expect.any(String)] } });
    expect((await organization.owner.patch(path, { role: 'owner' })).status).toBe(400);
  });

  it('reject a change with a stale precondition', async () => {
    const organization = await core.organization();
    const { membershipId } = await createPerson(core, organization.id, 'VIEWER');
    const path = `memberships/${membershipId}/`;
    const { headers } = await organization.owner.get(path);
    const ifMatch = { 'if-match': headers.etag ?? '' };

    expect((await organization.owner.patch(path, { role: 'CONTRIB' }, ifMatch)).status).toBe(200);
    expect((await organization.owner.patch(path, { role: 'VIEWER' }, ifMatch)).status).toBe(412);
    expect((await organization.owner.delete(path, undefined, ifMatch)).status).toBe(412);
  });

  it('end immediately; the person is deleted with their last membership', async () => {
    const [first, second] = [await core.organization(), await core.organization()];
    const member = await createPerson(core, first.id, 'VIEWER');
    await second.owner.post('memberships/', { user: member.id, role: 'VIEWER' });
    expect((await member.client.get('users/current/')).status).toBe(200);

    expect((await first.owner.delete(`memberships/${member.membershipId}/`)).status).toBe(204);
    expect((await member.client.get('users/current/')).status).toBe(403);
    expect((await first.owner.get(`users/${member.id}/`)).status).toBe(404);
    expect((await second.owner.get(`users/${member.id}/`)).status).toBe(200);

    const { body } = await second.owner.get<Page<Membership>>(`memberships/?user=${member.id}`);
    expect((await second.owner.delete(`${body.results[0]?.url}`)).status).toBe(204);
    expect(await query(core, 'select 1 from person where id = $1', [member.id])).toEqual([]);
  });

  it('are recorded in the ledger and raise no event', async () => {
    const organization = await core.organization();
    const { membershipId } = await createPerson(core, organization.id, 'VIEWER');
    await organization.owner.patch(`memberships/${membershipId}/`, { role: 'CONTRIB' });
    await organization.owner.delete(`memberships/${membershipId}/`);

    const changes = await query(
      core,
      'select action, object_type, object_name, event_type from change where object_id = $1 order by revision',
      [membershipId],
    );

    expect(changes).toEqual(
      ['update', 'delete'].map((action) => ({
        action,
        object_type: 'Membership',
        object_name: 'VIEWER person',
        event_type: null,
      })),
    );
  });
});

describe('the last owner', () => {
  it('cannot be demoted or removed', async () => {
    const organization = await core.organization();
    const { body } = await organization.owner.get<User>('users/current/');
    const path = `memberships/${body.membership_id}/`;

    for (const response of [
      await organization.owner.patch(path, { role: 'ADMIN' }),
      await organization.as('OWNER').put(path, { role: 'VIEWER' }),
      await organization.owner.delete(path),
      await organization.owner.delete(body.url),
    ]) {
      expect(response).toMatchObject({
        status: 400,
        body: { detail: expect.any(String) },
        headers: { 'x-error-code': 'last_owner' },
      });
    }
    expect((await organization.owner.get<User>('users/current/')).body.role).toBe('OWNER');
  });

  it('can leave if there is another owner, but both cannot leave at the same moment', async () => {
    const organization = await core.organization();
    const owners = [
      await createPerson(core, organization.id, 'OWNER'),
      await createPerson(core, organization.id, 'OWNER'),
    ];
    const { body } = await organization.owner.get<User>('users/current/');
    expect((await organization.owner.delete(body.url)).status).toBe(204);

    const statuses = await Promise.all(
      owners.map(async ({ client, id }) => (await client.delete(`users/${id}/`)).status),
    );

    expect(statuses.sort()).toEqual([204, 400]);
  });
});

describe('permissions on memberships', () => {
  it.each(ROLES)('let a %s change roles up to their own, if they are at least ADMIN', async (role) => {
    const organization = await core.organization();
    for (const before of ROLES) {
      for (const after of ROLES) {
        const { membershipId } = await createPerson(core, organization.id, before);
        const { status } = await organization.as(role).patch(`memberships/${membershipId}/`, { role: after });
        const may = rank(role) >= rank('ADMIN') && rank(role) >= rank(before) && rank(role) >= rank(after);
        expect([role, before, after, status]).toEqual([role, before, after, may ? 200 : 403]);
      }
    }
  });

  it.each(ROLES)('let a %s remove members up to their own role, if they are at least ADMIN', async (role) => {
    const organization = await core.organization();
    for (const theirs of ROLES) {
      const { membershipId } = await createPerson(core, organization.id, theirs);
      const { status } = await organization.as(role).delete(`memberships/${membershipId}/`);
      const may = rank(role) >= rank('ADMIN') && rank(role) >= rank(theirs);
      expect([role, theirs, status]).toEqual([role, theirs, may ? 204 : 403]);
    }
  });

  it.each(ROLES)('let a %s add people with roles up to their own, if they are at least ADMIN', async (role) => {
    const [mine, otherOrganization] = [await core.organization(), await core.organization()];
    const caller = await createPerson(core, mine.id, role);
    await otherOrganization.owner.post('memberships/', { user: caller.id, role: 'VIEWER' });
    for (const newRole of ROLES) {
      const registered = await createPerson(core, otherOrganization.id, 'VIEWER');
      const { status } = await caller.client.post('memberships/', { user: registered.id, role: newRole });
      const may = rank(role) >= rank('ADMIN') && rank(role) >= rank(newRole);
      expect([role, newRole, status]).toEqual([role, newRole, may ? 201 : 403]);
    }
  });

  it.each(ROLES)('let a %s leave', async (role) => {
    const organization = await core.organization();
    const { client, membershipId } = await createPerson(core, organization.id, role);

    expect((await client.delete(`memberships/${membershipId}/`)).status).toBe(204);
  });
});
