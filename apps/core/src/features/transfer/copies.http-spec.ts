import { randomUUID } from 'node:crypto';
import type { Environment, Page, Parameter, Project, Value } from '@strata/contract';
import { ledgerProblems, type OwnCore, startCore, type TestOrganization } from '@strata/testkit';
import pg from 'pg';

let core: OwnCore;
let database: pg.Client;
beforeAll(async () => {
  core = await startCore();
  database = new pg.Client({ connectionString: core.database.url });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await core.close();
});

interface Template {
  readonly id: string;
  readonly url: string;
  readonly body: string;
}

async function template(organization: TestOrganization, project: Project, name: string, body: string) {
  return (await organization.owner.post<Template>(`${project.url}templates/`, { name, body })).body;
}

/** Name → text, as a program gets it. */
async function effective({ owner }: TestOrganization, project: Project, environment: string) {
  const path = `${project.url}effective/?environment=${encodeURIComponent(environment)}`;
  return (await owner.get<{ values: Record<string, string> }>(path)).body.values;
}

/** What the last write recorded, as `event action type name`. */
async function lastChanges(organization: TestOrganization): Promise<string[]> {
  const { rows } = await database.query<{ said: string }>(
    `select coalesce(event_type, '-') || ' ' || action || ' ' || object_type || ' ' || object_name as said from change
      where organization_id = $1 and revision = (select max(revision) from change where organization_id = $1)`,
    [organization.id],
  );
  return rows.map(({ said }) => said).sort();
}

/** A base project, and a shop that depends on it and is configured in production and below. */
async function shop() {
  const organization = await core.organization();
  const base = await organization.project({ name: 'base' });
  const project = await organization.project({ name: 'shop', depends_on: base.url, parameter_name_pattern: '' });
  const production = await organization.environmentNamed('production');
  const host = await organization.parameter({ project: base, name: 'host' });
  await organization.value({ parameter: host, internal_value: 'example.com' });
  const port = await organization.parameter({
    project,
    name: 'port',
    type: 'integer',
    description: 'where it listens',
  });
  await organization.value({ parameter: port, internal_value: '80' });
  await organization.value({ parameter: port, environment: production, internal_value: '443' });
  const password = await organization.parameter({ project, name: 'password', secret: true });
  await organization.value({ parameter: password, environment: production, internal_value: 'hunter2' });
  const url = await organization.parameter({ project, name: 'url' });
  await organization.value({ parameter: url, internal_value: 'https://{{ host }}:{{ port }}', interpolated: true });
  await organization.owner.post(`${port.url}rules/`, { type: 'max', constraint: '1000' });
  return { organization, base, project, production, port, password, url };
}

