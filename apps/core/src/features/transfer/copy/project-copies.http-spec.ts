import { randomUUID } from 'node:crypto';
import type { Page, Parameter, Project, Template, Value } from '@strata/contract';
import { ledgerProblems } from '@strata/testkit';
import { type CoreInProcess, startCoreInProcess } from '../../../testing/core-in-process.ts';
import { lastChanges, organizationWithConfiguration, requestEffective } from '../../../testing/organization.ts';
import { template } from '../../../testing/texts.ts';

let core: CoreInProcess;
beforeAll(async () => {
  core = await startCoreInProcess();
});
afterAll(() => core.close());

describe('a copy of a project', () => {
  it('has the parameters, rules, values and templates of its source, and the same dependency', async () => {
    const { organization, base, project, port } = await organizationWithConfiguration(core);
    await template(organization, project, { name: 'config', body: 'listen {{ port }}' });

    const copy = await organization.owner.post<Project>(`${project.url}copy/`, { name: 'shop 2' });

    expect(copy).toMatchObject({ status: 201, body: { name: 'shop 2', depends_on: base.url } });
    expect(copy.headers.location).toBe(copy.body.url);
    expect(await requestEffective(organization, copy.body, 'production')).toEqual(
      await requestEffective(organization, project, 'production'),
    );
    const [copied] = (await organization.owner.get<Page<Parameter>>(`${copy.body.url}parameters/?name=port`)).body
      .results;
    expect(copied).toMatchObject({ type: 'integer', description: port.description, project_name: 'shop 2' });
    expect(copied?.rules).toMatchObject([{ type: 'max', constraint: '1000' }]);
    expect(await lastChanges(core, organization)).toEqual([
      '- create ParameterRule max',
      '- create Template config',
      'parameter_created create Parameter password',
      'parameter_created create Parameter port',
      'parameter_created create Parameter url',
      'project_created create Project shop 2',
      'value_created create Value password',
      'value_created create Value port',
      'value_created create Value port',
      'value_created create Value url',
    ]);
  });

  it('refers to itself where the source refers to itself', async () => {
    const { organization, project } = await organizationWithConfiguration(core);
    const line = await template(organization, project, { name: 'line', body: 'listen {{ port }}' });
    await template(organization, project, { name: 'whole', body: '{{ cloudtruth.templates.line }}; # {{ url }}' });
    const { body: copy } = await organization.owner.post<Project>(`${project.url}copy/`, { name: 'shop 2' });
    const [port] = (await organization.owner.get<Page<Parameter>>(`${copy.url}parameters/?name=port`)).body.results;
    const values = (await organization.owner.get<Page<Value>>(`${port?.url}values/?environment=default`)).body.results;

    await organization.owner.patch(values[0]?.url ?? '', { internal_value: '90' });

    const body = async ({ url }: Project) => {
      const all = await organization.owner.get<Page<Template>>(
        `${url}templates/?name=whole&environment=default&evaluate=true`,
      );
      return all.body.results[0]?.body;
    };
    expect([await body(project), await body(copy)]).toEqual([
      'listen 80; # https://example.com:80',
      'listen 90; # https://example.com:90',
    ]);
    expect(await organization.owner.delete(port?.url ?? '')).toMatchObject({ status: 409 });
    expect(await organization.owner.delete(project.url)).toMatchObject({ status: 204 });
    expect(await organization.owner.delete(line.url)).toMatchObject({ status: 404 });
    expect(await body(copy)).toBe('listen 90; # https://example.com:90');
  });

  it('names itself in texts that name the source, in any notation, and has the same secret flags', async () => {
    const { organization, base, project, password } = await organizationWithConfiguration(core);
    await organization.value({ parameter: password, internal_value: 'default secret' });
    const link = await organization.parameter({ project, name: 'link' });
    const text = '{{ cloudtruth.projects.shop.parameters.port }}{{ strata.projects["shop"].parameters.password }}';
    await organization.value({ parameter: link, internal_value: text, interpolated: true });
    const body = `strata.projects.shop {% if strata.projects['shop'].templates.line != "strata.projects.shop" %}{{
      cloudtruth["projects"].shop.parameters.port | append: strata.projects.base.parameters.host }}{% endif %}{% raw %}{{ strata.projects.shop }}{% endraw %}`;
    await template(organization, project, { name: 'line', body: 'listen {{ strata.projects.shop.parameters.port }}' });
    await template(organization, project, { name: 'whole', body });

    const { body: copy } = await organization.owner.post<Project>(`${project.url}copy/`, { name: 'shop "2"' });
    const find = async (name: string) =>
      (await organization.owner.get<Page<Parameter>>(`${copy.url}parameters/?name=${name}&environment=default`)).body
        .results[0];
    const [port, copied] = [await find('port'), await find('link')];
    await organization.owner.patch(port?.values_flat[0]?.url ?? '', { internal_value: '90' });

    const [value] = (await find('link'))?.values_flat ?? [];
    expect(value).toMatchObject({
      value: '90default secret',
      internal_value: text.replace('.projects.shop', `.projects['shop "2"']`).replace('["shop"]', `['shop "2"']`),
      secret: true,
      referenced_parameters: expect.arrayContaining([port?.url]),
      referenced_projects: [],
    });
    const masked = await organization.owner.get<Value>(`${value?.url}?mask_secrets=true`);
    expect(masked.body.value).toBe('*****');
    const whole = await organization.owner.get<Page<Template>>(
      `${copy.url}templates/?name=whole&environment=default&evaluate=true`,
    );
    expect(whole.body.results[0]?.body.trim()).toBe('strata.projects.shop 90example.com{{ strata.projects.shop }}');
    expect(copied?.project).toBe(copy.url);
    expect(await organization.owner.delete(project.url)).toMatchObject({ status: 204 });
    expect((await find('link'))?.values_flat[0]).toMatchObject({ value: '90default secret', secret: true });
    expect(await organization.owner.delete(base.url)).toMatchObject({ status: 409 });
  });

  it('keeps references to a parameter even if a template has the same name', async () => {
    const organization = await core.organization();
    const project = await organization.project({ name: 'web' });
    const nginx = await organization.parameter({ project, name: 'nginx' });
    await organization.value({ parameter: nginx, internal_value: 'listen 80' });
    await template(organization, project, { name: 'nginx', body: 'not this' });
    await template(organization, project, { name: 'other', body: '{{ nginx }}' });

    const copy = await organization.owner.post<Project>(`${project.url}copy/`, { name: 'web 2' });

    expect(copy).toMatchObject({ status: 201 });
    const [copied] = (await organization.owner.get<Page<Parameter>>(`${copy.body.url}parameters/`)).body.results;
    const path = `${copy.body.url}templates/?name=other&environment=default&evaluate=true`;
    expect((await organization.owner.get<Page<Template>>(path)).body.results).toMatchObject([
      { body: 'listen 80', referenced_parameters: [copied?.url], referenced_templates: [] },
    ]);
  });

  it('with dependents names the copies in texts that name another copied project', async () => {
    const { organization, base } = await organizationWithConfiguration(core);
    const [shopProject] = (await organization.owner.get<Page<Project>>('projects/?name=shop')).body.results;
    const parameter = await organization.parameter({ project: shopProject as Project, name: 'far' });
    const text = '{{ strata.projects.base.parameters.host }}';
    await organization.value({ parameter, internal_value: text, interpolated: true });
    const input = { name: 'ground', recursive: true, child_project_names: { shop: 'store' } };

    const { body: ground } = await organization.owner.post<Project>(`${base.url}copy/`, input);
    const [host] = (await organization.owner.get<Page<Parameter>>(`${ground.url}parameters/?name=host`)).body.results;
    await organization.owner.patch(host?.values_flat[0]?.url ?? '', { internal_value: 'copied.example' });

    const [store] = (await organization.owner.get<Page<Project>>('projects/?name=store')).body.results;
    expect(await requestEffective(organization, store as Project, 'default')).toMatchObject({ far: 'copied.example' });
    expect(await requestEffective(organization, shopProject as Project, 'default')).toMatchObject({
      far: 'example.com',
    });
  });

  it('is rejected if its dynamic values would violate their types, and nothing is stored', async () => {
    const { organization, project } = await organizationWithConfiguration(core);
    const parameter = await organization.parameter({ project, name: 'short' });
    await organization.owner.post(`${parameter.url}rules/`, { type: 'max_len', constraint: '5' });
    await organization.value({ parameter, internal_value: '{{ strata.project }}', interpolated: true });

    const response = await organization.owner.post(`${project.url}copy/`, { name: 'a longer name' });
    expect(response).toMatchObject({
      status: 400,
      body: expect.arrayContaining([
        expect.stringMatching(/^short of a longer name in production would not fit there/),
      ]),
    });
    expect(response.headers['x-error-code']).toBe('dependent_values');
    expect((await organization.owner.get<Page<Project>>('projects/?name=a%20longer%20name')).body.count).toBe(0);
    expect(await organization.owner.post(`${project.url}copy/`, { name: 'store' })).toMatchObject({ status: 201 });
  });

  it('includes its dependents on request, which depend on the copy', async () => {
    const { organization, base, project } = await organizationWithConfiguration(core);
    const input = { name: 'ground', recursive: true, child_project_names: { shop: 'store' }, depends_on: null };

    const { body } = await organization.owner.post<Project>(`${base.url}copy/`, input);

    expect(body.depends_on).toBeNull();
    const [store] = (await organization.owner.get<Page<Project>>('projects/?name=store')).body.results;
    expect(store).toMatchObject({ depends_on: body.url });
    const host = (await organization.owner.get<Page<Parameter>>(`${body.url}parameters/?name=host`)).body.results[0];
    const [value] = (await organization.owner.get<Page<Value>>(`${host?.url}values/`)).body.results;
    await organization.owner.patch(value?.url ?? '', { internal_value: 'other.example' });
    expect(await requestEffective(organization, store as Project, 'default')).toMatchObject({
      url: 'https://other.example:80',
    });
    expect(await requestEffective(organization, project, 'default')).toMatchObject({ url: 'https://example.com:80' });
  });

  it('is rejected if references of its texts would no longer resolve', async () => {
    const { organization, project } = await organizationWithConfiguration(core);

    const response = await organization.owner.post(`${project.url}copy/`, { name: 'alone', depends_on: null });

    expect(response).toMatchObject({ status: 400, body: [expect.stringContaining('host')] });
    expect(response.headers['x-error-code']).toBe('unknown_reference');
  });

  it('requires available names that match the pattern for projects (E21)', async () => {
    const { organization, project } = await organizationWithConfiguration(core);
    await organization.owner.patch(`organizations/${organization.id}/`, { project_name_pattern: 'shop' });

    expect(await organization.owner.post(`${project.url}copy/`, { name: 'store' })).toMatchObject({
      status: 400,
      body: { name: [expect.stringContaining('shop')] },
    });
    expect(await organization.owner.post(`${project.url}copy/`, { name: 'shop' })).toMatchObject({
      status: 400,
      body: { name: [expect.stringContaining('shop')] },
    });
    expect(
      await organization.owner.post(`${project.url}copy/`, { name: 'shop 2', depends_on: randomUUID() }),
    ).toMatchObject({ status: 400, body: { depends_on: [expect.any(String)] } });
  });
});

it('rows, history and changes are consistent at the end', async () => {
  expect(await ledgerProblems(core.database.url)).toEqual([]);
});
