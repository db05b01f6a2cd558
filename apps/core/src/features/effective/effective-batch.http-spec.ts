import { randomUUID } from 'node:crypto';
import type { Effective, EffectiveBatch, Parameter } from '@strata/contract';
import { MASK } from '@strata/domain';
import { RawClient, type Reply, type RunningCore, sharedCore } from '@strata/testkit';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

const batchPath = (projects: readonly string[], environments: readonly string[], more = '') =>
  `effective/?${new URLSearchParams([...projects.map((project) => ['project', project]), ...environments.map((environment) => ['environment', environment])])}${more}`;

/** Creates `child`, which depends on `base`, and `canary`, which inherits from production. */
async function shop() {
  const organization = await core.organization();
  const { owner } = organization;
  const [root, production] = [
    await organization.environmentNamed('default'),
    await organization.environmentNamed('production'),
  ];
  const canary = await organization.environment({ name: 'canary', parent: production.url });
  const base = await organization.project({ name: 'base' });
  const child = await organization.project({ name: 'child', depends_on: base.url });
  const otherProject = await organization.project({ name: 'other' });
  const port = await organization.parameter({ project: base, name: 'port' });
  const childPort = await organization.parameter({ project: child, name: 'port' });
  const secret = await organization.parameter({ project: base, name: 'password', secret: true });
  const link = await organization.parameter({ project: base, name: 'link' });
  await organization.value({ parameter: port, environment: production, internal_value: '443' });
  const near = await organization.value({ parameter: childPort, internal_value: '80' });
  await organization.value({ parameter: secret, internal_value: 'hush' });
  await organization.value({ parameter: link, internal_value: 'https://{{ port }}', interpolated: true });
  await organization.value({ parameter: await organization.parameter({ project: otherProject, name: 'host' }) });
  const read = async (path: string, client: RawClient = owner) => (await client.get<EffectiveBatch>(path)).body;
  return { organization, owner, root, production, canary, base, child, otherProject, port, childPort, near, read };
}

const statusAndDetail = ({ status, body }: Reply) => [status, (body as { detail?: string }).detail];