describe('a copy of an environment', () => {
  it('stands beside it and has every value that is set in it, secrets too', async () => {
    const { organization, project, production } = await shop();

    const made = await organization.owner.post<Environment>(`${production.url}copy/`, { name: 'blue' });

    expect(made).toMatchObject({
      status: 201,
      body: { name: 'blue', parent: production.parent, description: production.description, children: [] },
    });
    expect(made.headers.location).toBe(made.body.url);
    expect(await effective(organization, project, 'blue')).toEqual(
      await effective(organization, project, 'production'),
    );
    expect(await lastChanges(organization)).toEqual([
      'environment_created create Environment blue',
      'value_created create Value password',
      'value_created create Value port',
    ]);
  });

  it('is independent of it', async () => {
    const { organization, project, production, port } = await shop();
    await organization.owner.post(`${production.url}copy/`, { name: 'blue', description: 'half of it' });
    const { results } = (await organization.owner.get<Page<Value>>(`${port.url}values/?environment=production`)).body;

    await organization.owner.patch(results[0]?.url ?? '', { internal_value: '8443' });

    expect(await effective(organization, project, 'blue')).toMatchObject({
      port: '443',
      url: 'https://example.com:443',
    });
    expect((await organization.environmentNamed('blue')).description).toBe('half of it');
  });

  it('takes its children along if asked, under new names', async () => {
    const { organization, project, production, port } = await shop();
    const eu = await organization.environment({ name: 'eu', parent: production.url });
    const west = await organization.environment({ name: 'eu-west', parent: eu.url });
    await organization.environment({ name: 'us', parent: production.url });
    await organization.value({ parameter: port, environment: west, internal_value: '8' });
    const wish = { name: 'blue', recursive: true, child_environment_names: { us: 'america' } };

    const { body } = await organization.owner.post<Environment>(`${production.url}copy/`, wish);

    const all = (await organization.owner.get<Page<Environment>>('environments/')).body.results;
    const parentOf = (name: string) => all.find((one) => one.name === name)?.parent;
    const urlOf = (name: string) => all.find((one) => one.name === name)?.url;
    expect([parentOf('eu-1'), parentOf('america'), parentOf('eu-west-1')]).toEqual([body.url, body.url, urlOf('eu-1')]);
    expect(body.children).toHaveLength(2);
    expect(await effective(organization, project, 'eu-west-1')).toMatchObject({ port: '8', password: 'hunter2' });
  });

  it('keeps what dynamic values in it refer to', async () => {
    const { organization, base, project, production, url } = await shop();
    const value = { parameter: url, environment: production, internal_value: '{{ host }}!', interpolated: true };
    await organization.value(value);
    const host = (await organization.owner.get<Page<Parameter>>(`${base.url}parameters/?name=host`)).body.results[0];
    await organization.owner.post(`${production.url}copy/`, { name: 'blue' });

    expect(await effective(organization, project, 'blue')).toMatchObject({ url: 'example.com!' });
    const refused = await organization.owner.delete(host?.url ?? '');
    expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('url in blue') } });
  });

  it('is refused when a dynamic value in it would break its rules there', async () => {
    const { organization, production, url } = await shop();
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

  it('of default is a child of default: there is one root', async () => {
    const organization = await core.organization();
    const root = await organization.environmentNamed('default');

    const { body } = await organization.owner.post<Environment>(`${root.url}copy/`, { name: 'second' });

    expect(body.parent).toBe(root.url);
  });

  it.each`
    wish                                                                    | field                        | code
    ${{ name: 'staging' }}                                                  | ${'name'}                    | ${'duplicate_name'}
    ${{ name: 'production' }}                                               | ${'name'}                    | ${'duplicate_name'}
    ${{ name: ' ' }}                                                        | ${'name'}                    | ${'blank'}
    ${{}}                                                                   | ${'name'}                    | ${'required'}
    ${{ name: 'n', recursive: true, child_environment_names: { eu: 'n' } }} | ${'child_environment_names'} | ${'duplicate_name'}
    ${{ name: 'n', recursive: true, child_environment_names: { eu: ' ' } }} | ${'child_environment_names'} | ${'blank'}
  `('is refused with $wish, and nothing is stored', async ({ wish, field, code }) => {
    const organization = await core.organization();
    const production = await organization.environmentNamed('production');
    const eu = await organization.environment({ name: 'eu', parent: production.url });
    const revision = (await organization.owner.get(eu.url)).headers['x-revision'];

    const refused = await organization.owner.post(`${production.url}copy/`, wish);

    expect(refused).toMatchObject({ status: 400, body: { [field]: [expect.any(String)] } });
    expect(refused.headers['x-error-code']).toBe(code);
    expect((await organization.owner.get(eu.url)).headers['x-revision']).toBe(revision);
  });
});

