import type { AuditSummary, AuditTrail, Grant, InvitationCreated, Page, ServiceAccountCreated } from '@strata/contract';
import { RawClient, type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

/** Oldest first. */
async function recorded(house: TestOrganization, filter: string): Promise<string[]> {
  const { body } = await house.owner.get<Page<AuditTrail>>(`audit/?${filter}`);
  return body.results.map(({ action, object_type: type, object_name: name }) => `${action} ${type} ${name}`).reverse();
}

describe('the audit of people and rights', () => {
  it('has every grant that is made, changed and removed, found by its project or environment', async () => {
    const house = await core.organization();
    const project = await house.project();
    const { body: account } = await house.owner.post<ServiceAccountCreated>('serviceaccounts/', { name: 'bot' });
    await house.owner.patch(project.url, { access_controlled: true });
    const wish = { principal: account.user.url, scope: project.url, role: 'VIEWER' };
    const { body: grant } = await house.owner.post<Grant>('grants/', wish);
    await house.owner.patch(grant.url, { role: 'CONTRIB' });
    await house.owner.patch(grant.url, { role: 'CONTRIB' });
    await house.owner.delete(grant.url);
    await house.owner.delete(project.url);

    expect(await recorded(house, `project_id=${project.id}`)).toEqual([
      `create Project ${project.name}`,
      'create Grant Owner',
      `update Project ${project.name}`,
      'create Grant bot',
      'update Grant bot',
      'delete Grant bot',
      'delete Grant Owner',
      `delete Project ${project.name}`,
    ]);
  });

  it('has a service account, its membership, its grants and the invitations it sent, to their end', async () => {
    const house = await core.organization();
    const environment = await house.environment();
    const { body: account } = await house.owner.post<ServiceAccountCreated>('serviceaccounts/', {
      name: 'bot',
      role: 'ADMIN',
    });
    const bot = new RawClient(core.origin, `Api-Key ${account.apikey}`);
    await bot.patch(environment.url, { access_controlled: true });
    const { body: invitation } = await bot.post<InvitationCreated>('invitations/', {
      email: 'a@example.com',
      role: 'VIEWER',
    });
    await house.owner.delete(account.url);

    expect(await recorded(house, 'action=delete')).toEqual([
      'delete Grant bot',
      `delete Invitation ${invitation.email}`,
      'delete ServiceAccount bot',
      'delete Membership bot',
    ]);
    expect(await recorded(house, 'object_type=Grant')).toEqual([
      'create Grant bot',
      'delete Grant bot',
      'create Grant Owner',
    ]);
  });

  it('tells of a controlled scope to those with access only', async () => {
    const house = await core.organization();
    const project = await house.project();
    await house.owner.patch(project.url, { access_controlled: true });
    const seen = async (role: 'ADMIN' | 'CONTRIB') =>
      (await house.as(role).get<Page<AuditTrail>>(`audit/?project_id=${project.id}`)).body.count;
    expect([await seen('ADMIN'), await seen('CONTRIB')]).toEqual([3, 0]);
    const total = async (role: 'ADMIN' | 'CONTRIB') =>
      (await house.as(role).get<AuditSummary>('audit/summary/')).body.total;
    expect((await total('ADMIN')) - (await total('CONTRIB'))).toBe(3);
  });

  it('tells an OWNER grant that an heir gets from a grant that is raised to it', async () => {
    const house = await core.organization();
    const [fresh, known] = [await house.project(), await house.project()];
    const { body: account } = await house.owner.post<ServiceAccountCreated>('serviceaccounts/', { name: 'bot' });
    const heir = (await house.owner.get<{ url: string }>('users/current/')).body.url;
    for (const scope of [fresh.url, known.url]) {
      await house.owner.post('grants/', { principal: account.user.url, scope, role: 'OWNER' });
    }
    await house.owner.post('grants/', { principal: heir, scope: known.url, role: 'VIEWER' });
    await house.owner.delete(account.url);

    const told = (project: { id: string }) => recorded(house, `object_type=Grant&project_id=${project.id}`);
    expect(await told(fresh)).toEqual(['create Grant bot', 'delete Grant bot', 'create Grant Owner']);
    expect(await told(known)).toEqual([
      'create Grant bot',
      'create Grant Owner',
      'delete Grant bot',
      'update Grant Owner',
    ]);
    const { results } = (await house.owner.get<Page<Grant>>(`grants/?scope=${known.id}`)).body;
    expect(results).toMatchObject([{ principal: heir, role: 'OWNER' }]);
  });

  it('has the organization and its name', async () => {
    const house = await core.organization();
    await house.owner.patch(`organizations/${house.id}/`, { name: 'Renamed' });
    expect(await recorded(house, 'object_type=Organization')).toEqual(['update Organization Renamed']);
  });
});
