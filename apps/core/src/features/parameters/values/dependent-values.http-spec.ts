import type { Environment, Project, Value } from '@strata/contract';
import { type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

interface Input {
  readonly type?: string;
  readonly secret?: boolean;
  readonly environment?: Environment;
}

/** Creates a parameter with one value. The value is dynamic if its text refers to a name. */
async function set(organization: TestOrganization, project: Project, name: string, text: string, input: Input = {}) {
  const { environment, ...more } = input;
  const parameter = await organization.parameter({ project, name, ...more });
  const target = environment && { environment };
  const value = await organization.value({
    parameter,
    internal_value: text,
    interpolated: text.includes('{'),
    ...target,
  });
  return { parameter, value };
}

const textIn = async ({ owner }: TestOrganization, project: Project, name: string, environment = 'default') =>
  (await owner.get<{ values: Record<string, string> }>(`${project.url}effective/?environment=${environment}`)).body
    .values[name];

/** Creates `port`, on which the integer `listen` depends through a template and another value. */
async function fixture() {
  const organization = await core.organization();
  const project = await organization.project({ name: 'shop' });
  const port = await set(organization, project, 'port', '80');
  await set(organization, project, 'text', '{{ port }}');
  const { body } = await organization.owner.post<{ url: string }>(`${project.url}templates/`, {
    name: 't',
    body: '{{ text }}',
  });
  const listen = await set(organization, project, 'listen', '{{ strata.templates.t }}', { type: 'integer' });
  return { organization, project, port, listen, template: body.url };
}

describe('a dynamic value whose input changes', () => {
  it('must still match its type: the write is rejected, and the error names the value and the environment, but no text', async () => {
    const { organization, project, port } = await fixture();
    const response = await organization.owner.patch(port.value.url, { internal_value: 'https' });

    expect(response).toMatchObject({
      status: 400,
      body: {
        internal_value: expect.arrayContaining([
          expect.stringMatching(/^listen of shop in production depends on this .* integer/),
        ]),
      },
    });
    expect(response.headers['x-error-code']).toBe('dependent_values');
    expect(response.text).not.toContain('https');
    expect(await textIn(organization, project, 'listen')).toBe('80');
    expect(await organization.owner.patch(port.value.url, { internal_value: '81' })).toMatchObject({ status: 200 });
    expect(await textIn(organization, project, 'listen', 'production')).toBe('81');
  });

  it('is validated only in environments where the change is visible', async () => {
    const { organization, project, port, listen } = await fixture();
    const production = await organization.environmentNamed('production');
    await organization.value({ parameter: listen.parameter, environment: production, internal_value: '7' });

    const input = { environment: production.id, internal_value: 'https' };
    expect(await organization.owner.post(`${port.parameter.url}values/`, input)).toMatchObject({ status: 201 });
    const staging = await organization.environmentNamed('staging');
    expect(
      await organization.owner.post(`${port.parameter.url}values/`, { ...input, environment: staging.id }),
    ).toMatchObject({ status: 400, body: { internal_value: [expect.stringContaining('in staging')] } });
    expect(await textIn(organization, project, 'port', 'staging')).toBe('80');
  });

  it('must satisfy its own rules and those of its types, also in dependent projects', async () => {
    const { organization, project, port } = await fixture();
    const { owner } = organization;
    const child = await organization.project({ name: 'child', depends_on: project.url });
    const url = await set(organization, child, 'url', 'http://h:{{ port }}');
    await owner.post(`${url.parameter.url}rules/`, { type: 'max_len', constraint: '12' });

    const response = await owner.patch(port.value.url, { internal_value: '808' });
    expect(response).toMatchObject({ status: 200 });
    expect(await owner.patch(port.value.url, { internal_value: '8080' })).toMatchObject({
      status: 400,
      body: { internal_value: expect.arrayContaining([expect.stringMatching(/url of child in .*at most 12/)]) },
    });
  });

  it('prevents the removal or change of a value, a parameter or a template that it depends on; a removal returns 409', async () => {
    const { organization, project, port, template } = await fixture();
    const { owner } = organization;
    const base = await organization.project({ name: 'base' });
    await set(organization, base, 'port', 'none');
    const detail = { detail: expect.stringContaining('listen of shop') };

    expect(await owner.delete(port.value.url)).toMatchObject({ status: 409, body: detail });
    expect(await owner.patch(template, { body: '{{ text }}!' })).toMatchObject({
      status: 400,
      body: { body: [expect.stringContaining('listen of shop'), ...Array(3).fill(expect.any(String))] },
    });
    await owner.patch(project.url, { depends_on: base.url });
    const response = await owner.delete(port.parameter.url);
    expect(response).toMatchObject({ status: 409, body: detail });
    expect(response.headers['x-error-code']).toBe('dependent_values');
    expect(await owner.patch(port.parameter.url, { name: 'p' })).toMatchObject({ status: 409, body: detail });
    expect(await textIn(organization, project, 'listen')).toBe('80');
  });

  it('is validated when the deletion of another value makes it effective', async () => {
    const { organization, project, port, listen } = await fixture();
    const production = await organization.environmentNamed('production');
    const covering = await organization.value({
      parameter: listen.parameter,
      environment: production,
      internal_value: '7',
    });
    await organization.value({ parameter: port.parameter, environment: production, internal_value: 'https' });

    expect(await organization.owner.delete(covering.url)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('listen of shop in production') },
    });
    expect(await textIn(organization, project, 'listen', 'production')).toBe('7');
  });

  it('is validated once for all values that an import writes', async () => {
    const { organization, project } = await fixture();
    const body = { project: 'shop', environment: 'staging', secrets: [], ignore: [] };

    expect(await organization.owner.post('import/', { ...body, body: 'port=https\nother=1\n' })).toMatchObject({
      status: 400,
      body: { internal_value: [expect.stringContaining('listen of shop in staging')] },
    });
    expect(await organization.owner.post('import/', { ...body, body: 'port=443\n' })).toMatchObject({ status: 201 });
    expect(await textIn(organization, project, 'listen', 'staging')).toBe('443');
  });

  it('is neither validated, named nor revealed if the writer may not read it', async () => {
    const { organization, port, listen } = await fixture();
    const forbidden = await organization.project({ name: 'closed' });
    const hidden = await set(organization, forbidden, 'hidden', '{{ strata.projects.shop.parameters.port }}', {
      type: 'integer',
    });
    await organization.owner.delete(listen.value.url);
    await organization.owner.patch(forbidden.url, { access_controlled: true });

    expect(await organization.as('CONTRIB').patch(port.value.url, { internal_value: 'https' })).toMatchObject({
      status: 200,
    });
    expect((await organization.owner.get<Value>(hidden.value.url)).body.value).toBe('https');
    expect(await organization.owner.patch(port.value.url, { internal_value: 'http' })).toMatchObject({
      status: 400,
      body: { internal_value: expect.arrayContaining([expect.stringContaining('hidden of closed')]) },
    });
  });
});