describe('a copy of a project', () => {
  it('has its parameters, rules, values and templates, and depends on what it depends on', async () => {
    const { organization, base, project, port } = await shop();
    await template(organization, project, 'config', 'listen {{ port }}');

    const made = await organization.owner.post<Project>(`${project.url}copy/`, { name: 'shop 2' });

    expect(made).toMatchObject({ status: 201, body: { name: 'shop 2', depends_on: base.url } });
    expect(made.headers.location).toBe(made.body.url);
    expect(await effective(organization, made.body, 'production')).toEqual(
      await effective(organization, project, 'production'),
    );
    const [copied] = (await organization.owner.get<Page<Parameter>>(`${made.body.url}parameters/?name=port`)).body
      .results;
    expect(copied).toMatchObject({ type: 'integer', description: port.description, project_name: 'shop 2' });
    expect(copied?.rules).toMatchObject([{ type: 'max', constraint: '1000' }]);
    expect(await lastChanges(organization)).toEqual([
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

  it('refers to itself where the source referred to itself', async () => {
    const { organization, project } = await shop();
    const line = await template(organization, project, 'line', 'listen {{ port }}');
    await template(organization, project, 'whole', '{{ cloudtruth.templates.line }}; # {{ url }}');
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

  it('names itself in texts that name the source, however they write it, and is as secret', async () => {
    const { organization, base, project, password } = await shop();
    await organization.value({ parameter: password, internal_value: 'default secret' });
    const link = await organization.parameter({ project, name: 'link' });
    const text = '{{ cloudtruth.projects.shop.parameters.port }}{{ strata.projects["shop"].parameters.password }}';
    await organization.value({ parameter: link, internal_value: text, interpolated: true });
    const body = `strata.projects.shop {% if strata.projects['shop'].templates.line != "strata.projects.shop" %}{{
      cloudtruth["projects"].shop.parameters.port | append: strata.projects.base.parameters.host }}{% endif %}{% raw %}{{ strata.projects.shop }}{% endraw %}`;
    await template(organization, project, 'line', 'listen {{ strata.projects.shop.parameters.port }}');
    await template(organization, project, 'whole', body);

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

  it('with dependents: texts of one that name another name its copy', async () => {
    const { organization, base } = await shop();
    const [shopProject] = (await organization.owner.get<Page<Project>>('projects/?name=shop')).body.results;
    const parameter = await organization.parameter({ project: shopProject as Project, name: 'far' });
    const text = '{{ strata.projects.base.parameters.host }}';
    await organization.value({ parameter, internal_value: text, interpolated: true });
    const wish = { name: 'ground', recursive: true, child_project_names: { shop: 'store' } };

    const { body: ground } = await organization.owner.post<Project>(`${base.url}copy/`, wish);
    const [host] = (await organization.owner.get<Page<Parameter>>(`${ground.url}parameters/?name=host`)).body.results;
    await organization.owner.patch(host?.values_flat[0]?.url ?? '', { internal_value: 'copied.example' });

    const [store] = (await organization.owner.get<Page<Project>>('projects/?name=store')).body.results;
    expect(await effective(organization, store as Project, 'default')).toMatchObject({ far: 'copied.example' });
    expect(await effective(organization, shopProject as Project, 'default')).toMatchObject({ far: 'example.com' });
  });

  it('is refused when its dynamic values would not be of their type there, and nothing is stored', async () => {
    const { organization, project } = await shop();
    const parameter = await organization.parameter({ project, name: 'short' });
    await organization.owner.post(`${parameter.url}rules/`, { type: 'max_len', constraint: '5' });
    await organization.value({ parameter, internal_value: '{{ strata.project }}', interpolated: true });

    const refused = await organization.owner.post(`${project.url}copy/`, { name: 'a longer name' });
    expect(refused).toMatchObject({
      status: 400,
      body: expect.arrayContaining([
        expect.stringMatching(/^short of a longer name in production would not fit there/),
      ]),
    });
    expect(refused.headers['x-error-code']).toBe('dependent_values');
    expect((await organization.owner.get<Page<Project>>('projects/?name=a%20longer%20name')).body.count).toBe(0);
    expect(await organization.owner.post(`${project.url}copy/`, { name: 'store' })).toMatchObject({ status: 201 });
  });

  it('takes its dependents along if asked, and hangs them below itself', async () => {
    const { organization, base, project } = await shop();
    const wish = { name: 'ground', recursive: true, child_project_names: { shop: 'store' }, depends_on: null };

    const { body } = await organization.owner.post<Project>(`${base.url}copy/`, wish);

    expect(body.depends_on).toBeNull();
    const [store] = (await organization.owner.get<Page<Project>>('projects/?name=store')).body.results;
    expect(store).toMatchObject({ depends_on: body.url });
    const host = (await organization.owner.get<Page<Parameter>>(`${body.url}parameters/?name=host`)).body.results[0];
    const [value] = (await organization.owner.get<Page<Value>>(`${host?.url}values/`)).body.results;
    await organization.owner.patch(value?.url ?? '', { internal_value: 'other.example' });
    expect(await effective(organization, store as Project, 'default')).toMatchObject({
      url: 'https://other.example:80',
    });
    expect(await effective(organization, project, 'default')).toMatchObject({ url: 'https://example.com:80' });
  });

  it('that would not see what its texts refer to is refused', async () => {
    const { organization, project } = await shop();

    const refused = await organization.owner.post(`${project.url}copy/`, { name: 'alone', depends_on: null });

    expect(refused).toMatchObject({ status: 400, body: [expect.stringContaining('host')] });
    expect(refused.headers['x-error-code']).toBe('unknown_reference');
  });

  it('keeps to the pattern for names of projects (E21), and to names that are free', async () => {
    const { organization, project } = await shop();
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

describe('a copy of a parameter', () => {
  it('has its secret flag, type, rules and values of all environments', async () => {
    const { organization, project, production, port, password } = await shop();
    const other = await organization.project({ name: 'other' });

    const made = await organization.owner.post<Parameter>(`${port.url}copy/`, { name: 'listen', project: other.url });
    const secret = await organization.owner.post<Parameter>(`${password.url}copy/`, {
      name: 'p2',
      project: project.id,
    });

    expect(made).toMatchObject({
      status: 201,
      body: { name: 'listen', project: other.url, type: 'integer', description: port.description },
    });
    expect(made.body.rules).toMatchObject([{ type: 'max', constraint: '1000' }]);
    expect(made.body.values[production.url]).toMatchObject({ value: '443' });
    expect(secret.body).toMatchObject({ secret: true, project: project.url });
    expect(secret.body.values[production.url]).toMatchObject({ value: 'hunter2', internal_value: null });
    expect(await lastChanges(organization)).toEqual([
      'parameter_created create Parameter p2',
      'value_created create Value p2',
    ]);
  });

  it('looks up the names in its texts where it is', async () => {
    const { organization, url } = await shop();
    const other = await organization.project({ name: 'other' });
    const copy = () => organization.owner.post<Parameter>(`${url.url}copy/`, { name: 'url', project: other.url });

    const refused = await copy();
    expect(refused).toMatchObject({ status: 400, body: [expect.stringMatching(/host|port/)] });
    for (const name of ['host', 'port']) {
      await organization.value({
        parameter: await organization.parameter({ project: other, name }),
        internal_value: name,
      });
    }

    expect(await copy()).toMatchObject({ status: 201 });
    expect(await effective(organization, other, 'default')).toMatchObject({ url: 'https://host:port' });
  });

  it('is judged where it is, and so is what says its name there; names of projects stay', async () => {
    const { organization, project, port } = await shop();
    const other = await organization.project({ name: 'other' });
    const count = await organization.parameter({ project, name: 'count', type: 'integer' });
    const named = await organization.parameter({ project, name: 'named' });
    await organization.value({ parameter: count, internal_value: '{{ port }}', interpolated: true });
    const text = '{{ strata.projects.shop.parameters.port }}';
    await organization.value({ parameter: named, internal_value: text, interpolated: true });
    await organization.value({
      parameter: await organization.parameter({ project: other, name: 'port' }),
      internal_value: 'many',
    });
    const copy = (from: Parameter, name: string, to: Project) =>
      organization.owner.post<Parameter>(`${from.url}copy/`, { name, project: to.url });

    expect(await copy(count, 'count', other)).toMatchObject({
      status: 400,
      body: expect.arrayContaining([expect.stringContaining('count of other in default would not fit there')]),
    });
    expect(await copy(named, 'named', other)).toMatchObject({ status: 201 });
    expect(await effective(organization, other, 'default')).toMatchObject({ named: '80' });
    const child = await organization.project({ name: 'child', depends_on: project.url });
    const said = await organization.parameter({ project: child, name: 'said', type: 'integer' });
    await organization.value({ parameter: said, internal_value: '{{ port }}', interpolated: true });
    const word = await organization.parameter({ project, name: 'word' });
    await organization.value({ parameter: word, internal_value: 'a word' });
    expect(await copy(word, 'port', child)).toMatchObject({
      status: 400,
      body: expect.arrayContaining([expect.stringContaining('said of child in default depends on this')]),
    });
    expect(await copy(port, 'port', child)).toMatchObject({ status: 201 });
  });

  it('keeps to free names (E34) and to the pattern of its new project (E33)', async () => {
    const { organization, project, port } = await shop();
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
  it('are nobody’s, or somebody else’s: 401, 403 and 404 alike', async () => {
    const { organization, project, production, port } = await shop();
    const other = await core.organization();
    for (const { url } of [production, project, port]) {
      const body = { name: 'n', project: project.url };
      expect(await organization.as('VIEWER').post(`${url}copy/`, body)).toMatchObject({ status: 403 });
      expect(await other.owner.post(`${url}copy/`, body)).toMatchObject({
        status: 404,
        text: (await other.owner.get(url)).text,
      });
    }
    expect(
      await organization.owner.post(`${port.url}copy/`, { name: 'n', project: (await other.project()).url }),
    ).toMatchObject({ status: 400, body: { project: [expect.any(String)] } });
  });
});

it('leaves rows, history and changes in agreement', async () => {
  expect(await ledgerProblems(core.database.url)).toEqual([]);
});
