import type { Environment, Grant, Group, Page, Project, ServiceAccountCreated, Template } from '@strata/contract';
import type { Role } from '@strata/domain';
import { RawClient, type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { person } from '../../testing/people.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

interface Member {
  readonly url: string;
  readonly client: RawClient;
}

async function member(house: TestOrganization, role: Role = 'CONTRIB'): Promise<Member> {
  const { body } = await house.owner.post<ServiceAccountCreated>('serviceaccounts/', { name: 'member', role });
  return { url: body.user.url, client: new RawClient(core.origin, `Api-Key ${body.apikey}`) };
}

async function controlled(house: TestOrganization) {
  const project = await house.project();
  await house.owner.patch(project.url, { access_controlled: true });
  return project;
}

const grant = (house: TestOrganization, principal: string, scope: string, role: Role) =>
  house.owner.post<Grant>('grants/', { principal, scope, role });

describe('grants', () => {
  it('take links from anywhere and answer with our own', async () => {
    const house = await core.organization();
    const project = await house.project();
    const one = await member(house);
    const foreign = (link: string) => link.replace(core.origin, 'https://other.example');

    const made = await house.owner.post<Grant>('grants/', {
      principal: foreign(one.url),
      scope: foreign(project.url),
      role: 'OWNER',
    });

    expect(made).toMatchObject({
      status: 201,
      body: { principal: one.url, scope: project.url, role: 'OWNER', created_at: made.body.modified_at },
    });
    expect(made.headers.location).toBe(made.body.url);
    expect((await house.owner.get(made.body.url)).body).toEqual(made.body);
    expect((await house.owner.get<Page<Grant>>('grants/')).body.results).toEqual([made.body]);
  });

  it('begin with an OWNER: another first grant is refused, and the scope stays open', async () => {
    const house = await core.organization();
    const project = await house.project();
    const one = await member(house);

    const refused = await grant(house, one.url, project.url, 'ADMIN');

    expect(refused).toMatchObject({ status: 400, body: { role: [expect.stringContaining(project.name)] } });
    expect(refused.headers['x-error-code']).toBe('first_grant_not_owner');
    expect((await house.owner.get<Project>(project.url)).body.access_controlled).toBe(false);
  });

  it('are one for each principal and scope', async () => {
    const house = await core.organization();
    const project = await controlled(house);
    const one = await member(house);
    expect(await grant(house, one.url, project.url, 'VIEWER')).toMatchObject({ status: 201 });
    expect(await grant(house, one.url, project.url, 'CONTRIB')).toMatchObject({
      status: 400,
      body: { non_field_errors: [expect.any(String)] },
      headers: expect.objectContaining({ 'x-error-code': 'duplicate_grant' }),
    });
  });

  it('refuse principals and scopes that are not there, are of another kind, or of another organization', async () => {
    const [house, other] = [await core.organization(), await core.organization()];
    const project = await house.project();
    const one = await member(house);
    const foreign = { project: await other.project(), member: await member(other) };

    for (const principal of [foreign.member.url, 'nobody', project.url, `groups/${project.id}/`]) {
      const reply = await grant(house, principal, project.url, 'OWNER');
      expect([principal, reply.status, reply.body]).toEqual([principal, 400, { principal: [expect.any(String)] }]);
    }
    for (const scope of [foreign.project.url, one.url, 'x', `/api/v1/environments/${project.id}`]) {
      const reply = await grant(house, one.url, scope, 'OWNER');
      expect([scope, reply.status, reply.body]).toEqual([scope, 400, { scope: [expect.any(String)] }]);
    }
    expect(await house.owner.get(`grants/?scope=${encodeURIComponent(foreign.project.url)}`)).toMatchObject({
      status: 400,
      body: { scope: [expect.any(String)] },
    });
  });

  it('of the last OWNER cannot be removed, demoted or given away singly, only all at once', async () => {
    const house = await core.organization();
    const project = await house.project();
    const [one, two] = [await member(house), await member(house)];
    const { body: owning } = await grant(house, one.url, project.url, 'OWNER');
    await grant(house, two.url, project.url, 'VIEWER');

    for (const refused of [
      await house.owner.delete(owning.url),
      await house.owner.patch(owning.url, { role: 'ADMIN' }),
      await house.owner.delete(`grants/multi/?principal=${encodeURIComponent(one.url)}`),
    ]) {
      expect(refused).toMatchObject({ status: 400, body: { detail: expect.stringContaining(project.name) } });
      expect(refused.headers['x-error-code']).toBe('last_owner');
    }
    expect(await house.owner.patch(owning.url, { principal: two.url })).toMatchObject({ status: 400 });
    expect(await house.owner.delete(`grants/multi/?scope=${project.id}`)).toMatchObject({
      status: 200,
      body: { scope: project.url },
    });
    expect((await house.owner.get<Page<Grant>>('grants/')).body.count).toBe(0);
    expect((await house.owner.get<Project>(project.url)).body).toMatchObject({ access_controlled: false, role: null });
  });

  it('keep one OWNER however many are removed at once', async () => {
    const house = await core.organization();
    const project = await house.project();
    const owners = await Promise.all(Array.from({ length: 6 }, () => member(house)));
    const grants: Grant[] = [];
    for (const { url } of owners) grants.push((await grant(house, url, project.url, 'OWNER')).body);

    const replies = await Promise.all(grants.map(({ url }) => house.owner.delete(url)));

    expect(replies.filter(({ status }) => status === 204)).toHaveLength(5);
    expect(replies.filter(({ status }) => status === 400)).toHaveLength(1);
    expect((await house.owner.get<Page<Grant>>('grants/?role=OWNER')).body.count).toBe(1);
  });

  it('are filtered by principal, scope and role, by link or id', async () => {
    const house = await core.organization();
    const [p, q] = [await controlled(house), await controlled(house)];
    const one = await member(house);
    await grant(house, one.url, p.url, 'VIEWER');
    const count = async (query: string) => (await house.owner.get<Page<Grant>>(`grants/?${query}`)).body.count;

    expect(await count('')).toBe(3);
    expect(await count(`scope=${encodeURIComponent(p.url)}`)).toBe(2);
    expect(await count(`scope=${q.id}`)).toBe(1);
    expect(await count(`principal=${encodeURIComponent(one.url)}`)).toBe(1);
    expect(await count('role=OWNER')).toBe(2);
    expect(await count(`scope=${p.id}&role=CONTRIB`)).toBe(0);
  });

  it('cannot all be removed by mistake: without a filter nothing is removed, and 404 says that none matched', async () => {
    const house = await core.organization();
    const project = await controlled(house);
    expect(await house.owner.delete('grants/multi/')).toMatchObject({
      status: 400,
      body: { detail: expect.any(String) },
    });
    expect(await house.owner.delete(`grants/multi/?scope=${project.id}&role=VIEWER`)).toMatchObject({ status: 404 });
    expect((await house.owner.get<Page<Grant>>('grants/')).body.count).toBe(1);
  });

  it('are changed in role and principal; a repeated change is no new revision', async () => {
    const house = await core.organization();
    const project = await controlled(house);
    const [one, two] = [await member(house), await member(house)];
    const { body: made } = await grant(house, one.url, project.url, 'VIEWER');

    const put = await house.owner.put<Grant>(made.url, { principal: two.url, scope: project.url, role: 'CONTRIB' });
    const again = await house.owner.patch<Grant>(made.url, { role: 'CONTRIB' });

    expect(put).toMatchObject({ status: 200, body: { id: made.id, principal: two.url, role: 'CONTRIB' } });
    expect(again.body).toEqual(put.body);
    expect(again.headers['x-revision']).toBe(put.headers['x-revision']);
    expect(await house.owner.patch(made.url, { role: 'owner' })).toMatchObject({ status: 400 });
  });

  it('are given by OWNERs of the scope too, whatever their role in the organization', async () => {
    const house = await core.organization();
    const [open, project] = [await house.project(), await house.project()];
    const [chief, deputy, other] = [await member(house, 'VIEWER'), await member(house), await member(house)];
    await grant(house, chief.url, project.url, 'OWNER');
    await grant(house, deputy.url, project.url, 'ADMIN');
    const by = (who: Member, scope: Project) =>
      who.client.post<Grant>('grants/', { principal: other.url, scope: scope.url, role: 'VIEWER' });

    for (const refused of [await by(deputy, project), await by(other, project), await by(chief, open)]) {
      expect(refused).toMatchObject({ status: 403, body: { detail: expect.any(String) } });
    }
    const given = await by(chief, project);
    expect(given).toMatchObject({ status: 201 });
    expect(await deputy.client.delete(given.body.url)).toMatchObject({ status: 403 });
    expect(await deputy.client.patch(given.body.url, { role: 'OWNER' })).toMatchObject({ status: 403 });
    expect(await chief.client.delete(given.body.url)).toMatchObject({ status: 204 });
  });

  it('of another organization do not exist, and without a credential nothing is told', async () => {
    const [house, other] = [await core.organization(), await core.organization()];
    const project = await controlled(other);
    const { body } = await other.owner.get<Page<Grant>>(`grants/?scope=${project.id}`);
    const url = body.results[0]?.url ?? '';
    const never = await house.owner.get('grants/00000000-0000-4000-8000-000000000000/');

    for (const refused of [
      await house.owner.get(url),
      await house.owner.patch(url, { role: 'VIEWER' }),
      await house.owner.delete(url),
    ]) {
      expect(refused).toMatchObject({ status: 404, text: never.text });
    }
    expect(await new RawClient(core.origin, null).get('grants/')).toMatchObject({ status: 401 });
  });

  it('go with who had them; a scope that would be without an owner falls to an OWNER of the organization', async () => {
    const house = await core.organization();
    const project = await house.project();
    const { body: account } = await house.owner.post<ServiceAccountCreated>('serviceaccounts/', { name: 'bot' });
    const viewer = await member(house);
    await grant(house, account.user.url, project.url, 'OWNER');

    expect(await house.owner.delete(account.url)).toMatchObject({ status: 204 });

    const { results } = (await house.owner.get<Page<Grant>>('grants/')).body;
    const current = (await house.owner.get<{ url: string }>('users/current/')).body;
    expect(results).toMatchObject([{ role: 'OWNER', principal: current.url, scope: project.url }]);
    expect(await viewer.client.get(`${project.url}parameters/`)).toMatchObject({ status: 403 });
  });
});

describe('access_controlled', () => {
  it('true makes the caller OWNER of the scope, false removes its grants', async () => {
    const house = await core.organization();
    const environment = await house.environment();
    const admin = await person(core, house.id, 'ADMIN');

    const on = await admin.client.patch<Environment>(environment.url, { access_controlled: true });
    expect(on).toMatchObject({ status: 200, body: { access_controlled: true, role: 'OWNER' } });
    expect(on.body.ledger_id).not.toBe(environment.ledger_id);
    expect((await house.owner.get<Page<Grant>>('grants/')).body.results).toMatchObject([
      { principal: `${core.origin}/api/v1/users/${admin.id}/`, scope: environment.url, role: 'OWNER' },
    ]);
    const again = await admin.client.patch<Environment>(environment.url, { access_controlled: true });
    expect(again.headers['x-revision']).toBe(on.headers['x-revision']);

    const off = await admin.client.patch<Environment>(environment.url, { access_controlled: false });
    expect(off).toMatchObject({ status: 200, body: { access_controlled: false, role: null } });
    expect((await house.owner.get<Page<Grant>>('grants/')).body.count).toBe(0);
  });

  it('is for those who may manage grants, and for OWNERs of the scope', async () => {
    const house = await core.organization();
    const project = await house.project();
    const [contributor, owner] = [await member(house), await member(house, 'VIEWER')];

    expect(await contributor.client.patch(project.url, { access_controlled: true })).toMatchObject({ status: 403 });
    await grant(house, owner.url, project.url, 'OWNER');
    expect(await contributor.client.patch(project.url, { access_controlled: false })).toMatchObject({ status: 403 });
    expect(await owner.client.patch(project.url, { access_controlled: false })).toMatchObject({ status: 200 });
  });
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
    const project = await controlled(house);
    const who = {
      viewer: await member(house, 'CONTRIB'),
      contributor: await member(house, 'VIEWER'),
      admin: await member(house, 'VIEWER'),
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
    const project = await controlled(house);
    const [writer, admin] = [await member(house, 'VIEWER'), await member(house, 'VIEWER')];
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
    const project = await controlled(house);
    const one = await member(house);
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
    const one = await member(house);
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
    const project = await controlled(house);
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
    const reader = await member(house);
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
    const copier = await member(house);
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
    await controlled(house);
    const made = await house.as('CONTRIB').post<Project>(`${(await house.project()).url}copy/`, { name: 'open' });
    expect(made).toMatchObject({ status: 201, body: { access_controlled: false } });
    expect((await house.as('VIEWER').get(`${made.body.url}parameters/`)).status).toBe(200);
  });

  it('lets its dependents go to elsewhere by its OWNERs only', async () => {
    const house = await core.organization();
    const [base, other, free] = [await controlled(house), await controlled(house), await house.project()];
    const between = await house.project({ depends_on: base.url });
    const child = await house.project({ depends_on: between.url });
    const [admin, owner] = [await member(house), await member(house)];
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
    const project = await controlled(house);
    const escaped = `%${project.id.charCodeAt(0).toString(16)}${project.id.slice(1)}`;
    for (const id of [project.id.toUpperCase(), escaped]) {
      for (const path of [`projects/${id}/parameters/`, `projects/${id}/parameters`, `projects/${id}/effective/`]) {
        expect([path, (await house.as('VIEWER').get(path)).status]).toEqual([path, 403]);
      }
    }
  });
});

