import type { Environment, Grant, Page, Project, ServiceAccountCreated } from '@strata/contract';
import { RawClient, type RunningCore, sharedCore } from '@strata/testkit';
import { controlledProject, createGrant, createMember, type TestMember } from '../../testing/members.ts';
import { createPerson } from '../../testing/people.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

describe('grants', () => {
  it('accept links with any origin and return links with the origin of the request', async () => {
    const organization = await core.organization();
    const project = await organization.project();
    const grantee = await createMember(core, organization);
    const foreign = (link: string) => link.replace(core.origin, 'https://other.example');

    const createResponse = await organization.owner.post<Grant>('grants/', {
      principal: foreign(grantee.url),
      scope: foreign(project.url),
      role: 'OWNER',
    });

    expect(createResponse).toMatchObject({
      status: 201,
      body: { principal: grantee.url, scope: project.url, role: 'OWNER', created_at: createResponse.body.modified_at },
    });
    expect(createResponse.headers.location).toBe(createResponse.body.url);
    expect((await organization.owner.get(createResponse.body.url)).body).toEqual(createResponse.body);
    expect((await organization.owner.get<Page<Grant>>('grants/')).body.results).toEqual([createResponse.body]);
  });

  it('require OWNER as the first role of a scope; another first grant is rejected, and the scope stays open', async () => {
    const organization = await core.organization();
    const project = await organization.project();
    const grantee = await createMember(core, organization);

    const response = await createGrant(organization, grantee.url, project.url, 'ADMIN');

    expect(response).toMatchObject({ status: 400, body: { role: [expect.stringContaining(project.name)] } });
    expect(response.headers['x-error-code']).toBe('first_grant_not_owner');
    expect((await organization.owner.get<Project>(project.url)).body.access_controlled).toBe(false);
  });

  it('are unique for each principal and scope', async () => {
    const organization = await core.organization();
    const project = await controlledProject(organization);
    const grantee = await createMember(core, organization);
    expect(await createGrant(organization, grantee.url, project.url, 'VIEWER')).toMatchObject({ status: 201 });
    expect(await createGrant(organization, grantee.url, project.url, 'CONTRIB')).toMatchObject({
      status: 400,
      body: { non_field_errors: [expect.any(String)] },
      headers: expect.objectContaining({ 'x-error-code': 'duplicate_grant' }),
    });
  });

  it('reject principals and scopes that do not exist, are of another kind, or belong to another organization', async () => {
    const [organization, otherOrganization] = [await core.organization(), await core.organization()];
    const project = await organization.project();
    const grantee = await createMember(core, organization);
    const foreign = { project: await otherOrganization.project(), member: await createMember(core, otherOrganization) };

    for (const principal of [foreign.member.url, 'nobody', project.url, `groups/${project.id}/`]) {
      const response = await createGrant(organization, principal, project.url, 'OWNER');
      expect([principal, response.status, response.body]).toEqual([
        principal,
        400,
        { principal: [expect.any(String)] },
      ]);
    }
    for (const scope of [foreign.project.url, grantee.url, 'x', `/api/v1/environments/${project.id}`]) {
      const response = await createGrant(organization, grantee.url, scope, 'OWNER');
      expect([scope, response.status, response.body]).toEqual([scope, 400, { scope: [expect.any(String)] }]);
    }
    expect(await organization.owner.get(`grants/?scope=${encodeURIComponent(foreign.project.url)}`)).toMatchObject({
      status: 400,
      body: { scope: [expect.any(String)] },
    });
  });

  it('of the last OWNER cannot be removed, demoted or reassigned one by one, but all grants can be removed at once', async () => {
    const organization = await core.organization();
    const project = await organization.project();
    const [firstOwner, secondOwner] = [await createMember(core, organization), await createMember(core, organization)];
    const { body: owning } = await createGrant(organization, firstOwner.url, project.url, 'OWNER');
    await createGrant(organization, secondOwner.url, project.url, 'VIEWER');

    for (const response of [
      await organization.owner.delete(owning.url),
      await organization.owner.patch(owning.url, { role: 'ADMIN' }),
      await organization.owner.delete(`grants/multi/?principal=${encodeURIComponent(firstOwner.url)}`),
    ]) {
      expect(response).toMatchObject({ status: 400, body: { detail: expect.stringContaining(project.name) } });
      expect(response.headers['x-error-code']).toBe('last_owner');
    }
    expect(await organization.owner.patch(owning.url, { principal: secondOwner.url })).toMatchObject({ status: 400 });
    expect(await organization.owner.delete(`grants/multi/?scope=${project.id}`)).toMatchObject({
      status: 200,
      body: { scope: project.url },
    });
    expect((await organization.owner.get<Page<Grant>>('grants/')).body.count).toBe(0);
    expect((await organization.owner.get<Project>(project.url)).body).toMatchObject({
      access_controlled: false,
      role: null,
    });
  });

  it('end access control when the only one is removed, even if it is that of an OWNER', async () => {
    const organization = await core.organization();
    for (const scope of [await organization.project(), await organization.environment()]) {
      const [firstOwner, secondOwner] = [
        await createMember(core, organization),
        await createMember(core, organization),
      ];
      const { body: owning } = await createGrant(organization, firstOwner.url, scope.url, 'OWNER');
      const { body: viewing } = await createGrant(organization, secondOwner.url, scope.url, 'VIEWER');
      expect(await organization.owner.delete(owning.url)).toMatchObject({ status: 400 });
      expect(await organization.owner.delete(viewing.url)).toMatchObject({ status: 204 });
      expect((await organization.owner.get(scope.url)).body).toMatchObject({ access_controlled: true });

      expect(await organization.owner.delete(owning.url)).toMatchObject({ status: 204 });

      expect((await organization.owner.get(scope.url)).body).toMatchObject({ access_controlled: false, role: null });
      expect((await organization.owner.get<Page<Grant>>('grants/')).body.count).toBe(0);
    }
  });

  it('keep one OWNER, even when many of them are removed at once', async () => {
    const organization = await core.organization();
    const project = await organization.project();
    const owners = await Promise.all(Array.from({ length: 6 }, () => createMember(core, organization)));
    const grants: Grant[] = [];
    for (const { url } of owners) grants.push((await createGrant(organization, url, project.url, 'OWNER')).body);
    await createGrant(organization, (await createMember(core, organization)).url, project.url, 'VIEWER');

    const responses = await Promise.all(grants.map(({ url }) => organization.owner.delete(url)));

    expect(responses.filter(({ status }) => status === 204)).toHaveLength(5);
    expect(responses.filter(({ status }) => status === 400)).toHaveLength(1);
    expect((await organization.owner.get<Page<Grant>>('grants/?role=OWNER')).body.count).toBe(1);
  });

  it('can be filtered by principal, scope and role, each by link or id', async () => {
    const organization = await core.organization();
    const [p, q] = [await controlledProject(organization), await controlledProject(organization)];
    const grantee = await createMember(core, organization);
    await createGrant(organization, grantee.url, p.url, 'VIEWER');
    const count = async (query: string) => (await organization.owner.get<Page<Grant>>(`grants/?${query}`)).body.count;

    expect(await count('')).toBe(3);
    expect(await count(`scope=${encodeURIComponent(p.url)}`)).toBe(2);
    expect(await count(`scope=${q.id}`)).toBe(1);
    expect(await count(`principal=${encodeURIComponent(grantee.url)}`)).toBe(1);
    expect(await count('role=OWNER')).toBe(2);
    expect(await count(`scope=${p.id}&role=CONTRIB`)).toBe(0);
  });

  it('cannot all be removed by a request without a filter; null means that no grant matched', async () => {
    const organization = await core.organization();
    const project = await controlledProject(organization);
    expect(await organization.owner.delete('grants/multi/')).toMatchObject({
      status: 400,
      body: { detail: expect.any(String) },
    });
    const before = (await organization.owner.get('grants/')).headers['x-revision'];
    const none = await organization.owner.delete(`grants/multi/?scope=${project.id}&role=VIEWER`);
    expect([none.status, none.body, none.headers['x-revision']]).toEqual([200, null, before]);
    expect((await organization.owner.get<Page<Grant>>('grants/')).body.count).toBe(1);
  });

  it('change their role and principal; a repeated change creates no revision', async () => {
    const organization = await core.organization();
    const project = await controlledProject(organization);
    const [firstMember, secondMember] = [
      await createMember(core, organization),
      await createMember(core, organization),
    ];
    const { body: createdGrant } = await createGrant(organization, firstMember.url, project.url, 'VIEWER');

    const put = await organization.owner.put<Grant>(createdGrant.url, {
      principal: secondMember.url,
      scope: project.url,
      role: 'CONTRIB',
    });
    const repeatedResponse = await organization.owner.patch<Grant>(createdGrant.url, { role: 'CONTRIB' });

    expect(put).toMatchObject({
      status: 200,
      body: { id: createdGrant.id, principal: secondMember.url, role: 'CONTRIB' },
    });
    expect(repeatedResponse.body).toEqual(put.body);
    expect(repeatedResponse.headers['x-revision']).toBe(put.headers['x-revision']);
    expect(await organization.owner.patch(createdGrant.url, { role: 'owner' })).toMatchObject({ status: 400 });
  });

  it('can also be created by OWNERs of the scope, independent of their role in the organization', async () => {
    const organization = await core.organization();
    const [open, project] = [await organization.project(), await organization.project()];
    const [ownerOfProject, administrator, otherMember] = [
      await createMember(core, organization, 'VIEWER'),
      await createMember(core, organization),
      await createMember(core, organization),
    ];
    await createGrant(organization, ownerOfProject.url, project.url, 'OWNER');
    await createGrant(organization, administrator.url, project.url, 'ADMIN');
    const by = (who: TestMember, scope: Project) =>
      who.client.post<Grant>('grants/', { principal: otherMember.url, scope: scope.url, role: 'VIEWER' });

    for (const response of [
      await by(administrator, project),
      await by(otherMember, project),
      await by(ownerOfProject, open),
    ]) {
      expect(response).toMatchObject({ status: 403, body: { detail: expect.any(String) } });
    }
    const createResponse = await by(ownerOfProject, project);
    expect(createResponse).toMatchObject({ status: 201 });
    expect(await administrator.client.delete(createResponse.body.url)).toMatchObject({ status: 403 });
    expect(await administrator.client.patch(createResponse.body.url, { role: 'OWNER' })).toMatchObject({ status: 403 });
    expect(await ownerOfProject.client.delete(createResponse.body.url)).toMatchObject({ status: 204 });
  });

  it('of another organization return 404; requests without a credential return 401', async () => {
    const [organization, otherOrganization] = [await core.organization(), await core.organization()];
    const project = await controlledProject(otherOrganization);
    const { body } = await otherOrganization.owner.get<Page<Grant>>(`grants/?scope=${project.id}`);
    const url = body.results[0]?.url ?? '';
    const never = await organization.owner.get('grants/00000000-0000-4000-8000-000000000000/');

    for (const response of [
      await organization.owner.get(url),
      await organization.owner.patch(url, { role: 'VIEWER' }),
      await organization.owner.delete(url),
    ]) {
      expect(response).toMatchObject({ status: 404, text: never.text });
    }
    expect(await new RawClient(core.origin, null).get('grants/')).toMatchObject({ status: 401 });
  });

  it('are removed with their member; if a scope would lose its last owner, an OWNER of the organization becomes its owner', async () => {
    const organization = await core.organization();
    const project = await organization.project();
    const { body: account } = await organization.owner.post<ServiceAccountCreated>('serviceaccounts/', { name: 'bot' });
    const viewer = await createMember(core, organization);
    await createGrant(organization, account.user.url, project.url, 'OWNER');

    expect(await organization.owner.delete(account.url)).toMatchObject({ status: 204 });

    const { results } = (await organization.owner.get<Page<Grant>>('grants/')).body;
    const current = (await organization.owner.get<{ url: string }>('users/current/')).body;
    expect(results).toMatchObject([{ role: 'OWNER', principal: current.url, scope: project.url }]);
    expect(await viewer.client.get(`${project.url}parameters/`)).toMatchObject({ status: 403 });
  });
});

