import type { ImportParameter } from '@strata/contract';
import { type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

interface Input {
  readonly project: string;
  readonly environment?: string;
  readonly body: string;
  readonly secrets?: readonly string[];
}

/** Runs the preview and then the import. Expects equal results, whether both are accepted or both are rejected. */
async function both({ owner }: TestOrganization, input: Input) {
  const body = { secrets: [], ignore: [], ...input };
  const preview = await owner.post<{ parameter: ImportParameter[] }>('import/?preview=true', body);
  const before = (await owner.get('environments/')).headers['x-revision'];
  const done = await owner.post('import/', body);
  if (done.status !== 201) {
    expect(preview).toMatchObject({ status: done.status, text: done.text });
    expect((await owner.get('environments/')).headers['x-revision']).toBe(before);
  }
  expect(preview.status).toBe(done.status);
  return preview;
}

const rejection = (...locations: string[]) => ({
  status: 400,
  headers: { 'x-error-code': 'dependent_values' },
  body: { internal_value: locations.map((name) => expect.stringContaining(`listen of ${name} depends on this`)) },
});

/** Creates the integer `listen` of `shop`, which combines `port` and `prefix`. `port` belongs to another project. */
async function fixture() {
  const organization = await core.organization();
  const base = await organization.project({ name: 'base' });
  const shop = await organization.project({ name: 'shop', depends_on: base.url });
  const texts = { port: '80', prefix: '1', listen: '{{ prefix }}{{ port }}' };
  for (const [name, text] of Object.entries(texts)) {
    const type = name === 'listen' ? 'integer' : 'string';
    const parameter = await organization.parameter({ project: name === 'port' ? base : shop, name, type });
    await organization.value({ parameter, internal_value: text, interpolated: text.includes('{') });
  }
  return organization;
}

describe('a preview of an import with dependent dynamic values', () => {
  it('is rejected like the import itself, for single and combined changes', async () => {
    const organization = await fixture();

    expect(await both(organization, { project: 'shop', environment: 'staging', body: 'prefix=a\n' })).toMatchObject(
      rejection('shop in staging'),
    );
    expect(await both(organization, { project: 'base', environment: 'staging', body: 'port=https\n' })).toMatchObject(
      rejection('shop in staging'),
    );
    const together = { project: 'shop', environment: 'staging', body: 'prefix=2\nport=b\n', secrets: ['port'] };
    expect(await both(organization, together)).toMatchObject(rejection('shop in staging'));
    expect((await both(organization, { ...together, body: 'prefix=2\nport=3\n' })).status).toBe(201);
    expect(await both(organization, { ...together, body: 'prefix=c\n' })).toMatchObject(rejection('shop in staging'));
  });

  it('is rejected for an environment that it would create', async () => {
    const organization = await fixture();

    expect(await both(organization, { project: 'shop', environment: 'new', body: 'prefix=a\n' })).toMatchObject(
      rejection('shop in new'),
    );
    expect((await both(organization, { project: 'shop', environment: 'new', body: 'prefix=4\n' })).status).toBe(201);
  });

  it('is accepted if it also sets the dependent value', async () => {
    const organization = await fixture();

    const body = 'prefix=a\nlisten=7\n';
    expect((await both(organization, { project: 'shop', environment: 'staging', body })).status).toBe(201);
    for (const environment of ['development', 'production']) {
      await both(organization, { project: 'shop', environment, body: 'listen=7\n' });
    }
    expect((await both(organization, { project: 'shop', environment: 'default', body })).status).toBe(201);
  });

  it('reveals nothing that the caller may not know', async () => {
    const organization = await fixture();
    const projects = (await organization.owner.get<{ results: { url: string }[] }>('projects/?name=shop')).body;
    await organization.owner.patch(projects.results[0]?.url ?? '', { access_controlled: true });
    const input = { project: 'base', environment: 'staging', body: 'port=https\n', secrets: [], ignore: [] };

    expect(await organization.as('CONTRIB').post('import/?preview=true', input)).toMatchObject({ status: 201 });
    expect(await organization.owner.post('import/?preview=true', input)).toMatchObject({ status: 400 });
  });
});