describe('a controlled environment', () => {
  async function place() {
    const house = await core.organization();
    const production = await house.environmentNamed('production');
    const parameter = await house.parameter();
    const general = await house.value({ parameter });
    const value = await house.value({ parameter, environment: production, internal_value: 'hidden text' });
    await house.owner.patch(production.url, { access_controlled: true });
    return { house, production, parameter, general, value };
  }

  it('shows null among all environments to who has no access, and is 403 when asked for', async () => {
    const { house, production, parameter, value } = await place();
    const client = house.as('CONTRIB');

    const seen = await client.get<{ values: Record<string, unknown> }>(parameter.url);
    expect(seen.body.values).toHaveProperty([production.url], null);
    expect(Object.keys(seen.body.values)).toHaveLength(4);
    const list = await client.get(`${parameter.project}parameters/`);
    expect(seen.text + list.text).not.toContain('hidden text');
    expect((await client.get<Page<{ id: string }>>(`${parameter.url}values/`)).body.count).toBe(1);
    for (const path of [
      value.url,
      `${parameter.url}?environment=production`,
      `${parameter.project}parameters/?environment=${production.id}`,
      `${parameter.project}parameters/?difference=default,production`,
      `${parameter.project}effective/?environment=production`,
      `${parameter.url}values/?environment=production`,
      `${parameter.url}?environment=production&as_of=2999-01-01`,
    ]) {
      expect([path, (await client.get(path)).status]).toEqual([path, 403]);
    }
    expect((await house.as('ADMIN').get<{ values: object }>(parameter.url)).text).toContain('hidden text');
  });

  it('stays closed in a copy of it, with the copier as its OWNER', async () => {
    const { house, production, parameter } = await place();
    const copier = await member(house);
    await grant(house, copier.url, production.url, 'VIEWER');

    const made = await copier.client.post<Environment>(`${production.url}copy/`, { name: 'twin' });
    expect(made).toMatchObject({ status: 201, body: { access_controlled: true, role: 'OWNER' } });
    const ask = (client: RawClient) => client.get(`${parameter.project}parameters/?environment=twin`);
    expect((await ask(house.as('VIEWER'))).status).toBe(403);
    expect((await ask(copier.client)).text).toContain('hidden text');
  });

  it('does not serve to one what was compiled for another', async () => {
    const { house, parameter } = await place();
    const path = `${parameter.project}effective/?environment=production`;
    expect([(await house.as('ADMIN').get(path)).status, (await house.as('VIEWER').get(path)).status]).toEqual([
      200, 403,
    ]);
  });

  it('is not written without CONTRIB there: values neither made, changed nor removed, by cascade either', async () => {
    const { house, production, parameter, value } = await place();
    const viewer = await member(house);
    await grant(house, viewer.url, production.url, 'VIEWER');
    const other = await house.parameter();

    for (const refused of [
      await viewer.client.post(`${other.url}values/`, { environment: production.url, internal_value: 'x' }),
      await viewer.client.patch(value.url, { internal_value: 'x' }),
      await viewer.client.delete(value.url),
      await viewer.client.delete(parameter.url),
      await viewer.client.delete(parameter.project),
      await viewer.client
        .post('environments/', { name: 'spy', parent: (await house.environmentNamed('staging')).url })
        .then(async () => house.as('CONTRIB').post('environments/', { name: 'below', parent: production.url })),
    ]) {
      expect(refused).toMatchObject({ status: 403, body: { detail: expect.any(String) } });
    }
    expect(await viewer.client.get(value.url)).toMatchObject({ status: 200, body: { value: 'hidden text' } });
    const contributor = await member(house);
    await grant(house, contributor.url, production.url, 'CONTRIB');
    expect(await contributor.client.patch(value.url, { internal_value: 'x' })).toMatchObject({ status: 200 });
    expect(await contributor.client.delete(parameter.url)).toMatchObject({ status: 204 });
  });

  it('is not told about by rules and dynamic values that are held against what is in it', async () => {
    const { house, production, parameter } = await place();
    const contributor = house.as('CONTRIB');
    for (const constraint of ['h.*', 'x.*']) {
      expect(await contributor.post(`${parameter.url}rules/`, { type: 'regex', constraint })).toMatchObject({
        status: 403,
        body: { detail: expect.stringContaining('no access') },
      });
    }
    const { body: project } = await house.owner.get<Project>(parameter.project);
    const root = await house.environmentNamed('default');
    for (const constraint of ['hidden.*', '.*']) {
      const mine = await house.parameter({ project });
      await contributor.post(`${mine.url}rules/`, { type: 'regex', constraint });
      const text = `{% if strata.environment == 'production' and strata.parameters['${parameter.name}'] contains 'x' %}{{ 1 | divided_by: 0 }}{% endif %}hidden`;
      const wish = { environment: root.url, internal_value: text, interpolated: true };
      expect((await contributor.post(`${mine.url}values/`, wish)).status).toBe(201);
    }
    expect((await house.owner.get(production.url)).status).toBe(200);
  });

  it('gets no new child by an import of somebody who may not read it', async () => {
    const house = await core.organization();
    const parameter = await house.parameter();
    await house.value({ parameter, internal_value: 'hidden text' });
    const root = await house.environmentNamed('default');
    await house.owner.patch(root.url, { access_controlled: true });
    const { body: project } = await house.owner.get<Project>(parameter.project);
    const wish = { project: project.name, environment: 'spy', body: '', secrets: [], ignore: [] };

    for (const query of ['', '?preview=true']) {
      const refused = await house.as('CONTRIB').post(`import/${query}`, wish);
      expect(refused).toMatchObject({ status: 403, body: { detail: expect.any(String) } });
    }
    expect((await house.owner.get<Page<Environment>>('environments/?name=spy')).body.count).toBe(0);
  });

  it('gives nothing to its children: they are open, and inherit its values', async () => {
    const { house, production, parameter } = await place();
    const child = await house.environment({ parent: production.url });
    const { body } = await house
      .as('VIEWER')
      .get<{ values: Record<string, { value: string }> }>(`${parameter.url}?environment=${child.id}`);
    expect(body.values[child.url]?.value).toBe('hidden text');
  });
});

describe('what happens in a controlled scope', () => {
  it('is heard by those with access only, also after the scope was deleted', async () => {
    const house = await core.organization();
    const project = await controlled(house);
    const [insider, outsider] = [await member(house), await member(house)];
    await grant(house, insider.url, project.url, 'VIEWER');
    const parameter = await house.parameter({ project });
    const names = async ({ client }: Member) =>
      (await client.get<{ results: { object: { name: string } }[] }>('events/')).body.results.map(
        ({ object }) => object.name,
      );

    expect(await names(insider)).toContain(parameter.name);
    expect(await names(outsider)).not.toContain(parameter.name);
    await house.owner.delete(project.url);
    expect((await names(insider)).filter((name) => name === project.name).length).toBeGreaterThan(1);
    expect(await names(outsider)).not.toContain(parameter.name);
    expect(await outsider.client.get(`${project.url}parameters/?as_of=2999-01-01`)).toMatchObject({ status: 403 });
  });
});