describe('access_controlled', () => {
  it('makes the caller OWNER of the scope when it is turned on, and removes its grants when it is turned off', async () => {
    const organization = await core.organization();
    const environment = await organization.environment();
    const admin = await createPerson(core, organization.id, 'ADMIN');

    const on = await admin.client.patch<Environment>(environment.url, { access_controlled: true });
    expect(on).toMatchObject({ status: 200, body: { access_controlled: true, role: 'OWNER' } });
    expect(on.body.ledger_id).not.toBe(environment.ledger_id);
    expect((await organization.owner.get<Page<Grant>>('grants/')).body.results).toMatchObject([
      { principal: `${core.origin}/api/v1/users/${admin.id}/`, scope: environment.url, role: 'OWNER' },
    ]);
    const repeatedResponse = await admin.client.patch<Environment>(environment.url, { access_controlled: true });
    expect(repeatedResponse.headers['x-revision']).toBe(on.headers['x-revision']);

    const off = await admin.client.patch<Environment>(environment.url, { access_controlled: false });
    expect(off).toMatchObject({ status: 200, body: { access_controlled: false, role: null } });
    expect((await organization.owner.get<Page<Grant>>('grants/')).body.count).toBe(0);
  });

  it('can be changed by callers who may manage grants, and by OWNERs of the scope', async () => {
    const organization = await core.organization();
    const project = await organization.project();
    const [contributor, owner] = [
      await createMember(core, organization),
      await createMember(core, organization, 'VIEWER'),
    ];

    expect(await contributor.client.patch(project.url, { access_controlled: true })).toMatchObject({ status: 403 });
    await createGrant(organization, owner.url, project.url, 'OWNER');
    expect(await contributor.client.patch(project.url, { access_controlled: false })).toMatchObject({ status: 403 });
    expect(await owner.client.patch(project.url, { access_controlled: false })).toMatchObject({ status: 200 });
  });
});

describe('events of a controlled scope', () => {
  it('reach only subscribers with access, even after the scope was deleted', async () => {
    const organization = await core.organization();
    const project = await controlledProject(organization);
    const [insider, outsider] = [await createMember(core, organization), await createMember(core, organization)];
    await createGrant(organization, insider.url, project.url, 'VIEWER');
    const parameter = await organization.parameter({ project });
    const names = async ({ client }: TestMember) =>
      (await client.get<{ results: { object: { name: string } }[] }>('events/')).body.results.map(
        ({ object }) => object.name,
      );

    expect(await names(insider)).toContain(parameter.name);
    expect(await names(outsider)).not.toContain(parameter.name);
    await organization.owner.delete(project.url);
    expect((await names(insider)).filter((name) => name === project.name).length).toBeGreaterThan(1);
    expect(await names(outsider)).not.toContain(parameter.name);
    expect(await outsider.client.get(`${project.url}parameters/?as_of=2999-01-01`)).toMatchObject({ status: 403 });
  });
});
