import type { Environment, Page, Parameter, Project, Tag, Value } from '@strata/contract';
import { type RunningCore, sharedCore } from '@strata/testkit';
import { after, createPastValue, createTagAt, instantBefore } from '../../testing/past-value.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

const PROJECT_FIRST = 'No ProjectLedger matches the given query. No Project matches the given query.';
const ENVIRONMENT_FIRST = 'No EnvironmentLedger matches the given query.';

describe('a read at a tag', () => {
  it('returns the state at the instant of the tag, to the microsecond, by name or id of the environment', async () => {
    const fixture = await createPastValue(core);
    const { organization, environment, parameter, first, second } = fixture;
    await createTagAt(fixture, 'at', second.modified_at ?? '');
    await createTagAt(fixture, 'just-before', instantBefore(second.modified_at ?? ''));
    const text = async (point: string, where = 'e') =>
      (await organization.owner.get<Parameter>(`${parameter.url}?environment=${where}&${point}`)).body.values_flat[0];

    expect(await text('tag=at')).toMatchObject({ value: 'b', ledger_id: second.ledger_id });
    expect(await text('tag=just-before')).toMatchObject({ value: 'a', ledger_id: first.ledger_id });
    expect(await text('tag=just-before', environment.id.toUpperCase())).toMatchObject({ value: 'a' });
    expect(
      (await organization.owner.get<Page<Value>>(`${parameter.url}values/?environment=e&tag=just-before`)).body,
    ).toMatchObject({ count: 1, results: [{ value: 'a' }] });
    expect(
      (await organization.owner.get(`${fixture.project.url}effective/?environment=e&tag=just-before`)).body,
    ).toMatchObject({ values: { x: 'a' } });
  });

  it('returns inherited values, and evaluates dynamic values in the environment of the tag', async () => {
    const organization = await core.organization();
    const project = await organization.project();
    const production = await organization.environmentNamed('production');
    const host = await organization.parameter({ project, name: 'host' });
    const parentValue = await organization.value({ parameter: host, internal_value: 'a' });
    const overriding = await organization.value({ parameter: host, environment: production, internal_value: 'p' });
    const url = await organization.parameter({ project, name: 'url' });
    const text = 'https://{{ host }}';
    const dynamic = await organization.value({ parameter: url, internal_value: text, interpolated: true });
    await organization.owner.post(`${production.url}tags/`, { name: 'v1' });
    for (const value of [parentValue, overriding])
      await organization.owner.patch(value.url, { internal_value: 'later' });

    for (const where of ['production', production.id]) {
      const at = `environment=${where}&tag=v1`;
      const list = await organization.owner.get<Page<Value>>(`${host.url}values/?${at}`);
      expect(list.body).toMatchObject({
        count: 1,
        results: [{ id: overriding.id, value: 'p', ledger_id: overriding.ledger_id }],
      });
      const valueAt = async (value: Value) => (await organization.owner.get<Value>(`${value.url}?${at}`)).body;
      expect(await valueAt(parentValue)).toMatchObject({ value: 'a', active_environment_name: 'production' });
      expect(await valueAt(dynamic)).toMatchObject({ value: 'https://p', active_environment_name: 'production' });
    }
  });

  it('uses the environment that currently has the name', async () => {
    const fixture = await createPastValue(core);
    const { organization, environment, project, parameter, second } = fixture;
    await createTagAt(fixture, 'then', second.modified_at ?? '');
    const rename = (url: string, name: string) => organization.owner.patch(url, { name });
    await rename(environment.url, 'renamed');
    await rename((await organization.environmentNamed('staging')).url, 'e');
    const template = `${project.url}template-preview/?environment=renamed&tag=then`;
    const read = async (path: string) => (await organization.owner.get(`${path}environment=renamed&tag=then`)).body;

    expect(await read(`${parameter.url}?`)).toMatchObject({ values_flat: [{ value: 'b', environment_name: 'e' }] });
    expect(await read(`${project.url}parameters/?`)).toMatchObject({ results: [{ values_flat: [{ value: 'b' }] }] });
    expect(await read(`${parameter.url}values/?`)).toMatchObject({ count: 1 });
    expect(await read(`${second.url}?`)).toMatchObject({ value: 'b' });
    expect(await read(`${project.url}effective/?`)).toMatchObject({ values: { x: 'b' } });
    expect(await read(`${project.url}parameter-export/?output=docker&`)).toMatchObject({ body: 'X=b\n' });
    expect(await read(`${project.url}templates/?`)).toMatchObject({ count: 0 });
    expect((await organization.owner.post(template, { body: '{{ x }}' })).body).toMatchObject({ body: 'b' });
    expect(
      (await organization.owner.get(`${project.url}parameters/duality/?environment=renamed&t1_tag=then`)).body,
    ).toMatchObject({ results: [{ t1: { name: 'x', values_flat: [{ value: 'b' }] } }] });
  });

  it('follows a tag that is moved, and returns 404 when it is deleted', async () => {
    const fixture = await createPastValue(core);
    const { organization, parameter, first } = fixture;
    const tag = await createTagAt(fixture, 'v', first.modified_at ?? '');
    const read = () => organization.owner.get<Parameter>(`${parameter.url}?environment=e&tag=v`);

    expect((await read()).body.values_flat).toMatchObject([{ value: 'a' }]);
    await organization.owner.patch(tag.url, { timestamp: null });
    expect((await read()).body.values_flat).toMatchObject([{ value: 'b' }]);
    await organization.owner.delete(tag.url);
    expect((await read()).status).toBe(404);
  });

  it('finds only the tags of that environment, not of its parents (E71)', async () => {
    const fixture = await createPastValue(core);
    const { organization, environment, project } = fixture;
    await organization.environment({ name: 'child', parent: environment.url });
    await createTagAt(fixture, 'v1', '2020-01-01');

    for (const [where, name] of [
      ['child', 'v1'],
      ['default', 'v1'],
      ['e', 'V1'],
      ['e', 'nope'],
    ]) {
      const response = await organization.owner.get(`${project.url}parameters/?environment=${where}&tag=${name}`);
      expect(response).toMatchObject({
        status: 404,
        body: { detail: `There is no tag ${name} in environment ${where}.` },
      });
      expect(response.headers['x-error-code']).toBe('unknown_tag');
    }
    const byId = await organization.owner.get(`${project.url}parameters/?environment=${environment.id}&tag=nope`);
    expect(byId).toMatchObject({ status: 404, body: { detail: 'There is no tag nope in environment e.' } });
    expect(await organization.owner.get(`${project.url}parameters/?environment=nope&tag=v1`)).toMatchObject({
      status: 404,
      body: { detail: ENVIRONMENT_FIRST },
    });
  });

  it('requires the environment, and rejects a second point in time beside the tag (E72)', async () => {
    const { organization, project, parameter, first } = await createPastValue(core);
    const reads = [`${project.url}parameters/`, parameter.url, `${parameter.url}values/`, first.url];
    for (const path of reads) {
      for (const [query, code] of [
        ['tag=v1', 'tag_without_environment'],
        ['environment=e&tag=v1&as_of=2020-01-01', 'two_moments'],
        ['as_of=2020-01-01&revision=1', 'two_moments'],
      ]) {
        const response = await organization.owner.get(`${path}?${query}`);
        expect(response).toMatchObject({ status: 400, body: { detail: expect.any(String) } });
        expect(response.headers['x-error-code']).toBe(code);
      }
    }
  });

  it('updates the tag’s read count and last reader', async () => {
    const fixture = await createPastValue(core);
    const { organization, environment, project } = fixture;
    const tag = await createTagAt(fixture, 'v1', after(fixture.second.modified_at ?? ''));
    const { etag = '' } = (await organization.owner.get(tag.url)).headers;
    const reader = organization.as('VIEWER');
    await reader.get(`${project.url}parameters/?environment=e&tag=v1`);
    await reader.get(`${project.url}parameters/?environment=${environment.id}&tag=v1`);
    await reader.get(`${project.url}parameters/?environment=e&tag=other`);

    const usage = async () => (await organization.owner.get<Tag>(tag.url)).body.usage;
    for (let tries = 0; (await usage()).total_reads < 2 && tries < 100; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(await usage()).toEqual({
      last_read: expect.stringMatching(/^\d{4}-.*\.\d{6}Z$/),
      last_read_by: expect.stringMatching(/^viewer-/),
      total_reads: 2,
    });
    // a read does not change the tag
    expect((await organization.owner.patch(tag.url, { description: 'd' }, { 'if-match': etag })).status).toBe(200);
  });
});

describe('a read at an instant', () => {
  it('is inclusive and exact to the microsecond in any notation of the instant (H2)', async () => {
    const { organization, parameter, second } = await createPastValue(core);
    const at = second.modified_at ?? '';
    const text = async (instant: string) =>
      (await organization.owner.get<Parameter>(`${parameter.url}?environment=e&as_of=${instant}`)).body.values_flat[0]
        ?.value;
    const [, date = '', hour = '', rest = ''] = /^(.{10})T(\d\d)(.*)Z$/.exec(at) ?? [];
    const eastern = `${date}T${hour}${rest}%2B00:00`;

    expect(await text(at)).toBe('b');
    expect(await text(eastern)).toBe('b');
    expect(await text(`${date}T${hour}${rest}`)).toBe('b');
    expect(await text(instantBefore(at))).toBe('a');
    expect(await text(`${instantBefore(at).slice(0, -1)}999Z`)).toBe('a');
    expect(await text('2999-01-01')).toBe('b');
  });

  it('returns objects that were deleted since, under the names they had then', async () => {
    const { organization, project, parameter, first, second, environment } = await createPastValue(core);
    const then = `as_of=${second.modified_at}`;
    await organization.owner.patch(environment.url, { name: 'renamed' });
    await organization.owner.delete(first.url);
    await organization.owner.delete(parameter.url);
    await organization.owner.delete(project.url);

    const list = await organization.owner.get<Page<Parameter>>(`${project.url}parameters/?environment=e&${then}`);
    expect(list).toMatchObject({ status: 200, body: { count: 1, results: [{ id: parameter.id, name: 'x' }] } });
    expect(list.body.results[0]?.values_flat).toMatchObject([{ value: 'b', environment_name: 'e' }]);
    expect((await organization.owner.get(`${parameter.url}?${then}`)).status).toBe(200);
    expect((await organization.owner.get(`${first.url}?${then}`)).body).toMatchObject({ value: 'b' });
    expect((await organization.owner.get(`${project.url}parameters/`)).status).toBe(404);
  });

  it('returns environments, projects and types as they were, one by one and in lists, by instant, revision or tag', async () => {
    const fixture = await createPastValue(core);
    const { organization, environment, project, second } = fixture;
    const { owner } = organization;
    const then = second.modified_at ?? '';
    await createTagAt(fixture, 'v1', then);
    const child = await organization.environment({ name: 'child', parent: environment.url });
    await organization.project({ name: 'dependent', depends_on: project.url });
    await owner.patch(environment.url, { name: 'renamed' });
    await owner.patch(project.url, { description: 'changed' });
    const type = (await owner.get<Page<{ url: string; name: string }>>('types/')).body.results[0];

    for (const point of [`as_of=${then}`, 'environment=renamed&tag=v1', 'revision=6']) {
      expect((await owner.get(`${environment.url}?${point}`)).body).toEqual(environment);
      expect((await owner.get(`${project.url}?${point}`)).body).toEqual(project);
      const environments = await owner.get<Page<Environment>>(`environments/?${point}`);
      expect(environments.body.results.map(({ name }) => name)).toEqual([
        'default',
        'development',
        'e',
        'production',
        'staging',
      ]);
      const projects = await owner.get<Page<Project>>(`projects/?${point}&name__icontains=p`);
      expect(projects.body.results.map(({ dependents }) => dependents)).toEqual([[], []]);
      expect((await owner.get(`types/?${point}`)).body).toMatchObject({ count: 3 });
      expect((await owner.get(`${type?.url}?${point}`)).body).toEqual(type);
      const missed = await owner.get(`${child.url}?${point}`);
      expect(missed).toMatchObject({ status: 404, body: { detail: ENVIRONMENT_FIRST } });
    }
    await owner.delete(child.url);
    expect((await owner.get(`${child.url}?as_of=${child.created_at}`)).body).toMatchObject({ name: 'child' });
    const under = await owner.get<Page<Environment>>(`environments/?parent__name=e&as_of=${child.created_at}`);
    expect(under.body.results.map(({ name }) => name)).toEqual(['child']);
    expect((await owner.get(`${project.url}?tag=v1`)).status).toBe(400);
    expect((await owner.get('projects/?as_of=1970-01-01')).body).toMatchObject({ count: 0 });
    expect((await owner.get(`${project.url}?as_of=1970-01-01`)).body).toEqual({ detail: PROJECT_FIRST });
    expect((await owner.get('projects/?revision=9999')).headers['x-error-code']).toBe('unknown_revision');
  });

  it('with an impossible date returns 400', async () => {
    const { organization, project } = await createPastValue(core);
    for (const instant of ['2023-02-30', 'yesterday', '2023-01-01T25:00:00Z']) {
      expect(await organization.owner.get(`${project.url}parameters/?as_of=${instant}`)).toMatchObject({
        status: 400,
        body: { as_of: [expect.any(String)] },
      });
    }
  });
});

describe('a read at an instant before an object existed', () => {
  /** The rows of the table in behaviour.md §1.9: the path, the error sentence, and the body to post. */
  const rows: [string, string, string, object | null][] = [
    ['parameters list with as_of', 'parameters/?as_of=2000-01-01', PROJECT_FIRST, null],
    ['parameters list with environment and as_of', 'parameters/?environment=e&as_of=2000-01-01', PROJECT_FIRST, null],
    ['parameters list with tag', 'parameters/?environment=e&tag=early', PROJECT_FIRST, null],
    ['parameter with as_of', 'parameters/{x}/?as_of=2000-01-01', PROJECT_FIRST, null],
    ['parameter with environment and as_of', 'parameters/{x}/?environment=e&as_of=2000-01-01', PROJECT_FIRST, null],
    ['parameter with tag', 'parameters/{x}/?environment=e&tag=early', PROJECT_FIRST, null],
    [
      'parameter-export with as_of',
      'parameter-export/?output=shell&environment=e&as_of=2000-01-01',
      ENVIRONMENT_FIRST,
      null,
    ],
    ['parameter-export with tag', 'parameter-export/?output=shell&environment=e&tag=early', PROJECT_FIRST, null],
    ['templates list with environment and as_of', 'templates/?environment=e&as_of=2000-01-01', ENVIRONMENT_FIRST, null],
    ['template-preview with as_of', 'template-preview/?environment=e&as_of=2000-01-01', PROJECT_FIRST, { body: 'x' }],
  ];

  it.each(rows)('names the first missing object: %s', async (_, path, message, body) => {
    const fixture = await createPastValue(core);
    await createTagAt(fixture, 'early', '1970-01-01');
    const { organization, project, parameter } = fixture;
    const target = `${project.url}${path.replace('{x}', parameter.id)}`;
    const response = await organization.owner.send(body ? 'POST' : 'GET', target, body ? { body } : {});
    expect(response).toMatchObject({ status: 404, body: { detail: message } });
    expect(response.headers['x-error-code']).toBe('not_found');
  });

  it('names the environment if the project already existed', async () => {
    const organization = await core.organization();
    const project = await organization.project();
    const late = await organization.environment({ name: 'late' });
    const then = instantBefore(late.created_at);
    const { owner } = organization;
    await owner.post(`${late.url}tags/`, { name: 'v0', timestamp: then });

    for (const point of [`as_of=${then}`, 'tag=v0']) {
      expect(await owner.get(`${project.url}parameters/?environment=late&${point}`)).toMatchObject({
        status: 404,
        body: { detail: ENVIRONMENT_FIRST },
      });
    }
    expect((await owner.get(`${project.url}parameters/?environment=late&as_of=${late.created_at}`)).status).toBe(200);
  });
});
