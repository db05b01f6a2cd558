import type { Environment, Page, Parameter, Project, Value } from '@strata/contract';
import { ledgerProblems } from '@strata/testkit';
import { type CoreInProcess, startCoreInProcess } from '../../../testing/core-in-process.ts';
import { lastChanges, organizationWithConfiguration, requestEffective } from '../../../testing/organization.ts';

let core: CoreInProcess;
beforeAll(async () => {
  core = await startCoreInProcess();
});
afterAll(() => core.close());

describe('a copy of an environment', () => {
  it('has the same parent and every value that is set in the source, including secrets', async () => {
    const { organization, project, production } = await organizationWithConfiguration(core);

    const copy = await organization.owner.post<Environment>(`${production.url}copy/`, { name: 'blue' });

    expect(copy).toMatchObject({
      status: 201,
      body: { name: 'blue', parent: production.parent, description: production.description, children: [] },
    });
    expect(copy.headers.location).toBe(copy.body.url);
    expect(await requestEffective(organization, project, 'blue')).toEqual(
      await requestEffective(organization, project, 'production'),
    );
    expect(await lastChanges(core, organization)).toEqual([
      'environment_created create Environment blue',
      'value_created create Value password',
      'value_created create Value port',
    ]);
  });

  it('is independent of its source', async () => {
    const { organization, project, production, port } = await organizationWithConfiguration(core);
    await organization.owner.post(`${production.url}copy/`, { name: 'blue', description: 'half of it' });
    const { results } = (await organization.owner.get<Page<Value>>(`${port.url}values/?environment=production`)).body;

    await organization.owner.patch(results[0]?.url ?? '', { internal_value: '8443' });

    expect(await requestEffective(organization, project, 'blue')).toMatchObject({
      port: '443',
      url: 'https://example.com:443',
    });
    expect((await organization.environmentNamed('blue')).description).toBe('half of it');
  });

  it('includes its children on request, under new names', async () => {
    const { organization, project, production, port } = await organizationWithConfiguration(core);
    const eu = await organization.environment({ name: 'eu', parent: production.url });
    const west = await organization.environment({ name: 'eu-west', parent: eu.url });
    await organization.environment({ name: 'us', parent: production.url });
    await organization.value({ parameter: port, environment: west, internal_value: '8' });
    const input = { name: 'blue', recursive: true, child_environment_names: { us: 'america' } };

    const { body } = await organization.owner.post<Environment>(`${production.url}copy/`, input);

    const all = (await organization.owner.get<Page<Environment>>('environments/')).body.results;
    const parentOf = (name: string) => all.find((environment) => environment.name === name)?.parent;
    const urlOf = (name: string) => all.find((environment) => environment.name === name)?.url;
    expect([parentOf('eu-1'), parentOf('america'), parentOf('eu-west-1')]).toEqual([body.url, body.url, urlOf('eu-1')]);
    expect(body.children).toHaveLength(2);
    expect(await requestEffective(organization, project, 'eu-west-1')).toMatchObject({
      port: '8',
      password: 'hunter2',
    });
  });

  it('keeps the references of its dynamic values', async () => {
    const { organization, base, project, production, url } = await organizationWithConfiguration(core);
    const value = { parameter: url, environment: production, internal_value: '{{ host }}!', interpolated: true };
    await organization.value(value);
    const host = (await organization.owner.get<Page<Parameter>>(`${base.url}parameters/?name=host`)).body.results[0];
    await organization.owner.post(`${production.url}copy/`, { name: 'blue' });

    expect(await requestEffective(organization, project, 'blue')).toMatchObject({ url: 'example.com!' });
    const response = await organization.owner.delete(host?.url ?? '');
    expect(response).toMatchObject({ status: 409, body: { detail: expect.stringContaining('url in blue') } });
  });

  it('is rejected if a dynamic value would violate its rules in the copy', async () => {
    const { organization, production, url } = await organizationWithConfiguration(core);
    const text = 'http://{{ strata.environment }}';
    await organization.value({ parameter: url, environment: production, internal_value: text, interpolated: true });
    await organization.owner.post(`${url.url}rules/`, { type: 'max_len', constraint: '24' });

    const copy = (name: string) => organization.owner.post(`${production.url}copy/`, { name });
    expect(await copy('a very long name for it')).toMatchObject({
      status: 400,
      body: [expect.stringMatching(/^url of shop in a very long name for it would not fit there/)],
    });
    expect(await copy('blue')).toMatchObject({ status: 201 });
  });

  it('becomes a child of default if its source is default, because there is only one root', async () => {
    const organization = await core.organization();
    const root = await organization.environmentNamed('default');

    const { body } = await organization.owner.post<Environment>(`${root.url}copy/`, { name: 'second' });

    expect(body.parent).toBe(root.url);
  });

  it.each`
    input                                                                   | field                        | code
    ${{ name: 'staging' }}                                                  | ${'name'}                    | ${'duplicate_name'}
    ${{ name: 'production' }}                                               | ${'name'}                    | ${'duplicate_name'}
    ${{ name: ' ' }}                                                        | ${'name'}                    | ${'blank'}
    ${{}}                                                                   | ${'name'}                    | ${'required'}
    ${{ name: 'n', recursive: true, child_environment_names: { eu: 'n' } }} | ${'child_environment_names'} | ${'duplicate_name'}
    ${{ name: 'n', recursive: true, child_environment_names: { eu: ' ' } }} | ${'child_environment_names'} | ${'blank'}
  `('is rejected with $input, and nothing is stored', async ({ input, field, code }) => {
    const organization = await core.organization();
    const production = await organization.environmentNamed('production');
    const eu = await organization.environment({ name: 'eu', parent: production.url });
    const revision = (await organization.owner.get(eu.url)).headers['x-revision'];

    const response = await organization.owner.post(`${production.url}copy/`, input);

    expect(response).toMatchObject({ status: 400, body: { [field]: [expect.any(String)] } });
    expect(response.headers['x-error-code']).toBe(code);
    expect((await organization.owner.get(eu.url)).headers['x-revision']).toBe(revision);
  });
});

