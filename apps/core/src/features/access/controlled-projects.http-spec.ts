import type { Grant, Group, Page, Project, Template } from '@strata/contract';
import type { Role } from '@strata/domain';
import { type RawClient, type RunningCore, sharedCore } from '@strata/testkit';
import { controlledProject, grant, type Member, member } from '../../testing/members.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

describe('a controlled project', () => {
  it('lists without role for who has no access, and its contents are 403', async () => {
    const house = await core.organization();
    const project = await house.project();
    const parameter = await house.parameter({ project });
    const value = await house.value({ parameter });
    await house.owner.patch(project.url, { access_controlled: true });

    for (const role of ['VIEWER', 'CONTRIB'] as const) {
      const client = house.as(role);
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
      expect(await house.as(role).get(value.url)).toMatchObject({ status: 200 });
    }
  });

  it('is read by VIEWERs, written by CONTRIBs, managed by ADMINs of it, whatever they are elsewhere', async () => {
    const house = await core.organization();
    const project = await controlledProject(house);
    const who = {
      viewer: await member(core, house, 'CONTRIB'),
      contributor: await member(core, house, 'VIEWER'),
      admin: await member(core, house, 'VIEWER'),
    };
    await grant(house, who.viewer.url, project.url, 'VIEWER');
    await grant(house, who.contributor.url, project.url, 'CONTRIB');
    await grant(house, who.admin.url, project.url, 'ADMIN');
    const make = (one: Member, name: string) => one.client.post(`${project.url}parameters/`, { name });
    const manage = (one: Member) => one.client.patch<Project>(project.url, { description: one.url });

    expect(await who.viewer.client.get(`${project.url}parameters/`)).toMatchObject({ status: 200 });
    expect((await make(who.viewer, 'a')).status).toBe(403);
    expect((await make(who.contributor, 'b')).status).toBe(201);
    expect((await manage(who.contributor)).status).toBe(403);
    expect(await manage(who.admin)).toMatchObject({ status: 200, body: { role: 'ADMIN' } });
    expect((await who.contributor.client.post('projects/', { name: 'mine' })).status).toBe(403);
    expect((await who.contributor.client.post(`${(await house.project()).url}parameters/`, { name: 'x' })).status).toBe(
      403,
    );
  });

  it('is written by who was granted CONTRIB, values in open environments included, though VIEWER elsewhere', async () => {
    const house = await core.organization();
    const project = await controlledProject(house);
    const [writer, admin] = [await member(core, house, 'VIEWER'), await member(core, house, 'VIEWER')];
    await grant(house, writer.url, project.url, 'CONTRIB');
    await grant(house, admin.url, project.url, 'ADMIN');
    const staging = await house.environmentNamed('staging');
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

  it('lets in whole groups, and the higher of two grants counts', async () => {
    const house = await core.organization();
    const project = await controlledProject(house);
    const one = await member(core, house);
    const { body: group } = await house.owner.post<Group>('groups/', { name: 'team', users: [one.url] });
    await grant(house, group.url, project.url, 'CONTRIB');
    await grant(house, one.url, project.url, 'VIEWER');

    expect((await one.client.get<Project>(project.url)).body.role).toBe('CONTRIB');
    expect((await one.client.post(`${project.url}parameters/`, { name: 'x' })).status).toBe(201);
    await house.owner.post(`${group.url}remove/?user=${encodeURIComponent(one.url)}`);
    expect((await one.client.post(`${project.url}parameters/`, { name: 'y' })).status).toBe(403);
    expect((await one.client.get(`${project.url}parameters/`)).status).toBe(200);
    expect(await house.owner.delete(group.url)).toMatchObject({ status: 204 });
    expect((await house.owner.get<Page<Grant>>(`grants/?scope=${project.id}`)).body.count).toBe(2);
  });

  it('governs the projects that depend on it, until one has control of its own', async () => {
    const house = await core.organization();
    const base = await house.project();
    const child = await house.project({ depends_on: base.url });
    const grandchild = await house.project({ depends_on: child.url });
    const one = await member(core, house);
    await house.owner.patch(base.url, { access_controlled: true });
    const status = async ({ url }: Project) => (await one.client.get(`${url}parameters/`)).status;

    expect([await status(base), await status(child), await status(grandchild)]).toEqual([403, 403, 403]);
    expect((await one.client.get<Project>(child.url)).body).toMatchObject({ access_controlled: false, role: null });
    await grant(house, one.url, child.url, 'OWNER');
    expect([await status(base), await status(child), await status(grandchild)]).toEqual([403, 200, 200]);
    await house.owner.delete(`grants/multi/?scope=${child.id}`);
    await grant(house, one.url, base.url, 'VIEWER');
    expect([await status(base), await status(child), await status(grandchild)]).toEqual([200, 200, 200]);
    expect((await one.client.post(`${grandchild.url}parameters/`, { name: 'x' })).status).toBe(403);
  });

  it('cannot be looked into by depending on it', async () => {
    const house = await core.organization();
    const project = await controlledProject(house);
    const mine = await house.project();
    const contributor = house.as('CONTRIB');

    expect(await contributor.post('projects/', { name: 'spy', depends_on: project.url })).toMatchObject({
      status: 403,
    });
    expect(await contributor.patch(mine.url, { depends_on: project.url })).toMatchObject({ status: 403 });
    expect(await contributor.put(mine.url, { name: 'renamed', depends_on: null })).toMatchObject({ status: 200 });
  });

  it('cannot be looked into through the past of what depended on it', async () => {
    const house = await core.organization();
    const base = await house.project();
    const parameter = await house.parameter({ project: base });
    await house.value({ parameter, internal_value: 'hidden text' });
    const child = await house.project({ depends_on: base.url });
    const { body: template } = await house.owner.post<Template>(`${child.url}templates/`, {
      name: 't',
      body: `{{ strata.parameters['${parameter.name}'] }}`,
    });
    await house.owner.patch(base.url, { access_controlled: true });
    const revision = (await house.owner.get(child.url)).headers['x-revision'];
    await house.owner.delete(template.url);
    await house.owner.patch(child.url, { depends_on: null });

    for (const path of ['parameters/?', 'effective/?', 'templates/?environment=default&evaluate=true&']) {
      const ask = (as: Role) => house.as(as).get(`${child.url}${path}revision=${revision}`);
      expect([
        path,
        (await ask('CONTRIB')).status,
        (await house.as('CONTRIB').get(`${child.url}${path}`)).status,
      ]).toEqual([path, 403, 200]);
      expect((await ask('ADMIN')).text).toContain('hidden text');
    }
  });

  it('cannot be looked into through the past of what a text names', async () => {
    const house = await core.organization();
    const base = await house.project();
    const [secret, dynamic] = [await house.parameter({ project: base }), await house.parameter({ project: base })];
    await house.value({ parameter: secret, internal_value: 'hidden text' });
    await house.value({ parameter: dynamic, internal_value: 'hidden {{ strata.project }}', interpolated: true });
    const child = await house.project({ depends_on: base.url });
    const kept = await house.project({ depends_on: base.url });
    await house.owner.patch(kept.url, { access_controlled: true });
    const reader = await member(core, house);
    await grant(house, reader.url, kept.url, 'VIEWER');
    const mine = await house.project();
    const say = (project: Project, name: string, body: string) =>
      house.owner.post<Template>(`${project.url}templates/`, { name, body });
    await say(child, 'inner', `{{ strata.parameters['${secret.name}'] }}`);
    const named = (project: Project, { name }: { name: string }) =>
      `{{ strata.projects['${project.name}'].parameters['${name}'] }}`;
    const through = [
      named(child, secret),
      named(child, dynamic),
      `{{ strata.projects['${child.name}'].templates.inner }}`,
    ];
    const texts = [...through, named(kept, secret)];
    for (const [index, text] of texts.entries()) {
      expect(await say(mine, `t${index}`, text)).toMatchObject({ status: 201 });
    }
    await house.owner.patch(base.url, { access_controlled: true });
    const revision = (await house.owner.get(child.url)).headers['x-revision'];
    const { results } = (await house.owner.get<Page<Template>>(`${mine.url}templates/`)).body;
    for (const { url } of results) expect((await house.owner.delete(url)).status).toBe(204);
    const inner = (await house.owner.get<Page<Template>>(`${child.url}templates/`)).body.results[0];
    await house.owner.delete(inner?.url ?? '');
    await house.owner.patch(child.url, { depends_on: null });

    const ask = async (client: RawClient) =>
      (
        await client.get<Page<Template>>(`${mine.url}templates/?environment=default&evaluate=true&revision=${revision}`)
      ).body.results.map(({ body }) => body);
    expect((await reader.client.get(`${child.url}parameters/`)).status).toBe(200);
    expect(await ask(reader.client)).toEqual(['*****', '*****', '*****', 'hidden text']);
    expect(await ask(house.owner)).toEqual(['hidden text', `hidden ${base.name}`, 'hidden text', 'hidden text']);
  });

  it('stays closed in a copy of it, and so does what it governs when the copy leaves it', async () => {
    const house = await core.organization();
    const base = await house.project();
    const child = await house.project({ depends_on: base.url });
    for (const project of [base, child]) {
      const parameter = await house.parameter({ project, secret: true });
      await house.value({ parameter, internal_value: 'hidden text' });
    }
    const free = await house.project();
    await house.owner.patch(base.url, { access_controlled: true });
    const copier = await member(core, house);
    await grant(house, copier.url, base.url, 'VIEWER');
    const copy = async (of: Project, wish: object) =>
      (await copier.client.post<Project>(`${of.url}copy/`, { name: `copy ${Math.random()}`, ...wish })).body;
    const whole = await copy(base, { recursive: true, child_project_names: { [child.name]: 'copied child' } });
    const { body: below } = await house.owner.get<Page<Project>>('projects/?name=copied child');

    for (const made of [
      whole,
      ...below.results,
      await copy(child, {}),
      await copy(child, { depends_on: null }),
      await copy(child, { depends_on: free.url }),
    ]) {
      const path = `${made.url}parameters/`;
      expect((await house.as('VIEWER').get(path)).status).toBe(403);
      expect((await house.as('CONTRIB').get(path)).status).toBe(403);
      expect((await copier.client.get(path)).text).toContain('hidden text');
    }
    expect(whole).toMatchObject({ access_controlled: true, role: 'OWNER' });
    const kept = (await house.owner.get<Page<Grant>>('grants/?role=OWNER')).body.results;
    expect(kept.map(({ principal }) => principal).filter((principal) => principal === copier.url)).toHaveLength(3);
    const recorded = await house.owner.get<Page<unknown>>(`audit/?object_type=Grant&project_id=${whole.id}`);
    expect(recorded.body.count).toBe(1);
  });

  it('of which an open project is copied gains no control: the copy is open', async () => {
    const house = await core.organization();
    await controlledProject(house);
    const made = await house.as('CONTRIB').post<Project>(`${(await house.project()).url}copy/`, { name: 'open' });
    expect(made).toMatchObject({ status: 201, body: { access_controlled: false } });
    expect((await house.as('VIEWER').get(`${made.body.url}parameters/`)).status).toBe(200);
  });

  it('lets its dependents go to elsewhere by its OWNERs only', async () => {
    const house = await core.organization();
    const [base, other, free] = [await controlledProject(house), await controlledProject(house), await house.project()];
    const between = await house.project({ depends_on: base.url });
    const child = await house.project({ depends_on: between.url });
    const [admin, owner] = [await member(core, house), await member(core, house)];
    for (const scope of [base, other]) {
      await grant(house, admin.url, scope.url, 'ADMIN');
      await grant(house, owner.url, scope.url, 'OWNER');
    }
    const move = (who: Member, of: Project, to: Project | null) =>
      who.client.patch<Project>(of.url, { depends_on: to?.url ?? null });

    for (const to of [null, free, other]) expect((await move(admin, child, to)).status).toBe(403);
    expect((await move(admin, between, null)).status).toBe(403);
    expect((await admin.client.put(child.url, { name: child.name, depends_on: null })).status).toBe(403);
    expect((await house.as('VIEWER').get(`${child.url}parameters/`)).status).toBe(403);
    expect((await move(admin, child, base)).status).toBe(200);
    expect((await move(owner, child, other)).status).toBe(200);
    expect((await move(owner, child, null)).status).toBe(200);
  });

  it('is guarded however its id is written in the path', async () => {
    const house = await core.organization();
    const project = await controlledProject(house);
    const escaped = `%${project.id.charCodeAt(0).toString(16)}${project.id.slice(1)}`;
    for (const id of [project.id.toUpperCase(), escaped]) {
      for (const path of [`projects/${id}/parameters/`, `projects/${id}/parameters`, `projects/${id}/effective/`]) {
        expect([path, (await house.as('VIEWER').get(path)).status]).toEqual([path, 403]);
      }
    }
  });
});
