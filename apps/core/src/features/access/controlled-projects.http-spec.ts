import type { Grant, Group, Page, Project, Template } from '@strata/contract';
import type { Role } from '@strata/domain';
import { type RawClient, type RunningCore, sharedCore } from '@strata/testkit';
import { controlledProject, createGrant, createMember, type TestMember } from '../../testing/members.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

describe('a controlled project', () => {
  it('is listed without a role for a caller without access, and returns 403 for its contents', async () => {
    const organization = await core.organization();
    const project = await organization.project();
    const parameter = await organization.parameter({ project });
    const value = await organization.value({ parameter });
    await organization.owner.patch(project.url, { access_controlled: true });

    for (const role of ['VIEWER', 'CONTRIB'] as const) {
      const client = organization.as(role);
      const listed = (await client.get<Page<Project>>(`projects/?name=${project.name}`)).body.results;
      expect(listed).toMatchObject([{ id: project.id, access_controlled: true, role: null }]);
      expect(await client.get(project.url)).toMatchObject({ status: 200, body: { role: null } });
      for (const path of [
        `${project.url}parameters/`,
        parameter.url,
        `${parameter.url}values/`,
        value.url,
        `${project.url}effective/`,
      ]) {
        expect([path, (await client.get(path)).status]).toEqual([path, 403]);
        expect((await client.get(`${path}?as_of=2999-01-01`)).status).toBe(403);
      }
      expect(await client.patch(project.url, { description: 'x' })).toMatchObject({ status: 403 });
      expect(await client.delete(project.url)).toMatchObject({ status: 403 });
    }
    for (const role of ['ADMIN', 'OWNER'] as const) {
      expect(await organization.as(role).get(value.url)).toMatchObject({ status: 200 });
    }
  });

  it('can be read by its VIEWERs, written by its CONTRIBs and managed by its ADMINs, independent of their role in the organization', async () => {
    const organization = await core.organization();
    const project = await controlledProject(organization);
    const who = {
      viewer: await createMember(core, organization, 'CONTRIB'),
      contributor: await createMember(core, organization, 'VIEWER'),
      admin: await createMember(core, organization, 'VIEWER'),
    };
    await createGrant(organization, who.viewer.url, project.url, 'VIEWER');
    await createGrant(organization, who.contributor.url, project.url, 'CONTRIB');
    await createGrant(organization, who.admin.url, project.url, 'ADMIN');
    const make = (caller: TestMember, name: string) => caller.client.post(`${project.url}parameters/`, { name });
    const manage = (caller: TestMember) => caller.client.patch<Project>(project.url, { description: caller.url });

    expect(await who.viewer.client.get(`${project.url}parameters/`)).toMatchObject({ status: 200 });
    expect((await make(who.viewer, 'a')).status).toBe(403);
    expect((await make(who.contributor, 'b')).status).toBe(201);
    expect((await manage(who.contributor)).status).toBe(403);
    expect(await manage(who.admin)).toMatchObject({ status: 200, body: { role: 'ADMIN' } });
    expect((await who.contributor.client.post('projects/', { name: 'mine' })).status).toBe(403);
    expect(
      (await who.contributor.client.post(`${(await organization.project()).url}parameters/`, { name: 'x' })).status,
    ).toBe(403);
  });

  it('can be written by a VIEWER of the organization with a CONTRIB grant, including values in open environments', async () => {
    const organization = await core.organization();
    const project = await controlledProject(organization);
    const [writer, admin] = [
      await createMember(core, organization, 'VIEWER'),
      await createMember(core, organization, 'VIEWER'),
    ];
    await createGrant(organization, writer.url, project.url, 'CONTRIB');
    await createGrant(organization, admin.url, project.url, 'ADMIN');
    const staging = await organization.environmentNamed('staging');
    const parameter = await writer.client.post<{ url: string }>(`${project.url}parameters/`, { name: 'x' });

    const value = await writer.client.post<{ url: string }>(`${parameter.body.url}values/`, {
      environment: staging.url,
      internal_value: 'a',
    });
    expect(value).toMatchObject({ status: 201 });
    expect((await writer.client.patch(value.body.url, { internal_value: 'b' })).status).toBe(200);
    expect((await writer.client.delete(staging.url)).status).toBe(403);
    expect((await admin.client.delete(project.url)).status).toBe(204);
  });

  it('gives access to whole groups, and applies the higher of two grants', async () => {
    const organization = await core.organization();
    const project = await controlledProject(organization);
    const invitee = await createMember(core, organization);
    const { body: group } = await organization.owner.post<Group>('groups/', { name: 'team', users: [invitee.url] });
    await createGrant(organization, group.url, project.url, 'CONTRIB');
    await createGrant(organization, invitee.url, project.url, 'VIEWER');

    expect((await invitee.client.get<Project>(project.url)).body.role).toBe('CONTRIB');
    expect((await invitee.client.post(`${project.url}parameters/`, { name: 'x' })).status).toBe(201);
    await organization.owner.post(`${group.url}remove/?user=${encodeURIComponent(invitee.url)}`);
    expect((await invitee.client.post(`${project.url}parameters/`, { name: 'y' })).status).toBe(403);
    expect((await invitee.client.get(`${project.url}parameters/`)).status).toBe(200);
    expect(await organization.owner.delete(group.url)).toMatchObject({ status: 204 });
    expect((await organization.owner.get<Page<Grant>>(`grants/?scope=${project.id}`)).body.count).toBe(2);
  });

  it('controls access to the projects that depend on it, until one gets access control of its own', async () => {
    const organization = await core.organization();
    const base = await organization.project();
    const child = await organization.project({ depends_on: base.url });
    const grandchild = await organization.project({ depends_on: child.url });
    const invitee = await createMember(core, organization);
    await organization.owner.patch(base.url, { access_controlled: true });
    const status = async ({ url }: Project) => (await invitee.client.get(`${url}parameters/`)).status;

    expect([await status(base), await status(child), await status(grandchild)]).toEqual([403, 403, 403]);
    expect((await invitee.client.get<Project>(child.url)).body).toMatchObject({ access_controlled: false, role: null });
    await createGrant(organization, invitee.url, child.url, 'OWNER');
    expect([await status(base), await status(child), await status(grandchild)]).toEqual([403, 200, 200]);
    await organization.owner.delete(`grants/multi/?scope=${child.id}`);
    await createGrant(organization, invitee.url, base.url, 'VIEWER');
    expect([await status(base), await status(child), await status(grandchild)]).toEqual([200, 200, 200]);
    expect((await invitee.client.post(`${grandchild.url}parameters/`, { name: 'x' })).status).toBe(403);
  });

  it('cannot be read by making another project depend on it', async () => {
    const organization = await core.organization();
    const project = await controlledProject(organization);
    const mine = await organization.project();
    const contributor = organization.as('CONTRIB');

    expect(await contributor.post('projects/', { name: 'spy', depends_on: project.url })).toMatchObject({
      status: 403,
    });
    expect(await contributor.patch(mine.url, { depends_on: project.url })).toMatchObject({ status: 403 });
    expect(await contributor.put(mine.url, { name: 'renamed', depends_on: null })).toMatchObject({ status: 200 });
  });

  it('cannot be read through the past of a project that depended on it', async () => {
    const organization = await core.organization();
    const base = await organization.project();
    const parameter = await organization.parameter({ project: base });
    await organization.value({ parameter, internal_value: 'hidden text' });
    const child = await organization.project({ depends_on: base.url });
    const { body: template } = await organization.owner.post<Template>(`${child.url}templates/`, {
      name: 't',
      body: `{{ strata.parameters['${parameter.name}'] }}`,
    });
    await organization.owner.patch(base.url, { access_controlled: true });
    const revision = (await organization.owner.get(child.url)).headers['x-revision'];
    await organization.owner.delete(template.url);
    await organization.owner.patch(child.url, { depends_on: null });

    for (const path of ['parameters/?', 'effective/?', 'templates/?environment=default&evaluate=true&']) {
      const request = (as: Role) => organization.as(as).get(`${child.url}${path}revision=${revision}`);
      expect([
        path,
        (await request('CONTRIB')).status,
        (await organization.as('CONTRIB').get(`${child.url}${path}`)).status,
      ]).toEqual([path, 403, 200]);
      expect((await request('ADMIN')).text).toContain('hidden text');
    }
  });

  it('cannot be read through the past of a project whose text names it', async () => {
    const organization = await core.organization();
    const base = await organization.project();
    const [secret, dynamic] = [
      await organization.parameter({ project: base }),
      await organization.parameter({ project: base }),
    ];
    await organization.value({ parameter: secret, internal_value: 'hidden text' });
    await organization.value({ parameter: dynamic, internal_value: 'hidden {{ strata.project }}', interpolated: true });
    const child = await organization.project({ depends_on: base.url });
    const dependent = await organization.project({ depends_on: base.url });
    await organization.owner.patch(dependent.url, { access_controlled: true });
    const reader = await createMember(core, organization);
    await createGrant(organization, reader.url, dependent.url, 'VIEWER');
    const mine = await organization.project();
    const setText = (project: Project, name: string, body: string) =>
      organization.owner.post<Template>(`${project.url}templates/`, { name, body });
    await setText(child, 'inner', `{{ strata.parameters['${secret.name}'] }}`);
    const named = (project: Project, { name }: { name: string }) =>
      `{{ strata.projects['${project.name}'].parameters['${name}'] }}`;
    const through = [
      named(child, secret),
      named(child, dynamic),
      `{{ strata.projects['${child.name}'].templates.inner }}`,
    ];
    const texts = [...through, named(dependent, secret)];
    for (const [index, text] of texts.entries()) {
      expect(await setText(mine, `t${index}`, text)).toMatchObject({ status: 201 });
    }
    await organization.owner.patch(base.url, { access_controlled: true });
    const revision = (await organization.owner.get(child.url)).headers['x-revision'];
    const { results } = (await organization.owner.get<Page<Template>>(`${mine.url}templates/`)).body;
    for (const { url } of results) expect((await organization.owner.delete(url)).status).toBe(204);
    const inner = (await organization.owner.get<Page<Template>>(`${child.url}templates/`)).body.results[0];
    await organization.owner.delete(inner?.url ?? '');
    await organization.owner.patch(child.url, { depends_on: null });

    const request = async (client: RawClient) =>
      (
        await client.get<Page<Template>>(`${mine.url}templates/?environment=default&evaluate=true&revision=${revision}`)
      ).body.results.map(({ body }) => body);
    expect((await reader.client.get(`${child.url}parameters/`)).status).toBe(200);
    expect(await request(reader.client)).toEqual(['*****', '*****', '*****', 'hidden text']);
    expect(await request(organization.owner)).toEqual([
      'hidden text',
      `hidden ${base.name}`,
      'hidden text',
      'hidden text',
    ]);
  });

  it('stays controlled in a copy, and so does the copy of a dependent project that no longer depends on it', async () => {
    const organization = await core.organization();
    const base = await organization.project();
    const child = await organization.project({ depends_on: base.url });
    for (const project of [base, child]) {
      const parameter = await organization.parameter({ project, secret: true });
      await organization.value({ parameter, internal_value: 'hidden text' });
    }
    const free = await organization.project();
    await organization.owner.patch(base.url, { access_controlled: true });
    const copier = await createMember(core, organization);
    await createGrant(organization, copier.url, base.url, 'VIEWER');
    const copy = async (source: Project, input: object) =>
      (await copier.client.post<Project>(`${source.url}copy/`, { name: `copy ${Math.random()}`, ...input })).body;
    const whole = await copy(base, { recursive: true, child_project_names: { [child.name]: 'copied child' } });
    const { body: childProject } = await organization.owner.get<Page<Project>>('projects/?name=copied child');

    for (const response of [
      whole,
      ...childProject.results,
      await copy(child, {}),
      await copy(child, { depends_on: null }),
      await copy(child, { depends_on: free.url }),
    ]) {
      const path = `${response.url}parameters/`;
      expect((await organization.as('VIEWER').get(path)).status).toBe(403);
      expect((await organization.as('CONTRIB').get(path)).status).toBe(403);
      expect((await copier.client.get(path)).text).toContain('hidden text');
    }
    expect(whole).toMatchObject({ access_controlled: true, role: 'OWNER' });
    const remaining = (await organization.owner.get<Page<Grant>>('grants/?role=OWNER')).body.results;
    expect(remaining.map(({ principal }) => principal).filter((principal) => principal === copier.url)).toHaveLength(3);
    const recorded = await organization.owner.get<Page<unknown>>(`audit/?object_type=Grant&project_id=${whole.id}`);
    expect(recorded.body.count).toBe(1);
  });

  it('does not control the copy of an open project that is copied from it', async () => {
    const organization = await core.organization();
    await controlledProject(organization);
    const createResponse = await organization
      .as('CONTRIB')
      .post<Project>(`${(await organization.project()).url}copy/`, { name: 'open' });
    expect(createResponse).toMatchObject({ status: 201, body: { access_controlled: false } });
    expect((await organization.as('VIEWER').get(`${createResponse.body.url}parameters/`)).status).toBe(200);
  });

  it('lets only its OWNERs move its dependents to another project', async () => {
    const organization = await core.organization();
    const [base, otherProject, free] = [
      await controlledProject(organization),
      await controlledProject(organization),
      await organization.project(),
    ];
    const between = await organization.project({ depends_on: base.url });
    const child = await organization.project({ depends_on: between.url });
    const [admin, owner] = [await createMember(core, organization), await createMember(core, organization)];
    for (const scope of [base, otherProject]) {
      await createGrant(organization, admin.url, scope.url, 'ADMIN');
      await createGrant(organization, owner.url, scope.url, 'OWNER');
    }
    const move = (who: TestMember, project: Project, to: Project | null) =>
      who.client.patch<Project>(project.url, { depends_on: to?.url ?? null });

    for (const to of [null, free, otherProject]) expect((await move(admin, child, to)).status).toBe(403);
    expect((await move(admin, between, null)).status).toBe(403);
    expect((await admin.client.put(child.url, { name: child.name, depends_on: null })).status).toBe(403);
    expect((await organization.as('VIEWER').get(`${child.url}parameters/`)).status).toBe(403);
    expect((await move(admin, child, base)).status).toBe(200);
    expect((await move(owner, child, otherProject)).status).toBe(200);
    expect((await move(owner, child, null)).status).toBe(200);
  });

  it('is protected in every spelling of its id in the path', async () => {
    const organization = await core.organization();
    const project = await controlledProject(organization);
    const escaped = `%${project.id.charCodeAt(0).toString(16)}${project.id.slice(1)}`;
    for (const id of [project.id.toUpperCase(), escaped]) {
      for (const path of [`projects/${id}/parameters/`, `projects/${id}/parameters`, `projects/${id}/effective/`]) {
        expect([path, (await organization.as('VIEWER').get(path)).status]).toEqual([path, 403]);
      }
    }
  });
});