describe('effective configurations of many projects and environments', () => {
  it('contain the same values as single reads, with the location of each, in the order of the request', async () => {
    const { owner, root, production, canary, base, child, port, childPort, near, read } = await shop();
    const environments = [canary.name, root.id.toUpperCase(), 'production'];
    const { revision, results } = await read(batchPath(['child', base.id], environments));

    expect(results.map(({ project_name, environment_name }) => `${project_name} ${environment_name}`)).toEqual(
      ['child', 'base'].flatMap((project) => ['canary', 'default', 'production'].map((name) => `${project} ${name}`)),
    );
    for (const { project_id, environment_id, digest, has_secret, values, error } of results) {
      const { body } = await owner.get<Effective>(`projects/${project_id}/effective/?environment=${environment_id}`);
      const texts = Object.fromEntries(Object.entries(values ?? {}).map(([name, { value }]) => [name, value]));
      expect({ revision, digest, has_secret, values: texts, error }).toEqual({
        ...{ revision: body.revision, digest: body.digest, has_secret: body.has_secret, values: body.values },
        error: null,
      });
    }
    // The environment takes precedence over the project.
    expect(results[0]?.values?.port).toMatchObject({
      ...{ value: '443', parameter_id: childPort.id, source_parameter_id: port.id, source_project_name: 'base' },
      ...{ source_environment_id: production.id, source_environment_name: 'production', secret: false },
    });
    expect(results[1]?.values?.port).toEqual({
      ...{
        value: '80',
        parameter_id: childPort.id,
        source_parameter_id: childPort.id,
        secret: false,
        interpolated: false,
      },
      ...{ evaluated: false, value_id: near.id, ledger_id: near.ledger_id, internal_value: '80', expires_at: null },
      ...{ external_fqn: '', external_filter: '', external_error: null },
      ...{ referenced_projects: [], referenced_parameters: [], referenced_templates: [] },
      ...{ source_project_id: child.id, source_project_name: 'child' },
      ...{ source_environment_id: root.id, source_environment_name: 'default' },
      ...{ created_at: near.created_at, modified_at: near.modified_at },
    });
    expect(results[1]?.values?.link).toMatchObject({ value: 'https://', interpolated: true, evaluated: true });
  });

  it('can be filtered by name, masked and left unevaluated, like a single read', async () => {
    const { owner, read } = await shop();
    const request = (more: string) => read(batchPath(['base', 'child'], ['default', 'production'], more));
    const listNames = ({ results }: EffectiveBatch) => results.map(({ values }) => Object.keys(values ?? {}));

    expect(listNames(await request('&name=port&name=nope'))).toEqual([[], ['port'], ['port'], ['port']]);
    expect(listNames(await request('&name__in=link,password'))).toEqual(Array(4).fill(['link', 'password']));
    expect(listNames(await request('&name__in=link,port&name=port'))).toEqual([[], ['port'], ['port'], ['port']]);
    const { results } = await request('&mask_secrets=true&evaluate=false');
    expect(results[1]?.values).toMatchObject({
      password: { value: MASK, secret: true },
      link: { value: 'https://{{ port }}', interpolated: true, evaluated: false },
    });
    expect(results[1]?.has_secret).toBe(true);
    const single = await owner.get<Effective>(
      `projects/${results[1]?.project_id}/effective/?environment=production&mask_secrets=true&evaluate=false`,
    );
    expect(results[1]?.digest).toBe(single.body.digest);
  });

  it('contain only the requested members, and the digest of all', async () => {
    const { owner, read } = await shop();
    const path = batchPath(['child', 'other'], ['canary', 'default']);
    const { results: whole } = await read(path);
    const { results } = await read(`${path}&include=value,source_environment_name`);

    expect(results[1]?.values?.port).toEqual({ value: '80', source_environment_name: 'default' });
    expect(results).toEqual(
      whole.map((result) => ({
        ...result,
        values: Object.fromEntries(
          Object.entries(result.values ?? {}).map(([name, { value, source_environment_name }]) => [
            name,
            { value, source_environment_name },
          ]),
        ),
      })),
    );
    expect(await read(`${path}&include=secret&mask_secrets=true`)).toMatchObject({
      results: [{ has_secret: true, values: { password: { secret: true } } }, {}, {}, {}],
    });
    const response = await owner.get<Record<string, unknown>>(`${path}&include=value,text`);
    expect([response.status, response.body]).toEqual([
      400,
      { include: [expect.stringContaining('Not a valid choice. Choose from: parameter_id, value,')] },
    ]);
  });

  it('are read at one point in time: a revision, an instant, or a tag of the only environment', async () => {
    const { owner, production, near, read } = await shop();
    const path = batchPath(['child', 'other'], ['production', 'default']);
    const before = await owner.get<EffectiveBatch>(path);
    await owner.post(`${production.url}tags/`, { name: 'release' });
    const changeResponse = await owner.patch<{ modified_at: string }>(near.url, { internal_value: '81' });
    await owner.patch(production.url, { name: 'live' });
    await owner.delete(`projects/${before.body.results[2]?.project_id}/`);

    const then = `&revision=${before.body.revision}`;
    expect(await read(path + then)).toEqual(before.body);
    expect(
      (await read(`${batchPath(['child'], ['default'])}&as_of=${changeResponse.body.modified_at}`)).results,
    ).toMatchObject([{ values: { port: { value: '81' } } }]);
    // The environment can be found by its current name and by its name at that time.
    const tagged = await read(`${batchPath(['child', 'other'], ['live'])}&tag=release`);
    expect(tagged.results).toEqual([before.body.results[0], before.body.results[2]]);
    expect(statusAndDetail(await owner.get(`${batchPath(['child'], ['live', 'default'])}&tag=release`))).toEqual([
      400,
      'A tag belongs to one environment, so exactly one environment is required.',
    ]);
    expect(statusAndDetail(await owner.get(path))).toEqual([404, 'No Project matches the given query.']);
    expect(statusAndDetail(await owner.get(batchPath(['child'], ['production'])))).toEqual([
      404,
      'No Environment matches the given query.',
    ]);
    expect(statusAndDetail(await owner.get(`${path}&as_of=2000-01-01`))).toEqual([
      404,
      'No ProjectLedger matches the given query. No Project matches the given query.',
    ]);
  });

  it('have an entity tag that is valid until the next write, and are up to date right after a write', async () => {
    const { owner, near } = await shop();
    const path = batchPath(['child', 'base'], ['default']);
    const first = await owner.get<EffectiveBatch>(path);
    expect(first.headers['x-revision']).toBe(String(first.body.revision));
    const repeatedResponse = await owner.get(path, { 'if-none-match': first.headers.etag ?? '' });
    expect([repeatedResponse.status, repeatedResponse.text]).toEqual([304, '']);

    for (const text of ['81', '82']) {
      await owner.patch(near.url, { internal_value: text });
      const { status, body } = await owner.get<EffectiveBatch>(path, {
        'if-none-match': first.headers.etag ?? '',
      });
      expect([status, body.results[0]?.values?.port?.value]).toEqual([200, text]);
    }
  });

  it('contain nothing of a forbidden project or environment, but all of the others', async () => {
    const { organization, owner, base, production, otherProject, read } = await shop();
    const path = batchPath(['other', 'base', 'child'], ['default', 'production']);
    const all = await read(path, owner);
    await owner.patch(otherProject.url, { access_controlled: true });
    await owner.patch(production.url, { access_controlled: true });
    const { results } = await read(path, organization.as('VIEWER'));

    const error = { code: 'forbidden', detail: 'You do not have permission to perform this action.', problems: [] };
    const open = results.filter((result) => result.error === null);
    expect(open).toEqual(
      all.results.filter(
        ({ project_name, environment_name }) => project_name !== 'other' && environment_name === 'default',
      ),
    );
    const closed = results.filter((result) => result.error !== null);
    expect(
      closed.map((configuration) => [
        configuration.digest,
        configuration.has_secret,
        configuration.values,
        configuration.error,
      ]),
    ).toEqual(Array(4).fill([null, false, null, error]));
    expect((await read(path, owner)).results).toEqual(all.results);

    // The project depended on this one, which is forbidden now.
    const revision = (await owner.get('projects/')).headers['x-revision'];
    await owner.patch(`projects/${results[4]?.project_id}/`, { depends_on: null });
    await owner.patch(base.url, { access_controlled: true });
    const past = await read(`${batchPath(['child'], ['default'])}&revision=${revision}`, organization.as('VIEWER'));
    expect(past.results).toMatchObject([{ values: null, error: { code: 'forbidden' } }]);
  });

  it('report a failing text only in the combinations that it affects', async () => {
    const { organization, owner, base } = await shop();
    const long = await organization.value({ parameter: await organization.parameter({ project: base, name: 'long' }) });
    const parameter = await organization.parameter({ project: base, name: 'broken' });
    await organization.value({ parameter, internal_value: '{{ long }}'.repeat(17), interpolated: true });
    expect((await owner.patch(long.url, { internal_value: 'x'.repeat(65_000) })).status).toBe(200);
    const { results } = (await owner.get<EffectiveBatch>(batchPath(['other', 'child'], ['default']))).body;

    expect(results[0]).toMatchObject({ error: null, values: { host: { value: 'a value' } } });
    expect(results[1]).toMatchObject({
      values: null,
      error: { code: 'evaluation_failed', problems: [{ parameter_name: 'broken' }] },
    });
    const raw = await owner.get<EffectiveBatch>(batchPath(['child'], ['default'], '&evaluate=false'));
    expect(raw.body.results[0]?.error).toBeNull();
  });

  it('are limited in number, and require the names of projects and environments', async () => {
    const { owner } = await shop();
    const many = Array.from({ length: 51 }, () => 'child');
    const tooMany = { status: 400, body: { project: ['Give this at most 50 times.'] } };
    expect(await owner.get(batchPath(many, ['default']))).toMatchObject(tooMany);
    expect(statusAndDetail(await owner.get(batchPath(many.slice(0, 26), Array(20).fill('default'))))).toEqual([
      400,
      '26 projects in 20 environments are too many for one request. Request at most 500 combinations.',
    ]);
    expect(
      (await owner.get<EffectiveBatch>(batchPath(many.slice(0, 50), Array(10).fill('default')))).body.results.length,
    ).toBe(500);
    expect(await owner.get('effective/')).toMatchObject({
      status: 400,
      body: { project: ['This field is required.'], environment: ['This field is required.'] },
    });
    expect(await owner.get('effective/?project=%00&environment=default')).toMatchObject({
      status: 400,
      body: { project: [expect.any(String)] },
    });
  });

  it('contain nothing of other organizations, and return 401 without a credential', async () => {
    const { organization, child } = await shop();
    const outsider = (await core.organization()).owner;
    expect(await outsider.get(batchPath([child.id], ['default']))).toMatchObject({ status: 404 });
    expect(await outsider.get(batchPath(['child'], ['default']))).toMatchObject({ status: 404 });
    expect(await new RawClient(core.origin, null).get(batchPath([child.id], ['default']))).toMatchObject({
      status: 401,
    });
    expect(await organization.as('VIEWER').get<Parameter>(batchPath([child.id], ['default']))).toMatchObject({
      status: 200,
    });
  });
});

describe('a project that is requested before it exists', () => {
  it('is found as soon as it is created, even if its name looks like an id', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const there = await organization.project();
    const name = randomUUID();
    const path = batchPath([there.id, name], ['default']);
    expect((await owner.get(path)).status).toBe(404);
    await organization.project({ name });

    expect((await owner.get(path)).status).toBe(200);
  });
});