describe('a copy of a parameter', () => {
  it('has the secret flag, type, rules, and the values of all environments', async () => {
    const { organization, project, production, port, password } = await organizationWithConfiguration(core);
    const otherProject = await organization.project({ name: 'other' });

    const copy = await organization.owner.post<Parameter>(`${port.url}copy/`, {
      name: 'listen',
      project: otherProject.url,
    });
    const secret = await organization.owner.post<Parameter>(`${password.url}copy/`, {
      name: 'p2',
      project: project.id,
    });

    expect(copy).toMatchObject({
      status: 201,
      body: { name: 'listen', project: otherProject.url, type: 'integer', description: port.description },
    });
    expect(copy.body.rules).toMatchObject([{ type: 'max', constraint: '1000' }]);
    expect(copy.body.values[production.url]).toMatchObject({ value: '443' });
    expect(secret.body).toMatchObject({ secret: true, project: project.url });
    expect(secret.body.values[production.url]).toMatchObject({ value: 'hunter2', internal_value: null });
    expect(await lastChanges(core, organization)).toEqual([
      'parameter_created create Parameter p2',
      'value_created create Value p2',
    ]);
  });

  it('looks up the names in its texts in its new project', async () => {
    const { organization, url } = await organizationWithConfiguration(core);
    const otherProject = await organization.project({ name: 'other' });
    const copy = () =>
      organization.owner.post<Parameter>(`${url.url}copy/`, { name: 'url', project: otherProject.url });

    const response = await copy();
    expect(response).toMatchObject({ status: 400, body: [expect.stringMatching(/host|port/)] });
    for (const name of ['host', 'port']) {
      await organization.value({
        parameter: await organization.parameter({ project: otherProject, name }),
        internal_value: name,
      });
    }

    expect(await copy()).toMatchObject({ status: 201 });
    expect(await requestEffective(organization, otherProject, 'default')).toMatchObject({ url: 'https://host:port' });
  });

  it('is validated in its new project, as are the texts that refer to its name; project names stay the same', async () => {
    const { organization, project, port } = await organizationWithConfiguration(core);
    const otherProject = await organization.project({ name: 'other' });
    const count = await organization.parameter({ project, name: 'count', type: 'integer' });
    const named = await organization.parameter({ project, name: 'named' });
    await organization.value({ parameter: count, internal_value: '{{ port }}', interpolated: true });
    const text = '{{ strata.projects.shop.parameters.port }}';
    await organization.value({ parameter: named, internal_value: text, interpolated: true });
    await organization.value({
      parameter: await organization.parameter({ project: otherProject, name: 'port' }),
      internal_value: 'many',
    });
    const copy = (from: Parameter, name: string, to: Project) =>
      organization.owner.post<Parameter>(`${from.url}copy/`, { name, project: to.url });

    expect(await copy(count, 'count', otherProject)).toMatchObject({
      status: 400,
      body: expect.arrayContaining([expect.stringContaining('count of other in default would not fit there')]),
    });
    expect(await copy(named, 'named', otherProject)).toMatchObject({ status: 201 });
    expect(await requestEffective(organization, otherProject, 'default')).toMatchObject({ named: '80' });
    const child = await organization.project({ name: 'child', depends_on: project.url });
    const copied = await organization.parameter({ project: child, name: 'said', type: 'integer' });
    await organization.value({ parameter: copied, internal_value: '{{ port }}', interpolated: true });
    const word = await organization.parameter({ project, name: 'word' });
    await organization.value({ parameter: word, internal_value: 'a word' });
    expect(await copy(word, 'port', child)).toMatchObject({
      status: 400,
      body: expect.arrayContaining([expect.stringContaining('said of child in default depends on this')]),
    });
    expect(await copy(port, 'port', child)).toMatchObject({ status: 201 });
  });

  it('keeps references to a parameter even if a template has the same name', async () => {
    const organization = await core.organization();
    const [from, to] = [await organization.project({ name: 'from' }), await organization.project({ name: 'to' })];
    for (const project of [from, to]) {
      const parameter = await organization.parameter({ project, name: 'x' });
      await organization.value({ parameter, internal_value: `x of ${project.name}` });
    }
    await organization.owner.post(`${to.url}templates/`, { name: 'x', body: 'not this' });
    const y = await organization.parameter({ project: from, name: 'y' });
    await organization.value({ parameter: y, internal_value: '{{ x }}', interpolated: true });

    const copy = await organization.owner.post<Parameter>(`${y.url}copy/`, { project: to.url, name: 'y' });

    expect(copy).toMatchObject({ status: 201 });
    expect((await requestEffective(organization, to, 'default')).y).toBe('x of to');
  });

  it('requires available names (E34) that match the pattern of its new project (E33)', async () => {
    const { organization, project, port } = await organizationWithConfiguration(core);
    const strict = await organization.project({ name: 'strict', parameter_name_pattern: 'X_' });
    const copy = (name: string, to: Project) => organization.owner.post(`${port.url}copy/`, { name, project: to.url });

    expect(await copy('url', project)).toMatchObject({ status: 400, body: { name: [expect.stringContaining('url')] } });
    expect(await copy('x', strict)).toMatchObject({ status: 400, body: { name: [expect.stringContaining('X_')] } });
    expect(await copy('X_port', strict)).toMatchObject({ status: 201 });
    expect(await organization.owner.post(`${port.url}copy/`, { name: 'n' })).toMatchObject({
      status: 400,
      body: { project: ['This field is required.'] },
    });
  });
});

describe('copies', () => {
  it('return 401, 403 and 404 on every route', async () => {
    const { organization, project, production, port } = await organizationWithConfiguration(core);
    const otherOrganization = await core.organization();
    for (const { url } of [production, project, port]) {
      const body = { name: 'n', project: project.url };
      expect(await organization.as('VIEWER').post(`${url}copy/`, body)).toMatchObject({ status: 403 });
      expect(await otherOrganization.owner.post(`${url}copy/`, body)).toMatchObject({
        status: 404,
        text: (await otherOrganization.owner.get(url)).text,
      });
    }
    expect(
      await organization.owner.post(`${port.url}copy/`, {
        name: 'n',
        project: (await otherOrganization.project()).url,
      }),
    ).toMatchObject({ status: 400, body: { project: [expect.any(String)] } });
  });
});

it('rows, history and changes are consistent at the end', async () => {
  expect(await ledgerProblems(core.database.url)).toEqual([]);
});
