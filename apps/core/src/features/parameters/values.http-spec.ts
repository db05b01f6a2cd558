import type { Environment, Parameter, Project, Value } from '@strata/contract';
import { type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

type List<T> = { count: number; results: T[] };

/** `child` depends on `base`; `port` is 80 in default, 443 in production, and 8080 for the child in default (H1). */
async function house(organization: TestOrganization) {
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

async function portOf(organization: TestOrganization, project: Project, environment: Environment, query = '') {
  const { body } = await organization.owner.get<List<Parameter>>(
    `projects/${project.id}/parameters/?name=port&environment=${environment.name}${query}`,
  );
  return body.results[0]?.values[environment.url] ?? null;
}

describe('the effective value', () => {
  it('takes the environment before the project: a parent project in production beats the child in default (H1)', async () => {
    const organization = await core.organization();
    const { child, root, production, basePort, childPort, baseProduction } = await house(organization);

    const { body } = await organization.owner.get<List<Parameter>>(
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
    expect(await portOf(organization, child, root)).toMatchObject({ value: '8080', parameter: childPort.url });

    await organization.owner.delete(baseProduction.url);
    expect(await portOf(organization, child, production)).toMatchObject({
      value: '8080',
      environment_name: 'default',
      active_environment_name: 'production',
    });
  });

  it('is the same in the list, alone, and in the compact map', async () => {
    const organization = await core.organization();
    const { child, childPort, production } = await house(organization);

    const one = await organization.owner.get<Parameter>(`${childPort.url}?environment=${production.id}`);
    const map = await organization.owner.get(`projects/${child.id}/effective/?environment=production`);

    expect(one.body.values[production.url]).toMatchObject({ value: '443' });
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

  it('is listed for every environment unless one is named, and for none when values=false', async () => {
    const organization = await core.organization();
    const { child } = await house(organization);
    const list = (query: string) =>
      organization.owner.get<List<Parameter>>(`projects/${child.id}/parameters/?${query}`);

    expect(Object.keys((await list('')).body.results[0]?.values ?? {})).toHaveLength(4);
    expect((await list('values=False')).body.results[0]).toMatchObject({ values: {}, values_flat: [] });
    expect(await list('values=true&environment=production')).toMatchObject({ status: 400 });
    expect(await list('environment=nowhere')).toMatchObject({
      status: 404,
      body: { detail: 'No Environment matches the given query.' },
    });
  });

  it('shows inherited parameters as their owner’s, which only the owner’s path can write', async () => {
    const organization = await core.organization();
    const { base, child } = await house(organization);
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
    const { base } = await house(organization);
    const flat = await organization.parameter({ project: base, name: 'flat' });
    await organization.value({ parameter: flat, internal_value: 'same' });

    const { body } = await organization.owner.get<List<Parameter>>(
      `projects/${base.id}/parameters/?difference=default,production`,
    );
    expect(body.results.map(({ name }) => name)).toEqual(['port']);
    expect(await organization.owner.get(`projects/${base.id}/parameters/?difference=default`)).toMatchObject({
      status: 400,
    });
  });
});

describe('points in time', () => {
  it('include the write of that very microsecond, and report what is missing in the order of the contract (H2)', async () => {
    const organization = await core.organization();
    const { base, root, basePort } = await house(organization);
    const [value] = (await organization.owner.get<List<Value>>(`${basePort.url}values/?environment=default`)).body
      .results;
    const changed = await organization.owner.patch<Value>(value?.url ?? '', { internal_value: '81' });
    const at = changed.body.modified_at ?? '';
    const justBefore = at.replace(
      /(\d{6})Z$/,
      (_, micros: string) => `${String(Number(micros) - 1).padStart(6, '0')}Z`,
    );

    expect(await portOf(organization, base, root, `&as_of=${at}`)).toMatchObject({
      value: '81',
      ledger_id: changed.body.ledger_id,
    });
    expect(await portOf(organization, base, root, `&as_of=${justBefore}`)).toMatchObject({
      value: '80',
      ledger_id: value?.ledger_id,
    });
    expect(await portOf(organization, base, root, '&as_of=2999-01-01')).toMatchObject({ value: '81' });
    expect(await portOf(organization, base, root, `&revision=${changed.headers['x-revision']}`)).toMatchObject({
      value: '81',
    });

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

  it('show what was deleted since', async () => {
    const organization = await core.organization();
    const { base, root, basePort } = await house(organization);
    const before = (await organization.owner.get('projects/')).headers['x-revision'];
    await organization.owner.delete(basePort.url);

    expect(await portOf(organization, base, root)).toBeNull();
    expect(await portOf(organization, base, root, `&revision=${before}`)).toMatchObject({ value: '80' });
  });
});

describe('values', () => {
  it('take a bare environment id and a number, and answer with links and text (H7)', async () => {
    const organization = await core.organization();
    const parameter = await organization.parameter({ type: 'integer' });
    const root = await organization.environmentNamed('default');

    const made = await organization.owner.post<Value>(`${parameter.url}values/`, {
      environment: root.id,
      internal_value: 5,
    });
    const second = await organization.owner.post(`${parameter.url}values/`, {
      environment: root.url,
      internal_value: '6',
    });

    expect(made).toMatchObject({
      status: 201,
      body: { environment: root.url, internal_value: '5', value: '5', static_value: '5' },
    });
    expect(made.headers.location).toBe(made.body.url);
    expect(second).toMatchObject({ status: 400, body: { non_field_errors: [expect.any(String)] } });
  });

  it('keep every digit of a number, as it was written', async () => {
    const organization = await core.organization();
    const { url } = await organization.value();
    const json = { 'content-type': 'application/json' };

    for (const number of ['12345678901234567890', '9007199254740993', '1.50', '-0', '1e400', '0.1']) {
      const { body } = await organization.owner.patch<Value>(url, `{"internal_value":${number}}`, json);
      expect(body.internal_value).toBe(number);
    }
  });

  it('keep null, the empty text and blanks apart', async () => {
    const organization = await core.organization();
    const staging = await organization.environmentNamed('staging');
    const parameter = await organization.parameter();
    const base = await organization.value({ parameter, internal_value: 'base' });
    const made = await organization.value({ parameter, environment: staging, internal_value: null });
    const seen = async () => {
      const { body } = await organization.owner.get<Parameter>(`${parameter.url}?environment=staging`);
      return body.values[staging.url];
    };

    expect(await seen()).toMatchObject({ id: made.id, value: null });
    for (const text of ['', '  a b \n', 'ü💡', 'x\'"\\']) {
      expect(await organization.owner.patch<Value>(made.url, { internal_value: text })).toMatchObject({
        status: 200,
        body: { value: text },
      });
      expect(await seen()).toMatchObject({ value: text });
    }
    await organization.owner.delete(made.url);
    expect(await seen()).toMatchObject({ id: base.id, value: 'base' });
  });

  it('are refused when they do not fit the type, with the field the clients look for', async () => {
    const organization = await core.organization();
    const root = await organization.environmentNamed('default');
    const number = await organization.parameter({ type: 'integer' });
    const flag = await organization.parameter({ type: 'boolean' });
    const post = (parameter: Parameter, internal_value: unknown) =>
      organization.owner.post(`${parameter.url}values/`, { environment: root.id, internal_value });

    for (const wrong of ['x', '1.5', '', '1e3', ' 1', true, [], {}]) {
      expect(await post(number, wrong)).toMatchObject({ status: 400, body: { internal_value: [expect.any(String)] } });
    }
    expect(await post(flag, 'perhaps')).toMatchObject({
      status: 400,
      body: { internal_value: [expect.stringContaining('boolean')] },
    });
    expect(await post(number, '-12')).toMatchObject({ status: 201 });
    const text = await organization.parameter();
    expect(await post(text, 'x'.repeat(65_537))).toMatchObject({
      status: 400,
      body: { internal_value: [expect.any(String)] },
    });
    expect(await post(text, 'a\u0000b')).toMatchObject({ status: 400 });
    expect(await post(text, '"\\ud800"')).toMatchObject({ status: 201 });
    expect(await post(await organization.parameter(), 'x'.repeat(65_536))).toMatchObject({ status: 201 });
  });

  it('never move: an environment in a change is ignored, and a PUT may hold next to nothing', async () => {
    const organization = await core.organization();
    const staging = await organization.environmentNamed('staging');
    const made = await organization.value({ internal_value: 'v' });

    const put = await organization.owner.put<Value>(made.url, {
      id: '',
      environment: staging.url,
      interpolated: false,
      created_at: '',
    });
    const patch = await organization.owner.patch<Value>(made.url, { external: false, interpolated: false });

    expect(put).toMatchObject({
      status: 200,
      body: { environment_name: 'default', value: 'v', ledger_id: made.ledger_id },
    });
    expect(patch.body).toEqual(put.body);
  });

  it('answer a change with what GET answers then, and with the revision that made it', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const production = await organization.environmentNamed('production');
    for (const secret of [false, true]) {
      const parameter = await organization.parameter({ secret, expires: 'P1D' });
      const { url } = await organization.value({ parameter, internal_value: 'first' });
      for (const text of ['second', 'second', '', null, 'third']) {
        for (const query of ['', '?mask_secrets=true', `?environment=${production.id}`]) {
          const told = [
            await owner.patch<Value>(`${url}${query}`, { internal_value: text }),
            await owner.get<Value>(`${url}${query}`),
          ].map(({ status, body, headers }) => [status, body, headers.etag, headers['x-revision']]);
          expect(told[0]).toEqual(told[1]);
        }
      }
    }
  });

  it('are not written when the answer cannot be given as the query asks for it', async () => {
    const organization = await core.organization();
    const [staging, production] = await Promise.all([
      organization.environmentNamed('staging'),
      organization.environmentNamed('production'),
    ]);
    const parameter = await organization.parameter();
    const list = `${parameter.url}values/`;
    const made = await organization.value({ parameter, environment: staging, internal_value: 'first' });
    const dynamic = { internal_value: '{{ strata.environment }}', interpolated: true };
    const change = (query: string, body: object) => organization.owner.patch(`${made.url}?${query}`, body);
    const create = (query: string) =>
      organization.owner.post(`${list}?${query}`, { environment: production.id, ...dynamic });

    expect(await change('environment=nowhere', { internal_value: 'x' })).toMatchObject({ status: 404 });
    expect(await change('environment=production', dynamic)).toMatchObject({ status: 404 });
    expect(await change('evaluate=perhaps', { internal_value: 'x' })).toMatchObject({ status: 400 });
    expect(await create('environment=nowhere')).toMatchObject({ status: 404 });
    expect(await create('environment=staging')).toMatchObject({ status: 404 });
    expect(await create('mask_secrets=perhaps')).toMatchObject({ status: 400 });

    const { body } = await organization.owner.get<List<Value>>(list);
    expect(body.results).toMatchObject([{ id: made.id, ledger_id: made.ledger_id, internal_value: 'first' }]);
    expect(await create('environment=production')).toMatchObject({ status: 201, body: { value: 'production' } });
  });

  it('are shown with the fields that are asked for, alone as in a list', async () => {
    const organization = await core.organization();
    const { id, url } = await organization.value({ internal_value: 'x' });

    expect((await organization.owner.get(`${url}?include=id,value`)).body).toEqual({ id, value: 'x' });
    expect((await organization.owner.get(`${url}?exclude=url,value`)).body).toEqual(
      expect.not.objectContaining({ url: expect.anything(), value: expect.anything() }),
    );
  });

  it('are not external, and say why, without storing anything', async () => {
    const organization = await core.organization();
    const parameter = await organization.parameter();
    const root = await organization.environmentNamed('default');
    const post = async (wish: object) => {
      const { status, body, headers } = await organization.owner.post(`${parameter.url}values/`, {
        environment: root.id,
        ...wish,
      });
      return { status, body, code: headers['x-error-code'] };
    };
    const detail = expect.any(String);

    for (const fqn of ['gopher://a/b', 'nonsense', 'github:a']) {
      expect(await post({ external: true, external_fqn: fqn })).toEqual({
        status: 404,
        body: { detail },
        code: 'unknown_provider',
      });
    }
    expect(await post({ external: true, external_fqn: 'github://a/b/c' })).toEqual({
      status: 404,
      body: { detail: expect.stringContaining('`github://a/b/c`') },
      code: 'no_integration',
    });
    expect(await post({ external: true, external_fqn: 'github://a/b', internal_value: 'x' })).toEqual({
      status: 400,
      body: { internal_value: [detail] },
      code: 'external_with_text',
    });
    expect(await post({ external: true })).toMatchObject({ status: 400, body: { external_fqn: [detail] } });
    expect(await post({ external_fqn: 'github://a/b' })).toMatchObject({
      status: 400,
      body: { external_fqn: [detail] },
    });
    expect((await organization.owner.get<List<Value>>(`${parameter.url}values/`)).body.count).toBe(0);
  });

  it('of secret parameters leave only as value, masked when asked', async () => {
    const organization = await core.organization();
    const parameter = await organization.parameter({ secret: true });
    const made = await organization.value({ parameter, internal_value: 'hunter2' });

    expect(made).toMatchObject({ internal_value: null, static_value: null, value: 'hunter2', secret: true });
    const masked = await organization.owner.get(`${parameter.url}?mask_secrets=True`);
    expect(masked.text).toContain('"value":"*****"');
    expect(masked.text).not.toContain('hunter2');
    const map = `projects/${parameter.project.split('/').at(-2)}/effective/?environment=default`;
    expect((await organization.owner.get(map)).body).toMatchObject({
      has_secret: true,
      values: { [parameter.name]: 'hunter2' },
    });
    expect((await organization.owner.get(`${map}&mask_secrets=true`)).text).not.toContain('hunter2');
    expect(await organization.owner.patch(made.url, { internal_value: 'hunter2' })).toMatchObject({
      body: { ledger_id: made.ledger_id },
    });
  });

  it('of a secret parameter stay masked where they show through an override that is no secret', async () => {
    const organization = await core.organization();
    const base = await organization.project();
    const child = await organization.project({ depends_on: base.url });
    const hidden = await organization.parameter({ project: base, name: 'token', secret: true });
    await organization.parameter({ project: child, name: 'token' });
    const production = await organization.environmentNamed('production');
    await organization.value({ parameter: hidden, environment: production, internal_value: 'hunter2' });

    for (const path of ['parameters/?', 'effective/?']) {
      const asked = `${child.url}${path}environment=production`;
      expect((await organization.owner.get(asked)).text).toContain('hunter2');
      const answer = (await organization.owner.get(`${asked}&mask_secrets=true`)).text;
      expect(answer).toContain('*****');
      expect(answer).not.toContain('hunter2');
    }
    expect((await organization.owner.get(`${child.url}effective/?environment=production`)).body).toMatchObject({
      has_secret: true,
    });
  });
});

describe('parameters', () => {
  it('are not made when the query of their answer cannot be understood', async () => {
    const organization = await core.organization();
    const { url } = await organization.project();

    expect(await organization.owner.post(`${url}parameters/?mask_secrets=perhaps`, { name: 'p' })).toMatchObject({
      status: 400,
      body: { mask_secrets: [expect.any(String)] },
    });
    expect((await organization.owner.get<List<Parameter>>(`${url}parameters/`)).body.count).toBe(0);
  });

  it('begin without values, and are listed by name with case and punctuation last in mind', async () => {
    const organization = await core.organization();
    const project = await organization.project();
    for (const name of ['web', 'TestProject', 'redis', 'a/b c', '_x']) await organization.parameter({ project, name });

    const { body } = await organization.owner.get<List<Parameter>>(`${project.url}parameters/?environment=default`);
    expect(body.results.map(({ name }) => name)).toEqual(['a/b c', 'redis', 'TestProject', 'web', '_x']);
    expect(body.results.every(({ values_flat }) => values_flat.length === 0)).toBe(true);
  });

  it('keep their secrecy, follow the name pattern, and refuse an unknown type with 404', async () => {
    const organization = await core.organization();
    const project = await organization.project({ parameter_name_pattern: 'FOO_.*' });
    const post = (wish: object) => organization.owner.post<Parameter>(`${project.url}parameters/`, wish);

    expect(await post({ name: 'BAR' })).toMatchObject({
      status: 400,
      body: { name: [expect.stringContaining('FOO_')] },
    });
    const made = await post({ name: 'FOO_1' });
    expect(made).toMatchObject({ status: 201, body: { type: 'string', secret: false } });
    expect(await organization.owner.patch(made.body.url, { secret: true })).toMatchObject({
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

  it('change type only when every value fits', async () => {
    const organization = await core.organization();
    const parameter = await organization.parameter({ type: 'boolean' });
    await organization.value({ parameter, internal_value: 'true' });
    const to = (type: string) => organization.owner.patch<Parameter>(parameter.url, { type });

    expect(await to('string')).toMatchObject({ status: 200, body: { type: 'string' } });
    expect(await to('boolean')).toMatchObject({ status: 200, body: { type: 'boolean' } });
    expect(await to('integer')).toMatchObject({ status: 400, body: { type: [expect.stringContaining('integer')] } });
  });

  it('take their values with them when they go', async () => {
    const organization = await core.organization();
    const parameter = await organization.parameter();
    const value = await organization.value({ parameter });

    expect(await organization.owner.delete(parameter.url)).toMatchObject({ status: 204 });
    expect(await organization.owner.get(value.url)).toMatchObject({ status: 404 });
  });
});

describe('tolerance for old clients (H8)', () => {
  it('ignores read-only and unknown members, accepts forms, and answers without a final slash too', async () => {
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
