import type { Effective, OverviewProject, Parameter, Project, ProjectOverview } from '@strata/contract';
import { RawClient, type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { createShop, sendReport } from '../../testing/instances.ts';
import { createPerson } from '../../testing/people.ts';
import { waitUntil } from '../../testing/until.ts';

let core: RunningCore;
let organization: TestOrganization;
beforeAll(async () => {
  core = await sharedCore();
});
beforeEach(async () => {
  organization = await core.organization();
});

/** Every new organization has this empty project. */
const FIRST = 'MyFirstProject';
const OVERVIEW = 'projects/overview/?within_ms=2000';

async function overview(client: RawClient, query = ''): Promise<ProjectOverview> {
  const response = await client.get<ProjectOverview>(`${OVERVIEW}${query}`);
  expect([response.status, response.status === 200 ? '' : response.text]).toEqual([200, '']);
  return response.body;
}

async function readOverview(client: RawClient, project: string): Promise<OverviewProject> {
  const { results } = await overview(client, `&project=${project}`);
  expect(results).toHaveLength(1);
  return results[0] as OverviewProject;
}

async function set(project: string, environment: string, values: Readonly<Record<string, string>>): Promise<void> {
  const operations = [{ set: { project, environment, create_missing: true, values } }];
  expect(await organization.owner.post('changesets/', { operations })).toMatchObject({ status: 201 });
}

describe('the overview of projects', () => {
  it('shows the counts and the last change of each project, by name', async () => {
    await organization.project({ name: 'web' });
    await organization.project({ name: 'api' });
    await set('web', 'default', { A: '1', B: '2' });
    await set('web', 'production', { A: '3' });

    const { revision, count, results } = await overview(organization.owner);

    expect([count, results.map(({ project_name: name }) => name)]).toEqual([3, ['api', FIRST, 'web']]);
    expect(results[0]).toMatchObject({ parameter_count: 0, value_count: 0, environment_count: 0, expiring: [] });
    expect(results[2]).toMatchObject({
      parameter_count: 2,
      value_count: 3,
      environment_count: 2,
      last_change: { revision, actor_name: expect.any(String), at: expect.any(String) },
    });
  });

  it('counts as many findings as lint finds', async () => {
    await organization.project({ name: 'web' });
    await set('web', 'default', { A: '1', PASSWORD: 'open' });
    await set('web', 'production', { A: '1', ONLY_HERE: '2' });
    const { body } = await organization.owner.get<{ results: readonly object[] }>('lint/?project=web');

    expect(body.results.length).toBeGreaterThan(2);
    expect(await readOverview(organization.owner, 'web')).toMatchObject({ finding_count: body.results.length });
  });

  it('counts nothing that takes long when its time is up', async () => {
    const { scope } = await createShop(organization);
    await sendReport(organization.owner, scope, 'web-1', { revision: 0, reason: 'not ready' });

    const { body } = await organization.owner.get<ProjectOverview>('projects/overview/?within_ms=0&project=shop');

    expect(body.results).toMatchObject([
      { finding_count: null, instances: [{ total: 1, lagging: null, refused: null }] },
    ]);
  });

  it('lists secret values that expire soon, and never their texts', async () => {
    const project = await organization.project({ name: 'web' });
    const expiring = async (name: string, secret: boolean, expires: string) => {
      const parameter: Parameter = await organization.parameter({ project, name, secret });
      const environment = await organization.environmentNamed('default');
      await organization.value({ parameter, environment, internal_value: 'canary' });
      expect(await organization.owner.patch(parameter.url, { expires })).toMatchObject({ status: 200 });
    };
    await expiring('SOON', true, 'P13D');
    await expiring('SOONER', true, 'P2D');
    await expiring('LATER', true, 'P15D');
    await expiring('OPEN', false, 'P2D');

    const overviewRow = await readOverview(organization.owner, 'web');

    expect(overviewRow.expiring_count).toBe(2);
    expect(overviewRow.expiring).toMatchObject([
      { parameter_name: 'SOONER', environment_name: 'default', expires_at: expect.any(String) },
      { parameter_name: 'SOON' },
    ]);
    expect(JSON.stringify(overviewRow)).not.toContain('canary');
  });

  it('compares instances with the latest configuration', async () => {
    const { project, scope, port } = await createShop(organization);
    const { body } = await organization.owner.get<Effective>(`projects/${project.id}/effective/?mask_secrets=true`);
    await sendReport(organization.owner, scope, 'web-1', { revision: body.revision, digest: body.digest });
    const instances = async () => (await readOverview(organization.owner, project.id)).instances;

    expect(await instances()).toEqual([{ environment_name: 'default', total: 1, lagging: 0, refused: 0 }]);
    await organization.owner.patch(port.url, { internal_value: '81' });
    expect(await instances()).toEqual([{ environment_name: 'default', total: 1, lagging: 1, refused: 0 }]);
  });

  it('shows when a service account last read a project, in environments that the caller can read', async () => {
    const { project } = await createShop(organization);
    const { client } = await createPerson(core, organization.id, 'CONTRIB');
    const read = async () => (await readOverview(client, project.id)).last_read_by?.name ?? null;
    expect(await read()).toBeNull();
    await organization.as('VIEWER').get(`projects/${project.id}/effective/?environment=production`);
    await waitUntil(read, (name) => name !== null);
    const { last_read_at: at } = await readOverview(client, project.id);
    expect(Date.now() - Date.parse(at ?? '')).toBeLessThan(120_000);

    const production = await organization.environmentNamed('production');
    await organization.owner.patch(production.url, { access_controlled: true });
    expect(await read()).toBeNull();
  });

  it('shows nothing of forbidden scopes', async () => {
    const hidden = await organization.project({ name: 'hidden' });
    const childResponse = await organization.owner.post<Project>('projects/', {
      name: 'below',
      depends_on: hidden.url,
    });
    expect(childResponse.status).toBe(201);
    await organization.project({ name: 'open' });
    await set('open', 'staging', { A: '1' });
    const { last_change: before } = await readOverview(organization.owner, 'open');
    await set('open', 'production', { A: '2' });
    const production = await organization.environmentNamed('production');
    for (const path of [`projects/${hidden.id}/`, `environments/${production.id}/`]) {
      expect(await organization.owner.patch(path, { access_controlled: true })).toMatchObject({ status: 200 });
    }
    const { client } = await createPerson(core, organization.id, 'CONTRIB');

    const { count, results } = await overview(client);

    expect([count, results.map(({ project_name: name }) => name)]).toEqual([2, [FIRST, 'open']]);
    expect(results[1]).toMatchObject({ value_count: 1, environment_count: 1, last_change: before });
    expect(await readOverview(organization.owner, 'open')).toMatchObject({ value_count: 2, environment_count: 2 });
    expect((await overview(client, '&project=hidden')).results).toEqual([]);
  });

  it('returns pages, covers one organization and requires a credential', async () => {
    const otherOrganization = await core.organization();
    await otherOrganization.project({ name: 'theirs' });
    for (const name of ['a', 'b', 'c']) await organization.project({ name });

    const names = async (query: string) =>
      (await overview(organization.owner, query)).results.map(({ project_name: name }) => name);
    expect([await names('&page_size=2'), await names('&page_size=2&page=2')]).toEqual([
      ['a', 'b'],
      ['c', FIRST],
    ]);
    expect(await organization.owner.get(`${OVERVIEW}&page_size=2&page=3`)).toMatchObject({ status: 404 });
    expect(await new RawClient(core.origin, null).get(OVERVIEW)).toMatchObject({ status: 401 });
  });
});
