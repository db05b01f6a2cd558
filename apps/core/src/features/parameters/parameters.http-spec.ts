import type { Page, Parameter, Project } from '@strata/contract';
import { type RunningCore, sharedCore } from '@strata/testkit';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

describe('parameters', () => {
  it('are not created if the query of the response is invalid', async () => {
    const organization = await core.organization();
    const { url } = await organization.project();

    expect(await organization.owner.post(`${url}parameters/?mask_secrets=perhaps`, { name: 'p' })).toMatchObject({
      status: 400,
      body: { mask_secrets: [expect.any(String)] },
    });
    expect((await organization.owner.get<Page<Parameter>>(`${url}parameters/`)).body.count).toBe(0);
  });

  it('start without values, and are sorted by name, ignoring case and punctuation unless names are equal otherwise', async () => {
    const organization = await core.organization();
    const project = await organization.project();
    for (const name of ['web', 'TestProject', 'redis', 'a/b c', '_x']) await organization.parameter({ project, name });

    const { body } = await organization.owner.get<Page<Parameter>>(`${project.url}parameters/?environment=default`);
    expect(body.results.map(({ name }) => name)).toEqual(['a/b c', 'redis', 'TestProject', 'web', '_x']);
    expect(body.results.every(({ values_flat }) => values_flat.length === 0)).toBe(true);
  });

  it('remain secret or plain, follow the name pattern, and return 404 for an unknown type', async () => {
    const organization = await core.organization();
    const project = await organization.project({ parameter_name_pattern: 'FOO_.*' });
    const post = (input: object) => organization.owner.post<Parameter>(`${project.url}parameters/`, input);

    expect(await post({ name: 'BAR' })).toMatchObject({
      status: 400,
      body: { name: [expect.stringContaining('FOO_')] },
    });
    const createResponse = await post({ name: 'FOO_1' });
    expect(createResponse).toMatchObject({ status: 201, body: { type: 'string', secret: false } });
    expect(await organization.owner.patch(createResponse.body.url, { secret: true })).toMatchObject({
      status: 400,
      body: { secret: [expect.any(String)] },
    });
    expect(await post({ name: 'FOO_2', type: 'nope' })).toMatchObject({
      status: 404,
      body: { detail: 'No ParameterType matches the given query.' },
    });
    expect(await post({ name: 'FOO_1' })).toMatchObject({ status: 400, body: { name: [expect.any(String)] } });
    expect(await post({ name: '' })).toMatchObject({ status: 400, body: { name: [expect.any(String)] } });
    expect(await post({})).toMatchObject({ status: 400, body: { name: ['This field is required.'] } });
  });

  it('change their type only if every value is valid for it', async () => {
    const organization = await core.organization();
    const parameter = await organization.parameter({ type: 'boolean' });
    await organization.value({ parameter, internal_value: 'true' });
    const to = (type: string) => organization.owner.patch<Parameter>(parameter.url, { type });

    expect(await to('string')).toMatchObject({ status: 200, body: { type: 'string' } });
    expect(await to('boolean')).toMatchObject({ status: 200, body: { type: 'boolean' } });
    expect(await to('integer')).toMatchObject({ status: 400, body: { type: [expect.stringContaining('integer')] } });
  });

  it('are deleted with their values', async () => {
    const organization = await core.organization();
    const parameter = await organization.parameter();
    const value = await organization.value({ parameter });

    expect(await organization.owner.delete(parameter.url)).toMatchObject({ status: 204 });
    expect(await organization.owner.get(value.url)).toMatchObject({ status: 404 });
  });
});

describe('tolerance for existing clients (H8)', () => {
  it('ignores read-only and unknown members, accepts forms, and accepts paths without a final slash', async () => {
    const organization = await core.organization();
    const { owner } = organization;

    const json = await owner.post<Project>('projects/', {
      url: '',
      id: '',
      name: 'a',
      created_at: '',
      modified_at: null,
      nonsense: { x: 1 },
    });
    const form = await owner.post<Project>('projects/', new URLSearchParams({ name: 'b', description: 'from a form' }));
    const multipart = new FormData();
    multipart.set('name', 'c');
    const parts = await owner.post<Project>('projects', multipart);

    expect([json.status, form.status, parts.status]).toEqual([201, 201, 201]);
    expect(form.body.description).toBe('from a form');
    expect(await owner.get('projects?name=a&wrap=true&partial_success=1&page_size=0')).toMatchObject({
      status: 200,
      body: { count: 1 },
    });
  });
});
