import { randomUUID } from 'node:crypto';
import type { Environment, Integration, IntegrationNode, Page, Project, Pull, Push, TaskStep } from '@strata/contract';
import { type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import pg from 'pg';

let core: RunningCore;
let database: pg.Client;
beforeAll(async () => {
  core = await sharedCore();
  database = new pg.Client({ connectionString: core.database.url });
  await database.connect();
});
afterAll(async () => {
  await database.end();
});

const AWS = {
  aws_account_id: '123456789012',
  aws_role_name: 'strata',
  aws_enabled_regions: ['eu-central-1'],
  aws_enabled_services: ['ssm'],
};
const AZURE = { vault_name: 'vault', tenant_id: '00000000-0000-4000-8000-00000000000a' };
const GITHUB = { gh_installation_id: 7 };

const PROVIDERS = [
  { path: 'aws', body: AWS, name: 'strata@123456789012', fqn: 'aws://123456789012/strata' },
  { path: 'azure/key_vault', body: AZURE, name: `vault@${AZURE.tenant_id}`, fqn: `azure://${AZURE.tenant_id}/vault` },
  { path: 'github', body: GITHUB, name: 'installation-7', fqn: 'github://installation-7' },
];

interface Tag {
  readonly id: string;
  readonly url: string;
}

async function integration(organization: TestOrganization, path = 'aws', body: object = AWS): Promise<Integration> {
  const made = await organization.as('ADMIN').post<Integration>(`integrations/${path}/`, body);
  expect([made.status, made.status === 201 ? '' : made.text]).toEqual([201, '']);
  return made.body;
}

async function tag(organization: TestOrganization, environment: Environment, name = 'v1'): Promise<Tag> {
  return (await organization.owner.post<Tag>(`${environment.url}tags/`, { name })).body;
}

interface House {
  readonly organization: TestOrganization;
  readonly aws: Integration;
  readonly project: Project;
  readonly environment: Environment;
  readonly stable: Tag;
  push(wish?: object): ReturnType<TestOrganization['owner']['post']>;
}

async function house(): Promise<House> {
  const organization = await core.organization();
  const aws = await integration(organization);
  const project = await organization.project({ name: 'shop' });
  const environment = await organization.environmentNamed('production');
  const stable = await tag(organization, environment, 'stable');
  const body = {
    name: 'to the store',
    projects: [project.url],
    tags: [stable.url],
    region: 'eu-central-1',
    service: 'ssm',
    resource: '/{{ parameter }}',
  };
  const push = (wish: object = {}) => organization.owner.post(`${aws.url}pushes/`, { ...body, ...wish });
  return { organization, aws, project, environment, stable, push };
}

/** What was recorded last, as `action type name`. */
async function lastChanges(organization: TestOrganization): Promise<string[]> {
  const { rows } = await database.query<{ said: string }>(
    `select action || ' ' || object_type || ' ' || object_name as said from change
      where organization_id = $1 and revision = (select max(revision) from change where organization_id = $1)
      order by ordinal`,
    [organization.id],
  );
  return rows.map(({ said }) => said);
}

describe('integrations', () => {
  it.each(PROVIDERS)('of $path begin as an empty list, and say that nobody has looked', async (provider) => {
    const organization = await core.organization();
    const list = `integrations/${provider.path}/`;
    expect(await organization.as('VIEWER').get(list)).toMatchObject({ status: 200, body: { count: 0, results: [] } });

    const made = await integration(organization, provider.path, provider.body);

    expect(made).toMatchObject({
      ...provider.body,
      name: provider.name,
      fqn: provider.fqn,
      status: 'unknown',
      status_last_checked_at: null,
      writable: false,
    });
    expect(made.status_detail).toContain('does not reach out');
    expect((await organization.as('VIEWER').get(`${made.url}?refresh_status=true`)).body).toEqual(made);
    expect((await organization.owner.get<Page<Integration>>(list)).body.results).toEqual([made]);
    expect(await lastChanges(organization)).toEqual([
      expect.stringMatching(/^create \w+Integration /),
      'create Pull mapped',
    ]);
  });

  it.each(PROVIDERS)('of $path exist once for each thing that they lead to', async ({ path, body, name }) => {
    const organization = await core.organization();
    await integration(organization, path, body);

    const refused = await organization.owner.post(`integrations/${path}/`, body);

    expect(refused).toMatchObject({ status: 400, body: { non_field_errors: [expect.stringContaining(name)] } });
    expect(refused.headers['x-error-code']).toBe('duplicate_name');
  });

  it.each`
    path                 | wrong                                           | field
    ${'aws'}             | ${{ ...AWS, aws_account_id: '12' }}             | ${'aws_account_id'}
    ${'aws'}             | ${{ ...AWS, aws_enabled_regions: ['mars-1'] }}  | ${'aws_enabled_regions'}
    ${'aws'}             | ${{ ...AWS, aws_enabled_services: ['lambda'] }} | ${'aws_enabled_services'}
    ${'aws'}             | ${{ ...AWS, aws_role_name: undefined }}         | ${'aws_role_name'}
    ${'azure/key_vault'} | ${{ ...AZURE, tenant_id: 'x' }}                 | ${'tenant_id'}
    ${'azure/key_vault'} | ${{ ...AZURE, vault_name: 'a'.repeat(25) }}     | ${'vault_name'}
    ${'github'}          | ${{ gh_installation_id: -1 }}                   | ${'gh_installation_id'}
  `('of $path are refused with a wrong $field', async ({ path, wrong, field }) => {
    const { owner } = await core.organization();

    expect(await owner.post(`integrations/${path}/`, wrong)).toMatchObject({
      status: 400,
      body: { [field]: expect.any(Array) },
    });
  });

  it('get an external id of their own unless one is given, and keep what a change leaves out', async () => {
    const organization = await core.organization();
    const made = await integration(organization);
    expect(made.aws_external_id).toMatch(/^[\w-]{2,}$/);

    const changed = await organization.owner.patch<Integration>(made.url, { aws_role_name: 'other', writable: true });
    const again = await organization.owner.patch<Integration>(made.url, { writable: true });

    expect(changed.body).toMatchObject({
      aws_account_id: AWS.aws_account_id,
      aws_external_id: made.aws_external_id,
      name: 'other@123456789012',
      writable: true,
    });
    expect(again.body).toEqual(changed.body);
    expect(again.headers['x-revision']).toBe(changed.headers['x-revision']);
    expect(await organization.owner.put(made.url, AWS)).toMatchObject({ status: 200, body: { name: made.name } });
  });

  it('keep vault and tenant for life', async () => {
    const organization = await core.organization();
    const made = await integration(organization, 'azure/key_vault', AZURE);

    const { body } = await organization.owner.put<Integration>(made.url, {
      ...AZURE,
      vault_name: 'x',
      description: 'd',
    });

    expect(body).toMatchObject({ vault_name: 'vault', name: made.name, description: 'd' });
  });

  it('in use are only deleted by somebody who does not ask', async () => {
    const { organization, aws, push } = await house();
    expect(await organization.owner.delete(`${aws.url}?in_use=maybe`)).toMatchObject({ status: 400 });
    await push();

    const refused = await organization.owner.delete(`${aws.url}?in_use=fail`);

    expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('to the store') } });
    expect(refused.headers['x-error-code']).toBe('integration_in_use');
    expect(await organization.owner.delete(aws.url)).toMatchObject({ status: 204 });
    expect(await lastChanges(organization)).toEqual([
      'delete Pull mapped',
      'delete Push to the store',
      'delete AwsIntegration strata@123456789012',
    ]);
  });

  it('can be scanned, and the answer says why nothing is found', async () => {
    const organization = await core.organization();
    const made = await integration(organization);
    const place = { region: 'eu-central-1', service: 's3', resource: 'bucket' };

    expect(await organization.owner.post(`${made.url}scan/`, place)).toMatchObject({
      status: 200,
      body: { matched: {}, skipped: { [made.fqn]: expect.stringContaining('does not reach out') } },
    });
  });

  it('are nobody’s, or somebody else’s: 401, 403 and 404 alike', async () => {
    const { organization, aws, push } = await house();
    const { url } = (await push()).body as Push;
    const other = await core.organization();
    const never = (await other.owner.get(`integrations/aws/${randomUUID()}/`)).text;

    for (const path of [aws.url, `${aws.url}pulls/`, `${aws.url}pushes/`]) {
      expect(await other.owner.get(path)).toMatchObject({ status: 404, text: never });
    }
    expect(await other.owner.get(url)).toMatchObject({ status: 404 });
    expect(await other.owner.delete(aws.url)).toMatchObject({ status: 404, text: never });
    for (const role of ['VIEWER', 'CONTRIB'] as const) {
      expect(await organization.as(role).post('integrations/aws/', AWS)).toMatchObject({ status: 403 });
      expect(await organization.as(role).post(`${url}sync/`)).toMatchObject({ status: 403 });
    }
  });
});

