import type {
  CallerAbilities,
  Effective,
  Membership,
  Page,
  Parameter,
  Project,
  ServiceAccount,
} from '@strata/contract';
import { RawClient, type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { createForbiddenContent, findLeaks } from '../../testing/forbidden-content.ts';
import { createGrant, createMember } from '../../testing/members.ts';
import { serviceAccount } from '../../testing/service-accounts.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

/** Creates a project with one parameter, whose name is that of the project. */
async function projectNamed(organization: TestOrganization, name: string, dependsOn: Project | null = null) {
  const project = await organization.project({ name, depends_on: dependsOn?.url ?? null });
  const parameter = await organization.parameter({ project, name: `of-${name}` });
  await organization.value({ parameter, internal_value: name });
  return { ...project, parameter };
}

async function limitedTo(organization: TestOrganization, ...projects: readonly Project[]) {
  const account = await serviceAccount(organization, { only_projects: projects.map(({ url }) => url) });
  return { account, client: new RawClient(core.origin, `Api-Key ${account.apikey}`) };
}

const effective = (client: RawClient, { url }: Project) =>
  client.get<Effective>(`${url}effective/?environment=production`);

/** Returns the status of reading the parameters of each project. */
const statuses = async (client: RawClient, ...projects: readonly Project[]) =>
  Promise.all(projects.map(async ({ url }) => (await client.get(`${url}parameters/`)).status));

describe('a service account that is limited to projects', () => {
  it('reads them and the projects that they depend on, and no others', async () => {
    const organization = await core.organization();
    const base = await projectNamed(organization, 'base');
    const web = await projectNamed(organization, 'web', base);
    const parentValue = await projectNamed(organization, 'above', web);
    const otherProject = await projectNamed(organization, 'other');
    const { account, client } = await limitedTo(organization, web);

    expect(account).toMatchObject({ role: 'VIEWER', only_projects: [web.url] });
    const membership = await organization.owner.get<Membership>(`memberships/${account.user.membership_id}/`);
    expect(membership.body).toMatchObject({ role: 'VIEWER', only_projects: [web.url] });
    const { scopes } = (await client.get<CallerAbilities>('users/current/abilities/')).body;
    const without = scopes.filter(({ abilities }) => abilities.length === 0).map(({ scope }) => scope);
    expect(without).toEqual(expect.arrayContaining([parentValue.id, otherProject.id]));
    expect(scopes.map(({ scope }) => scope)).not.toContain(web.id);
    expect(await statuses(client, web, base, parentValue, otherProject)).toEqual([200, 200, 403, 403]);
    expect((await effective(client, web)).body.values).toEqual({ 'of-web': 'web', 'of-base': 'base' });
    expect(await effective(client, otherProject)).toMatchObject({ status: 403 });
    const named = await client.get<Parameter>(`${web.url}parameters/${otherProject.parameter.id}/`);
    expect(named.status).toBe(404);
  });

  it('sees no text of another project through a value or a template that refers to it', async () => {
    const organization = await core.organization();
    const web = await projectNamed(organization, 'web');
    const otherProject = await projectNamed(organization, 'other');
    const shared = await organization.parameter({ project: otherProject, name: 'shared' });
    await organization.value({ parameter: shared, internal_value: 'hunter2' });
    const text = 'at {{ strata.projects.other.parameters.shared }}';
    const parameter = await organization.parameter({ project: web, name: 'address' });
    await organization.value({ parameter, internal_value: text, interpolated: true });
    await organization.owner.post(`${web.url}templates/`, { name: 'page', body: text });
    const { client } = await limitedTo(organization, web);
    const paths = [
      ...['effective/?environment=default', 'matrix/', 'parameters/', 'parameter-export/?output=docker'],
      ...['explain/?name=address&environment=default', 'templates/?evaluate=true&environment=default'],
    ];

    expect((await effective(organization.owner, web)).body.values).toMatchObject({ address: 'at hunter2' });
    expect((await effective(client, web)).body.values).toMatchObject({ address: '*****', 'of-web': 'web' });
    for (const path of paths) {
      const read = await client.get(`${web.url}${path}`);
      expect([path, read.status, read.text.includes('hunter2')]).toEqual([path, 200, false]);
    }
  });

  it('does not read what is created or added to the organization later', async () => {
    const organization = await core.organization();
    const web = await projectNamed(organization, 'web');
    const { client } = await limitedTo(organization, web);
    expect(await statuses(client, web)).toEqual([200]);
    const later = await projectNamed(organization, 'later');
    expect(await statuses(client, later, web)).toEqual([403, 200]);

    await organization.owner.patch(web.url, { depends_on: later.url });
    expect(await statuses(client, later)).toEqual([200]);
    await organization.owner.patch(web.url, { depends_on: null });
    expect(await statuses(client, later)).toEqual([403]);
  });

  it('finds the contents of other projects by no path and no query, also after they were deleted', async () => {
    const at = await createForbiddenContent(core);
    const { owner } = at.organization;
    await owner.patch(at.closed.url, { access_controlled: false });
    const { client } = await limitedTo(at.organization, at.open);
    const unlimited = await createMember(core, at.organization, 'VIEWER');

    expect((await findLeaks(unlimited.client, at, 1)).length).toBeGreaterThan(20);
    expect(await findLeaks(client, at)).toEqual([]);

    const organization = await core.organization();
    const web = await projectNamed(organization, 'web');
    const deletedProject = await projectNamed(organization, 'gone');
    const { client: reader } = await limitedTo(organization, web);
    await organization.owner.delete(deletedProject.url);
    const past = `projects/${deletedProject.id}/parameters/?as_of=${deletedProject.parameter.created_at}`;
    expect((await organization.as('VIEWER').get(past)).status).toBe(200);
    expect((await reader.get(past)).status).toBe(403);
  });

  it('needs a grant on a restricted project, and no grant gives it access to others', async () => {
    const organization = await core.organization();
    const web = await projectNamed(organization, 'web');
    const otherProject = await projectNamed(organization, 'other');
    for (const { url } of [web, otherProject]) await organization.owner.patch(url, { access_controlled: true });
    const { account, client } = await limitedTo(organization, web);
    expect(await statuses(client, web, otherProject)).toEqual([403, 403]);
    for (const { url } of [web, otherProject]) await createGrant(organization, account.user.url, url, 'CONTRIB');
    expect(await statuses(client, web, otherProject)).toEqual([200, 403]);
    expect((await client.post(`${web.url}parameters/`, { name: 'mine' })).status).toBe(201);
    expect((await client.post(`${otherProject.url}parameters/`, { name: 'mine' })).status).toBe(403);
  });

  it('stays limited when its projects are deleted, until the limit is changed or removed', async () => {
    const organization = await core.organization();
    const web = await projectNamed(organization, 'web');
    const otherProject = await projectNamed(organization, 'other');
    const { account, client } = await limitedTo(organization, web);
    await organization.owner.delete(web.url);
    expect((await organization.owner.get<ServiceAccount>(account.url)).body.only_projects).toEqual([]);
    expect(await statuses(client, otherProject)).toEqual([403]);
    const described = await organization.owner.patch<ServiceAccount>(account.url, { description: 'Reads.' });
    expect(described.body).toMatchObject({ description: 'Reads.', only_projects: [] });

    const changeResponse = await organization.owner.patch<ServiceAccount>(account.url, {
      only_projects: [otherProject.id],
    });
    expect(changeResponse.body.only_projects).toEqual([otherProject.url]);
    expect(await statuses(client, otherProject)).toEqual([200]);
    const repeated = await organization.owner.patch(account.url, { only_projects: [otherProject.url] });
    expect(repeated.headers['x-revision']).toBe(changeResponse.headers['x-revision']);
    await organization.owner.patch(account.url, { only_projects: null });
    expect((await client.get<Page<Project>>('projects/')).body.count).toBe(2);
    expect((await organization.owner.get<ServiceAccount>(account.url)).body.only_projects).toBeNull();
  });

  it('cannot remove its limit or take over an account without one, also as the owner of these accounts', async () => {
    const organization = await core.organization();
    const web = await projectNamed(organization, 'web');
    const { account, client } = await limitedTo(organization, web);
    const wide = await serviceAccount(organization, { role: 'VIEWER' });
    for (const { url } of [account, wide]) {
      expect((await organization.owner.patch(url, { owner: account.user.id })).status).toBe(200);
      expect((await client.patch(url, { only_projects: null })).status).toBe(403);
      expect((await client.post(`${url}rekey/`)).status).toBe(403);
    }
    const { only_projects: only } = (await organization.owner.get<ServiceAccount>(account.url)).body;
    expect(only).toEqual([web.url]);
  });

  it('is a VIEWER: a higher role is rejected, at first and later', async () => {
    const organization = await core.organization();
    const web = await projectNamed(organization, 'web');
    const input = { name: 'ci', role: 'CONTRIB', only_projects: [web.url] };
    expect(await organization.owner.post('serviceaccounts/', input)).toMatchObject({
      status: 400,
      headers: { 'x-error-code': 'role_too_high' },
    });
    const { account } = await limitedTo(organization, web);
    const membership = `memberships/${account.user.membership_id}/`;
    expect(await organization.owner.patch<Membership>(membership, { role: 'CONTRIB' })).toMatchObject({
      status: 400,
      headers: { 'x-error-code': 'role_too_high' },
    });
    const wide = await serviceAccount(organization, { role: 'CONTRIB' });
    expect(await organization.owner.patch(wide.url, { only_projects: [web.url] })).toMatchObject({ status: 400 });
  });

  it('is rejected with an unknown project, none, too many, and a project of another organization', async () => {
    const [organization, another] = [await core.organization(), await core.organization()];
    const theirs = await another.project();
    const never = '00000000-0000-4000-8000-000000000000';
    for (const only of [[], [never], [theirs.url], Array.from({ length: 51 }, (_, index) => `${index}`), ['x'], 7]) {
      const response = await organization.owner.post('serviceaccounts/', { name: 'ci', only_projects: only });
      expect(response).toMatchObject({ status: 400 });
      expect(response.text).toContain('only_projects');
    }
  });
});
