import { randomUUID } from 'node:crypto';
import type { Page, Project, Pull, Push, TaskStep } from '@strata/contract';
import { type RunningCore, sharedCore } from '@strata/testkit';
import {
  AZURE,
  createIntegrationFixture,
  integration,
  lastChanges,
  PROVIDERS,
  tag,
} from '../../testing/integrations.ts';
import { createPerson } from '../../testing/people.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

describe('pushes', () => {
  it('run when they are created, and end as a failure that lists what they tried to write', async () => {
    const { organization, push, project, environment } = await createIntegrationFixture(core);

    const created = await push();
    const { url, latest_task: task } = created.body as Push;

    expect(created).toMatchObject({ status: 201, body: { include_parameters: true, include_secrets: false } });
    expect(task).toMatchObject({ state: 'failure', error_code: 'no_cloud_access', dry_run: false });
    expect(await lastChanges(core, organization)).toEqual(['create Push to the store', 'create Task to the store']);
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

  it('run on request, when they change, and when their tag moves; the latest runs are stored', async () => {
    const { organization, push, stable, project } = await createIntegrationFixture(core);
    const { url } = (await push()).body as Push;
    const reasons = async () =>
      (await organization.owner.get<Page<{ reason: string }>>(`${url}tasks/`)).body.results.map(({ reason }) => reason);

    const latestOfProject = async () =>
      ((await organization.owner.get<Project>(project.url)).body.pushes as Push[]).map(
        ({ latest_task: task }) => task?.reason,
      );
    expect(await latestOfProject()).toEqual(['The push was created.']);
    expect(await organization.owner.post(`${url}sync/`)).toMatchObject({ status: 202, text: '' });
    expect(await latestOfProject()).toEqual(['Started manually.']);
    await organization.owner.patch(url, { description: 'd' });
    await organization.owner.patch(url, { description: 'd' });
    await organization.owner.patch(stable.url, { description: 'only words' });
    const moved = await organization.owner.patch(stable.url, { timestamp: '2020-01-01T00:00:00Z' });

    expect(moved).toMatchObject({ body: { pushes: [{ latest_task: { reason: 'The tag stable was moved.' } }] } });
    expect(await lastChanges(core, organization)).toEqual(['update Tag stable', 'create Task to the store']);
    expect(await reasons()).toEqual([
      'The tag stable was moved.',
      'The push was changed.',
      'Started manually.',
      'The push was created.',
    ]);
    for (let n = 0; n < 20; n += 1) await organization.owner.post(`${url}sync/`);
    expect(await reasons()).toHaveLength(20);
  });

  it('can be filtered by known fields and by valid points in time', async () => {
    const { organization, push, aws, project } = await createIntegrationFixture(core);
    const { url, latest_task: task } = (await push()).body as Push;
    const parameter = await organization.parameter({ project });
    const expectRejected = async (path: string) => {
      const { status, body } = await organization.owner.get<object>(path);
      return [status, ...Object.keys(body)];
    };

    expect(await expectRejected(`${url}tasks/?state=nonsense`)).toEqual([400, 'state']);
    expect(await expectRejected(`${task?.url}steps/?operation=nonsense`)).toEqual([400, 'operation']);
    expect(await expectRejected(`${aws.url}?refresh_status=perhaps`)).toEqual([400, 'refresh_status']);
    expect(await expectRejected(`${parameter.url}pushes/?tag=stable`)).toEqual([400, 'detail']);
    expect(await expectRejected(`${parameter.url}pushes/?environment=production&tag=nope`)).toEqual([404, 'detail']);
  });

  it.each`
    why                                           | input                                                     | code                       | field
    ${'the same target for all parameters (E97)'} | ${{ resource: 'x' }}                                      | ${'push_resource'}         | ${'resource'}
    ${'nothing to write (E98)'}                   | ${{ include_parameters: false }}                          | ${'push_includes_nothing'} | ${'non_field_errors'}
    ${'a project that does not exist'}            | ${{ projects: ['00000000-0000-4000-8000-000000000000'] }} | ${'unknown_link'}          | ${'projects'}
    ${'a tag that does not exist'}                | ${{ tags: ['00000000-0000-4000-8000-000000000000'] }}     | ${'unknown_link'}          | ${'tags'}
    ${'an unknown region'}                        | ${{ region: 'mars-1' }}                                   | ${'invalid'}               | ${'region'}
  `('are rejected with $why', async ({ input, code, field }) => {
    const { push } = await createIntegrationFixture(core);

    const response = await push(input);

    expect(response).toMatchObject({ status: 400, body: { [field]: [expect.any(String)] } });
    expect(response.headers['x-error-code']).toBe(code);
  });

  it('accept several tags of one environment only if the resource distinguishes them (E97)', async () => {
    const { organization, environment, stable, push } = await createIntegrationFixture(core);
    const next = await tag(organization, environment, 'next');
    const tags = [stable.url, next.url];

    const response = await push({ tags });

    expect(response).toMatchObject({ status: 400, body: { resource: [expect.stringContaining('{{ tag }}')] } });
    expect(response.headers['x-error-code']).toBe('push_several_tags');
    expect(await push({ tags, resource: '/{{ tag }}/{{ parameter }}' })).toMatchObject({ status: 201 });
  });

  it('keep region and service, have unique names, and can be filtered by what they write', async () => {
    const { organization, aws, push, project, environment, stable } = await createIntegrationFixture(core);
    const createdPush = (await push()).body as Push;
    expect(await push()).toMatchObject({ status: 400, body: { name: [expect.stringContaining('to the store')] } });

    const { body } = await organization.owner.patch<Push>(createdPush.url, {
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
    const { organization, push, project, stable } = await createIntegrationFixture(core);
    const createdPush = (await push()).body as Push;
    const azure = await integration(organization, 'azure/key_vault', AZURE);
    const location = { name: 'to the vault', projects: [project.url], tags: [stable.url], resource: '{{ parameter }}' };
    const azurePush = (await organization.owner.post<Push>(`${azure.url}pushes/`, location)).body;

    const shown = { pushes: [createdPush], push_urls: [createdPush.url, azurePush.url] };
    expect((await organization.owner.get(project.url)).body).toMatchObject(shown);
    expect((await organization.owner.get(stable.url)).body).toMatchObject(shown);
    const response = await organization.owner.delete(stable.url);
    expect(response).toMatchObject({ status: 409, body: { detail: expect.stringContaining('to the store') } });
    expect(response.headers['x-error-code']).toBe('tag_in_use');
    for (const { url } of [createdPush, azurePush]) await organization.owner.delete(url);
    expect(await organization.owner.delete(stable.url)).toMatchObject({ status: 204 });
  });

  it.each(['project', 'environment'] as const)('prevent the deletion of their %s', async (noun) => {
    const { organization, push, ...used } = await createIntegrationFixture(core);
    const { url } = (await push()).body as Push;

    const response = await organization.owner.delete(used[noun].url);

    expect(response).toMatchObject({ status: 409, body: { detail: expect.stringContaining('to the store') } });
    expect(response.headers['x-error-code']).toBe(`${noun}_in_use`);
    expect((await organization.owner.get<Push>(url)).body).toMatchObject({
      projects: [used.project.url],
      tags: [used.stable.url],
    });
    expect(await organization.owner.delete(url)).toMatchObject({ status: 204 });
    expect(await organization.owner.delete(used[noun].url)).toMatchObject({ status: 204 });
  });

  it('of secrets require a caller who may reveal secrets', async () => {
    const { organization, push, aws, project, stable } = await createIntegrationFixture(core);
    const secret = (await push({ include_secrets: true })).body as Push;
    const { body: plain } = (await push({ name: 'without secrets' })) as { body: Push };
    const { client: administrator, membershipId } = await createPerson(core, organization.id, 'ADMIN');
    await organization.owner.patch(`memberships/${membershipId}/`, { reveals_secrets: false });
    const location = { projects: [project.url], tags: [stable.url], region: 'eu-central-1', service: 'ssm' };
    const input = { ...location, name: 'new', resource: '/{{ parameter }}', include_secrets: true };

    const responses = [
      await administrator.post(`${aws.url}pushes/`, input),
      await administrator.patch(plain.url, { include_secrets: true }),
      await administrator.patch(secret.url, { resource: '/elsewhere/{{ parameter }}' }),
      await administrator.post(`${secret.url}sync/`),
      await administrator.patch(aws.url, { aws_role_name: 'other' }),
      await administrator.patch(aws.url, { writable: true }),
      await administrator.patch(stable.url, { timestamp: new Date().toISOString() }),
    ];

    const codes = responses.map(({ status, headers }) => [status, headers['x-error-code']]);
    expect(codes).toEqual(responses.map(() => [403, 'reveal_forbidden']));
    expect(await administrator.post(`${plain.url}sync/`)).toMatchObject({ status: 202 });
    expect(await administrator.patch(aws.url, { description: 'd' })).toMatchObject({ status: 200 });
  });

  it('are never listed by a parameter, because none of them writes it', async () => {
    const { organization, project, push } = await createIntegrationFixture(core);
    const parameter = await organization.parameter({ project });
    await push();

    const response = await organization.as('VIEWER').get(`${parameter.url}pushes/?as_of=2030-01-01`);

    expect(response).toMatchObject({ status: 200, body: { count: 0 } });
    expect(await organization.owner.get(`${project.url}parameters/${randomUUID()}/pushes/`)).toMatchObject({
      status: 404,
      body: { detail: expect.stringContaining('Parameter') },
    });
  });
});

describe('pulls', () => {
  it('of the system cannot be deleted, while those of people can', async () => {
    const organization = await core.organization();
    const aws = await integration(organization);
    const { body } = await organization.owner.get<Page<Pull>>(`${aws.url}pulls/`);
    const [mapped] = body.results;
    expect(mapped).toMatchObject({ mode: 'mapped', mapped_values: [], latest_task: null });

    const response = await organization.owner.delete(mapped?.url ?? '');
    const pull = await organization.owner.post<Pull>(`${aws.url}pulls/`, {
      name: 'from the store',
      region: 'eu-central-1',
      service: 'ssm',
      resource: '/{{ environment }}/{{ project }}/{{ parameter }}',
      create_projects: true,
    });

    expect(response).toMatchObject({ status: 403, body: { detail: expect.stringContaining('system') } });
    expect(pull).toMatchObject({ status: 201, body: { mode: 'pattern', create_projects: true, dry_run: false } });
    expect(await organization.owner.delete(pull.body.url)).toMatchObject({ status: 204 });
    expect(await lastChanges(core, organization)).toEqual(['delete Pull from the store']);
  });

  it('create environments and projects unless disabled', async () => {
    const organization = await core.organization();
    const aws = await integration(organization);
    const input = {
      region: 'eu-central-1',
      service: 'ssm',
      resource: '/{{ environment }}/{{ project }}/{{ parameter }}',
    };

    const silent = await organization.owner.post<Pull>(`${aws.url}pulls/`, { ...input, name: 'silent' });
    const not = { create_environments: false, create_projects: false };
    const shown = await organization.owner.post<Pull>(`${aws.url}pulls/`, { ...input, ...not, name: 'told' });
    const later = await organization.owner.patch<Pull>(shown.body.url, { description: 'd' });

    expect(silent).toMatchObject({ status: 201, body: { create_environments: true, create_projects: true } });
    expect([shown.body, later.body]).toEqual([expect.objectContaining(not), expect.objectContaining(not)]);
  });

  it.each(PROVIDERS)(
    'of $path run on request (also as a dry run), with one step that could not read',
    async (provider) => {
      const organization = await core.organization();
      const awsIntegration = await integration(organization, provider.path, provider.body);
      const [mapped] = (await organization.owner.get<Page<Pull>>(`${awsIntegration.url}pulls/`)).body.results;
      const url = mapped?.url ?? '';

      expect(await organization.owner.post(`${url}sync/`, { dry_run: true })).toMatchObject({ status: 202, text: '' });

      const { latest_task: task } = (await organization.owner.get<Pull>(url)).body;
      expect(task).toMatchObject({ state: 'failure', dry_run: true, error_code: 'no_cloud_access' });
      const { body } = await organization.owner.get<Page<TaskStep>>(`${task?.url}steps/?success=false`);
      expect(body.results).toMatchObject([{ operation: 'read', fqn: awsIntegration.fqn, environment: null }]);
      expect(await organization.owner.patch(url, { description: 'd' })).toMatchObject({
        status: 200,
        body: { description: 'd', latest_task: task },
      });
    },
  );
});