describe('looking around', () => {
  it('begins at the integrations', async () => {
    const organization = await core.organization();
    const roots = () => organization.as('VIEWER').get<Page<IntegrationNode>>('integrations/explore/');
    expect((await roots()).body).toMatchObject({ count: 0, results: [] });

    for (const { path, body } of PROVIDERS) await integration(organization, path, body);

    expect((await roots()).body.results.map(({ fqn, node_type: type }) => [fqn, type])).toEqual(
      PROVIDERS.map(({ fqn }) => [fqn, 'directory']),
    );
  });

  it.each`
    fqn                              | status | code                  | text
    ${'ftp://host/file'}             | ${404} | ${'unknown_provider'} | ${'provider'}
    ${'no place at all'}             | ${404} | ${'unknown_provider'} | ${'provider'}
    ${'github://org/repo/main/file'} | ${404} | ${'no_integration'}   | ${'`github://org/repo/main/file`'}
    ${'aws://123456789012/strata/x'} | ${403} | ${'no_cloud_access'}  | ${'does not reach out'}
  `('at $fqn ends with $status $code', async ({ fqn, status, code, text }) => {
    const organization = await core.organization();
    await integration(organization);

    const refused = await organization.owner.get(`integrations/explore/?fqn=${encodeURIComponent(fqn)}`);

    expect(refused).toMatchObject({ status, body: { detail: expect.stringContaining(text) } });
    expect(refused.headers['x-error-code']).toBe(code);
  });
});

describe('pushes', () => {
  it('run when they are made, and end as a failure that tells what was tried', async () => {
    const { organization, push, project, environment } = await house();

    const made = await push();
    const { url, latest_task: task } = made.body as Push;

    expect(made).toMatchObject({ status: 201, body: { include_parameters: true, include_secrets: false } });
    expect(task).toMatchObject({ state: 'failure', error_code: 'no_cloud_access', dry_run: false });
    expect(await lastChanges(organization)).toEqual(['create Push to the store', 'create Task to the store']);
    expect((await organization.owner.get(task?.url ?? '')).body).toEqual(task);
    const steps = (await organization.owner.get<Page<TaskStep>>(`${task?.url}steps/`)).body;
    expect(steps).toMatchObject({
      count: 1,
      results: [
        {
          operation: 'update',
          success: false,
          error_code: 'no_cloud_access',
          fqn: 'aws://123456789012/strata/{{ parameter }}',
          environment: environment.url,
          environment_name: 'production',
          project: project.url,
          project_name: 'shop',
          parameter: null,
        },
      ],
    });
    expect((await organization.owner.get(steps.results[0]?.url ?? '')).body).toEqual(steps.results[0]);
    expect((await organization.owner.get(`${environment.url}pushes/`)).body).toMatchObject({ results: steps.results });
    expect((await organization.owner.get<Page<Push>>(`${url}tasks/?state=success`)).body.count).toBe(0);
  });

  it('run on request, when they change and when their tag moves, and remember the latest runs', async () => {
    const { organization, push, stable } = await house();
    const { url } = (await push()).body as Push;
    const reasons = async () =>
      (await organization.owner.get<Page<{ reason: string }>>(`${url}tasks/`)).body.results.map(({ reason }) => reason);

    expect(await organization.owner.post(`${url}sync/`)).toMatchObject({ status: 202, text: '' });
    await organization.owner.patch(url, { description: 'd' });
    await organization.owner.patch(url, { description: 'd' });
    await organization.owner.patch(stable.url, { description: 'only words' });
    const moved = await organization.owner.patch(stable.url, { timestamp: '2020-01-01T00:00:00Z' });

    expect(moved).toMatchObject({ body: { pushes: [{ latest_task: { reason: 'The tag stable was moved.' } }] } });
    expect(await lastChanges(organization)).toEqual(['update Tag stable', 'create Task to the store']);
    expect(await reasons()).toEqual([
      'The tag stable was moved.',
      'The push was changed.',
      'Somebody asked for it.',
      'The push was made.',
    ]);
    for (let n = 0; n < 20; n += 1) await organization.owner.post(`${url}sync/`);
    expect(await reasons()).toHaveLength(20);
  });

  it('are asked for in the words that there are, and at points in time that make sense', async () => {
    const { organization, push, aws, project } = await house();
    const { url, latest_task: task } = (await push()).body as Push;
    const parameter = await organization.parameter({ project });
    const refused = async (path: string) => {
      const { status, body } = await organization.owner.get<object>(path);
      return [status, ...Object.keys(body)];
    };

    expect(await refused(`${url}tasks/?state=nonsense`)).toEqual([400, 'state']);
    expect(await refused(`${task?.url}steps/?operation=nonsense`)).toEqual([400, 'operation']);
    expect(await refused(`${aws.url}?refresh_status=perhaps`)).toEqual([400, 'refresh_status']);
    expect(await refused(`${parameter.url}pushes/?tag=stable`)).toEqual([400, 'detail']);
    expect(await refused(`${parameter.url}pushes/?environment=production&tag=nope`)).toEqual([404, 'detail']);
  });

  it.each`
    why                                    | wish                                                      | code                       | field
    ${'no place for each parameter (E97)'} | ${{ resource: 'x' }}                                      | ${'push_resource'}         | ${'resource'}
    ${'nothing to carry (E98)'}            | ${{ include_parameters: false }}                          | ${'push_includes_nothing'} | ${'non_field_errors'}
    ${'a project that is not there'}       | ${{ projects: ['00000000-0000-4000-8000-000000000000'] }} | ${'unknown_link'}          | ${'projects'}
    ${'a tag that is not there'}           | ${{ tags: ['00000000-0000-4000-8000-000000000000'] }}     | ${'unknown_link'}          | ${'tags'}
    ${'a region that is not there'}        | ${{ region: 'mars-1' }}                                   | ${'invalid'}               | ${'region'}
  `('with $why are refused', async ({ wish, code, field }) => {
    const { push } = await house();

    const refused = await push(wish);

    expect(refused).toMatchObject({ status: 400, body: { [field]: [expect.any(String)] } });
    expect(refused.headers['x-error-code']).toBe(code);
  });

  it('take several tags of one environment only when the resource tells them apart (E97)', async () => {
    const { organization, environment, stable, push } = await house();
    const next = await tag(organization, environment, 'next');
    const tags = [stable.url, next.url];

    const refused = await push({ tags });

    expect(refused).toMatchObject({ status: 400, body: { resource: [expect.stringContaining('{{ tag }}')] } });
    expect(refused.headers['x-error-code']).toBe('push_several_tags');
    expect(await push({ tags, resource: '/{{ tag }}/{{ parameter }}' })).toMatchObject({ status: 201 });
  });

  it('keep region and service, have unique names, and are found by what they carry', async () => {
    const { organization, aws, push, project, environment, stable } = await house();
    const made = (await push()).body as Push;
    expect(await push()).toMatchObject({ status: 400, body: { name: [expect.stringContaining('to the store')] } });

    const { body } = await organization.owner.patch<Push>(made.url, {
      region: 'us-east-1',
      service: 's3',
      force: true,
    });

    expect(body).toMatchObject({ region: 'eu-central-1', service: 'ssm', force: true });
    const count = async (query: string) =>
      (await organization.owner.get<Page<Push>>(`${aws.url}pushes/?${query}`)).body.count;
    for (const query of [`project=${project.url}`, `environment=${environment.url}`, `tag=${stable.url}`]) {
      expect([query, await count(query)]).toEqual([query, 1]);
    }
    const elsewhere = await organization.environmentNamed('staging');
    expect(await count(`environment=${elsewhere.url}`)).toBe(0);
    expect(await count('name__icontains=STORE')).toBe(1);
  });

  it('are shown by their project and their tags, which cannot be deleted meanwhile', async () => {
    const { organization, push, project, stable } = await house();
    const made = (await push()).body as Push;
    const azure = await integration(organization, 'azure/key_vault', AZURE);
    const place = { name: 'to the vault', projects: [project.url], tags: [stable.url], resource: '{{ parameter }}' };
    const other = (await organization.owner.post<Push>(`${azure.url}pushes/`, place)).body;

    const shown = { pushes: [made], push_urls: [made.url, other.url] };
    expect((await organization.owner.get(project.url)).body).toMatchObject(shown);
    expect((await organization.owner.get(stable.url)).body).toMatchObject(shown);
    const refused = await organization.owner.delete(stable.url);
    expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('to the store') } });
    expect(refused.headers['x-error-code']).toBe('tag_in_use');
    for (const { url } of [made, other]) await organization.owner.delete(url);
    expect(await organization.owner.delete(stable.url)).toMatchObject({ status: 204 });
  });

  it('leave with their links the projects and environments that are deleted', async () => {
    const { organization, push, project, environment } = await house();
    const { url } = (await push()).body as Push;

    expect(await organization.owner.delete(project.url)).toMatchObject({ status: 204 });
    expect(await organization.owner.delete(environment.url)).toMatchObject({ status: 204 });

    const { body } = await organization.owner.get<Push>(url);
    expect(body).toMatchObject({ projects: [], tags: [] });
    const steps = await organization.owner.get<Page<TaskStep>>(`${body.latest_task?.url}steps/`);
    expect(steps.body.results).toMatchObject([{ project: null, project_name: 'shop', environment_name: 'production' }]);
    expect(await organization.owner.delete(url)).toMatchObject({ status: 204 });
  });

  it('are told of by parameters that they carry: none that was reached', async () => {
    const { organization, project, push } = await house();
    const parameter = await organization.parameter({ project });
    await push();

    const found = await organization.as('VIEWER').get(`${parameter.url}pushes/?as_of=2030-01-01`);

    expect(found).toMatchObject({ status: 200, body: { count: 0 } });
    expect(await organization.owner.get(`${project.url}parameters/${randomUUID()}/pushes/`)).toMatchObject({
      status: 404,
      body: { detail: expect.stringContaining('Parameter') },
    });
  });
});

describe('pulls', () => {
  it('of the system cannot be deleted, those of people can', async () => {
    const organization = await core.organization();
    const aws = await integration(organization);
    const { body } = await organization.owner.get<Page<Pull>>(`${aws.url}pulls/`);
    const [mapped] = body.results;
    expect(mapped).toMatchObject({ mode: 'mapped', mapped_values: [], latest_task: null });

    const refused = await organization.owner.delete(mapped?.url ?? '');
    const made = await organization.owner.post<Pull>(`${aws.url}pulls/`, {
      name: 'from the store',
      region: 'eu-central-1',
      service: 'ssm',
      resource: '/{{ environment }}/{{ parameter }}',
      create_projects: true,
    });

    expect(refused).toMatchObject({ status: 403, body: { detail: expect.stringContaining('system') } });
    expect(made).toMatchObject({ status: 201, body: { mode: 'pattern', create_projects: true, dry_run: false } });
    expect(await organization.owner.delete(made.body.url)).toMatchObject({ status: 204 });
    expect(await lastChanges(organization)).toEqual(['delete Pull from the store']);
  });

  it.each(PROVIDERS)('of $path run on request, dry if asked, with one step that could not read', async (provider) => {
    const organization = await core.organization();
    const made = await integration(organization, provider.path, provider.body);
    const [mapped] = (await organization.owner.get<Page<Pull>>(`${made.url}pulls/`)).body.results;
    const url = mapped?.url ?? '';

    expect(await organization.owner.post(`${url}sync/`, { dry_run: true })).toMatchObject({ status: 202, text: '' });

    const { latest_task: task } = (await organization.owner.get<Pull>(url)).body;
    expect(task).toMatchObject({ state: 'failure', dry_run: true, error_code: 'no_cloud_access' });
    const { body } = await organization.owner.get<Page<TaskStep>>(`${task?.url}steps/?success=false`);
    expect(body.results).toMatchObject([{ operation: 'read', fqn: made.fqn, environment: null }]);
    expect(await organization.owner.patch(url, { description: 'd' })).toMatchObject({
      status: 200,
      body: { description: 'd', latest_task: task },
    });
  });
});
