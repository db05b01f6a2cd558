import type { Environment, Page, Parameter, Project, Value } from '@strata/contract';
import { type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

/**
 * Creates `child`, which depends on `base`. `port` is 80 in default, 443 in production, and 8080 for the child in
 * default (H1).
 */
async function fixture(organization: TestOrganization) {
  const base = await organization.project({ name: 'base' });
  const child = await organization.project({ name: 'child', depends_on: base.url });
  const [root, production] = await Promise.all([
    organization.environmentNamed('default'),
    organization.environmentNamed('production'),
  ]);
  const basePort = await organization.parameter({ project: base, name: 'port', type: 'integer' });
  const childPort = await organization.parameter({ project: child, name: 'port', type: 'integer' });
  await organization.value({ parameter: basePort, environment: root, internal_value: '80' });
  const baseProduction = await organization.value({
    parameter: basePort,
    environment: production,
    internal_value: '443',
  });
  await organization.value({ parameter: childPort, environment: root, internal_value: '8080' });
  return { base, child, root, production, basePort, childPort, baseProduction };
}

async function readPort(organization: TestOrganization, project: Project, environment: Environment, query = '') {
  const { body } = await organization.owner.get<Page<Parameter>>(
    `projects/${project.id}/parameters/?name=port&environment=${environment.name}${query}`,
  );
  return body.results[0]?.values[environment.url] ?? null;
}

describe('the effective value', () => {
  it('depends on the environment before the project: a parent project in production wins over the child in default (H1)', async () => {
    const organization = await core.organization();
    const { child, root, production, basePort, childPort, baseProduction } = await fixture(organization);

    const { body } = await organization.owner.get<Page<Parameter>>(
      `projects/${child.id}/parameters/?name=port&environment=production`,
    );
    expect(body).toMatchObject({
      count: 1,
      results: [
        {
          name: 'port',
          project: child.url,
          overrides: basePort.url,
          values: { [production.url]: { value: '443', environment_name: 'production', parameter: basePort.url } },
        },
      ],
    });
    expect(await readPort(organization, child, root)).toMatchObject({ value: '8080', parameter: childPort.url });

    await organization.owner.delete(baseProduction.url);
    expect(await readPort(organization, child, production)).toMatchObject({
      value: '8080',
      environment_name: 'default',
      active_environment_name: 'production',
    });
  });

  it('is the same in the list, in a single read, and in the compact form', async () => {
    const organization = await core.organization();
    const { child, childPort, production } = await fixture(organization);

    const inProduction = await organization.owner.get<Parameter>(`${childPort.url}?environment=${production.id}`);
    const map = await organization.owner.get(`projects/${child.id}/effective/?environment=production`);

    expect(inProduction.body.values[production.url]).toMatchObject({ value: '443' });
    expect(map.body).toMatchObject({
      project_name: 'child',
      environment_name: 'production',
      values: { port: '443' },
      has_secret: false,
    });
    expect(
      await organization.owner.get(`projects/${child.id}/effective/?environment=production`, {
        'if-none-match': map.headers.etag ?? '',
      }),
    ).toMatchObject({ status: 304 });
  });

  it('is listed for all environments unless the request names one, and for none if values=false', async () => {
    const organization = await core.organization();
    const { child } = await fixture(organization);
    const list = (query: string) =>
      organization.owner.get<Page<Parameter>>(`projects/${child.id}/parameters/?${query}`);

    expect(Object.keys((await list('')).body.results[0]?.values ?? {})).toHaveLength(4);
    expect((await list('values=False')).body.results[0]).toMatchObject({ values: {}, values_flat: [] });
    expect(await list('values=true&environment=production')).toMatchObject({ status: 400 });
    expect(await list('environment=nowhere')).toMatchObject({
      status: 404,
      body: { detail: 'No Environment matches the given query.' },
    });
  });

  it('contains inherited parameters with the links of their owner, which are the only paths to write them', async () => {
    const organization = await core.organization();
    const { base, child } = await fixture(organization);
    const host = await organization.parameter({ project: base, name: 'host' });

    const seen = await organization.owner.get<Parameter>(`projects/${child.id}/parameters/${host.id}/`);
    expect(seen.body).toMatchObject({ url: host.url, project: base.url, project_name: 'base' });
    expect(
      await organization.owner.get(`projects/${child.id}/parameters/${host.id}/?immediate_parameters=true`),
    ).toMatchObject({ status: 404 });
    expect(
      await organization.owner.patch(`projects/${child.id}/parameters/${host.id}/`, { description: 'x' }),
    ).toMatchObject({ status: 404 });
  });

  it('can be compared between environments', async () => {
    const organization = await core.organization();
    const { base } = await fixture(organization);
    const flat = await organization.parameter({ project: base, name: 'flat' });
    await organization.value({ parameter: flat, internal_value: 'same' });

    const { body } = await organization.owner.get<Page<Parameter>>(
      `projects/${base.id}/parameters/?difference=default,production`,
    );
    expect(body.results.map(({ name }) => name)).toEqual(['port']);
    expect(await organization.owner.get(`projects/${base.id}/parameters/?difference=default`)).toMatchObject({
      status: 400,
    });
  });
});

describe('points in time', () => {
  it('include a write in that very microsecond, and report missing objects in the order of the contract (H2)', async () => {
    const organization = await core.organization();
    const { base, root, basePort } = await fixture(organization);
    const [value] = (await organization.owner.get<Page<Value>>(`${basePort.url}values/?environment=default`)).body
      .results;
    const changeResponse = await organization.owner.patch<Value>(value?.url ?? '', { internal_value: '81' });
    const at = changeResponse.body.modified_at ?? '';
    const justBefore = at.replace(
      /(\d{6})Z$/,
      (_, micros: string) => `${String(Number(micros) - 1).padStart(6, '0')}Z`,
    );

    expect(await readPort(organization, base, root, `&as_of=${at}`)).toMatchObject({
      value: '81',
      ledger_id: changeResponse.body.ledger_id,
    });
    expect(await readPort(organization, base, root, `&as_of=${justBefore}`)).toMatchObject({
      value: '80',
      ledger_id: value?.ledger_id,
    });
    expect(await readPort(organization, base, root, '&as_of=2999-01-01')).toMatchObject({ value: '81' });
    expect(await readPort(organization, base, root, `&revision=${changeResponse.headers['x-revision']}`)).toMatchObject(
      {
        value: '81',
      },
    );

    const list = `projects/${base.id}/parameters/`;
    expect(await organization.owner.get(`${list}?as_of=2000-01-01`)).toMatchObject({
      status: 404,
      body: { detail: 'No ProjectLedger matches the given query. No Project matches the given query.' },
    });
    expect(await organization.owner.get(`${list}?environment=default&tag=nope`)).toMatchObject({ status: 404 });
    expect(await organization.owner.get(`${list}?tag=x`)).toMatchObject({
      status: 400,
      body: { detail: expect.any(String) },
    });
    expect(await organization.owner.get(`${list}?as_of=yesterday`)).toMatchObject({
      status: 400,
      body: { as_of: [expect.any(String)] },
    });
  });

  it('contain objects that have been deleted since', async () => {
    const organization = await core.organization();
    const { base, root, basePort } = await fixture(organization);
    const before = (await organization.owner.get('projects/')).headers['x-revision'];
    await organization.owner.delete(basePort.url);

    expect(await readPort(organization, base, root)).toBeNull();
    expect(await readPort(organization, base, root, `&revision=${before}`)).toMatchObject({ value: '80' });
  });
});
