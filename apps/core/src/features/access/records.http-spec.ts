import type { AuditSummary, AuditTrail, Grant, InvitationCreated, Page, ServiceAccountCreated } from '@strata/contract';
import { RawClient, type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

/** Returns the records, oldest first. */
async function recorded(organization: TestOrganization, filter: string): Promise<string[]> {
  const { body } = await organization.owner.get<Page<AuditTrail>>(`audit/?${filter}`);
  return body.results.map(({ action, object_type: type, object_name: name }) => `${action} ${type} ${name}`).reverse();
}

describe('the audit of people and permissions', () => {
  it('records every grant that is created, changed or removed; a filter by project or environment finds it', async () => {
    const organization = await core.organization();
    const project = await organization.project();
    const { body: account } = await organization.owner.post<ServiceAccountCreated>('serviceaccounts/', { name: 'bot' });
    await organization.owner.patch(project.url, { access_controlled: true });
    const input = { principal: account.user.url, scope: project.url, role: 'VIEWER' };
    const { body: grant } = await organization.owner.post<Grant>('grants/', input);
    await organization.owner.patch(grant.url, { role: 'CONTRIB' });
    await organization.owner.patch(grant.url, { role: 'CONTRIB' });
    await organization.owner.delete(grant.url);
    await organization.owner.delete(project.url);

    expect(await recorded(organization, `project_id=${project.id}`)).toEqual([
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

  it('records a service account, its membership, its grants and the invitations that it sent, from creation to removal', async () => {
    const organization = await core.organization();
    const environment = await organization.environment();
    const { body: account } = await organization.owner.post<ServiceAccountCreated>('serviceaccounts/', {
      name: 'bot',
      role: 'ADMIN',
    });
    const bot = new RawClient(core.origin, `Api-Key ${account.apikey}`);
    await bot.patch(environment.url, { access_controlled: true });
    const { body: invitation } = await bot.post<InvitationCreated>('invitations/', {
      email: 'a@example.com',
      role: 'VIEWER',
    });
    await organization.owner.delete(account.url);

    expect(await recorded(organization, 'action=delete')).toEqual([
      'delete Grant bot',
      `delete Invitation ${invitation.email}`,
      'delete ServiceAccount bot',
      'delete Membership bot',
    ]);
    expect(await recorded(organization, 'object_type=Grant')).toEqual([
      'create Grant bot',
      'delete Grant bot',
      'create Grant Owner',
    ]);
  });

  it('shows records of a controlled scope only to callers with access', async () => {
    const organization = await core.organization();
    const project = await organization.project();
    await organization.owner.patch(project.url, { access_controlled: true });
    const seen = async (role: 'ADMIN' | 'CONTRIB') =>
      (await organization.as(role).get<Page<AuditTrail>>(`audit/?project_id=${project.id}`)).body.count;
    expect([await seen('ADMIN'), await seen('CONTRIB')]).toEqual([3, 0]);
    const total = async (role: 'ADMIN' | 'CONTRIB') =>
      (await organization.as(role).get<AuditSummary>('audit/summary/')).body.total;
    expect((await total('ADMIN')) - (await total('CONTRIB'))).toBe(3);
  });

  it('distinguishes an OWNER grant that a new owner receives from an existing grant that is raised to OWNER', async () => {
    const organization = await core.organization();
    const [fresh, controlledBefore] = [await organization.project(), await organization.project()];
    const { body: account } = await organization.owner.post<ServiceAccountCreated>('serviceaccounts/', { name: 'bot' });
    const successor = (await organization.owner.get<{ url: string }>('users/current/')).body.url;
    for (const scope of [fresh.url, controlledBefore.url]) {
      await organization.owner.post('grants/', { principal: account.user.url, scope, role: 'OWNER' });
    }
    await organization.owner.post('grants/', { principal: successor, scope: controlledBefore.url, role: 'VIEWER' });
    await organization.owner.delete(account.url);

    const listGrantRecords = (project: { id: string }) =>
      recorded(organization, `object_type=Grant&project_id=${project.id}`);
    expect(await listGrantRecords(fresh)).toEqual(['create Grant bot', 'delete Grant bot', 'create Grant Owner']);
    expect(await listGrantRecords(controlledBefore)).toEqual([
      'create Grant bot',
      'create Grant Owner',
      'delete Grant bot',
      'update Grant Owner',
    ]);
    const { results } = (await organization.owner.get<Page<Grant>>(`grants/?scope=${controlledBefore.id}`)).body;
    expect(results).toMatchObject([{ principal: successor, role: 'OWNER' }]);
  });

  it('records changes of the organization under its name', async () => {
    const organization = await core.organization();
    await organization.owner.patch(`organizations/${organization.id}/`, { name: 'Renamed' });
    expect(await recorded(organization, 'object_type=Organization')).toEqual(['update Organization Renamed']);
  });
});
