import type { Page, User } from '@strata/contract';
import { ROLES } from '@strata/domain';
import { type RunningCore, sharedCore } from '@strata/testkit';
import { createPerson } from '../../testing/people.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

describe('users', () => {
  it('are the people and service accounts of the organization', async () => {
    const organization = await core.organization();
    const member = await createPerson(core, organization.id, 'ADMIN');
    const viewer = organization.as('VIEWER');

    const all = await viewer.get<Page<User>>('users/');
    const people = await viewer.get<Page<User>>('users/?type=interactive');
    const services = await viewer.get<Page<User>>('users/?type=service');

    expect(all.body.count).toBe(3);
    expect(people.body.results.map(({ type }) => type)).toEqual(['interactive', 'interactive']);
    expect(services.body.results.map(({ role }) => role)).toEqual(['VIEWER']);
    expect(people.body.results.find(({ id }) => id === member.id)).toMatchObject({
      url: `${core.origin}/api/v1/users/${member.id}/`,
      name: 'ADMIN person',
      email: member.email,
      membership_id: member.membershipId,
      organization_name: organization.name,
      role: 'ADMIN',
    });
    expect((await viewer.get('users/?type=robot')).status).toBe(400);
  });

  it.each(ROLES)('include the caller as the current user (tested as %s)', async (role) => {
    const organization = await core.organization();
    const member = await createPerson(core, organization.id, role);

    expect(await member.client.get('users/current/')).toMatchObject({ status: 200, body: { id: member.id, role } });
    expect(await organization.as(role).get('users/current/')).toMatchObject({ body: { type: 'service', role } });
  });

  it('can have ids of an identity provider, which are escaped in links', async () => {
    const organization = await core.organization();
    const member = await createPerson(core, organization.id, 'VIEWER', 'auth0|64f0/ü c1');
    const { body } = await organization.owner.get<Page<User>>('users/?id__in=auth0%7C64f0/ü c1');
    const [user] = body.results;

    expect(user?.url).toBe(`${core.origin}/api/v1/users/auth0%7C64f0%2F%C3%BC%20c1/`);
    expect(await organization.owner.get(user?.url ?? '')).toMatchObject({ status: 200, body: { id: member.id } });
  });

  it.each(['nobody', '%00', '%20', 'current%00', '..', 'x'.repeat(257), '%F0%9F%92%A5', "'%20or%201=1"])(
    'are not found by the id %s',
    async (id) => {
      const organization = await core.organization();
      expect((await organization.owner.get(`users/${id}/`)).status).toBe(404);
      expect((await organization.owner.delete(`users/${id}/`)).status).toBe(404);
    },
  );

  it('are returned with revision and entity tag', async () => {
    const organization = await core.organization();
    const first = await organization.owner.get('users/current/');

    expect(first.headers).toMatchObject({ 'x-revision': '1', etag: expect.any(String) });
    const repeatedResponse = await organization.owner.get('users/current/', {
      'if-none-match': first.headers.etag ?? '',
    });
    expect(repeatedResponse).toMatchObject({ status: 304, text: '' });
  });

  it.each(ROLES)('can only remove themselves, even as %s', async (role) => {
    const organization = await core.organization();
    const [self, otherUser] = [
      await createPerson(core, organization.id, role),
      await createPerson(core, organization.id, 'VIEWER'),
    ];

    expect(await self.client.delete(`users/${otherUser.id}/`)).toMatchObject({
      status: 403,
      body: { detail: 'You do not have permission to perform this action.' },
    });
    expect(await self.client.delete(`users/${self.id}/`)).toMatchObject({ status: 204, text: '' });
    expect((await self.client.get('users/current/')).status).toBe(403);
  });

  it('can remove themselves if they are service accounts', async () => {
    const organization = await core.organization();
    const service = organization.as('CONTRIB');
    const { body } = await service.get<User>('users/current/');

    expect((await service.delete(body.url)).status).toBe(204);
    expect((await service.get('users/current/')).status).toBe(403);
    expect((await organization.owner.get(`serviceaccounts/${body.id}/`)).status).toBe(404);
  });
});
