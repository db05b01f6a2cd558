import type { Page, Parameter, Value } from '@strata/contract';
import { type RunningCore, sharedCore } from '@strata/testkit';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

describe('values', () => {
  it('accept a bare environment id and a number, and return links and text (H7)', async () => {
    const organization = await core.organization();
    const parameter = await organization.parameter({ type: 'integer' });
    const root = await organization.environmentNamed('default');

    const response = await organization.owner.post<Value>(`${parameter.url}values/`, {
      environment: root.id,
      internal_value: 5,
    });
    const second = await organization.owner.post(`${parameter.url}values/`, {
      environment: root.url,
      internal_value: '6',
    });

    expect(response).toMatchObject({
      status: 201,
      body: { environment: root.url, internal_value: '5', value: '5', static_value: '5' },
    });
    expect(response.headers.location).toBe(response.body.url);
    expect(second).toMatchObject({ status: 400, body: { non_field_errors: [expect.any(String)] } });
  });

  it('keep every digit of a number', async () => {
    const organization = await core.organization();
    const { url } = await organization.value();
    const json = { 'content-type': 'application/json' };

    for (const number of ['12345678901234567890', '9007199254740993', '1.50', '-0', '1e400', '0.1']) {
      const { body } = await organization.owner.patch<Value>(url, `{"internal_value":${number}}`, json);
      expect(body.internal_value).toBe(number);
    }
  });

  it('distinguish null, the empty text and spaces', async () => {
    const organization = await core.organization();
    const staging = await organization.environmentNamed('staging');
    const parameter = await organization.parameter();
    const base = await organization.value({ parameter, internal_value: 'base' });
    const value = await organization.value({ parameter, environment: staging, internal_value: null });
    const seen = async () => {
      const { body } = await organization.owner.get<Parameter>(`${parameter.url}?environment=staging`);
      return body.values[staging.url];
    };

    expect(await seen()).toMatchObject({ id: value.id, value: null });
    for (const text of ['', '  a b \n', 'ü💡', 'x\'"\\']) {
      expect(await organization.owner.patch<Value>(value.url, { internal_value: text })).toMatchObject({
        status: 200,
        body: { value: text },
      });
      expect(await seen()).toMatchObject({ value: text });
    }
    await organization.owner.delete(value.url);
    expect(await seen()).toMatchObject({ id: base.id, value: 'base' });
  });

  it('are rejected if they do not match the type, with the field that clients expect', async () => {
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

  it('cannot be moved: an environment in a change is ignored, and a PUT may omit almost all members', async () => {
    const organization = await core.organization();
    const staging = await organization.environmentNamed('staging');
    const value = await organization.value({ internal_value: 'v' });

    const put = await organization.owner.put<Value>(value.url, {
      id: '',
      environment: staging.url,
      interpolated: false,
      created_at: '',
    });
    const patch = await organization.owner.patch<Value>(value.url, { external: false, interpolated: false });

    expect(put).toMatchObject({
      status: 200,
      body: { environment_name: 'default', value: 'v', ledger_id: value.ledger_id },
    });
    expect(patch.body).toEqual(put.body);
  });

  it('return after a change the same as a GET, with the revision of the change', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const production = await organization.environmentNamed('production');
    for (const secret of [false, true]) {
      const parameter = await organization.parameter({ secret, expires: 'P1D' });
      const { url } = await organization.value({ parameter, internal_value: 'first' });
      for (const text of ['second', 'second', '', null, 'third']) {
        for (const query of ['', '?mask_secrets=true', `?environment=${production.id}`]) {
          const summaryOf = [
            await owner.patch<Value>(`${url}${query}`, { internal_value: text }),
            await owner.get<Value>(`${url}${query}`),
          ].map(({ status, body, headers }) => [status, body, headers.etag, headers['x-revision']]);
          expect(summaryOf[0]).toEqual(summaryOf[1]);
        }
      }
    }
  });

  it('are not written if the response cannot be returned as the query requests', async () => {
    const organization = await core.organization();
    const [staging, production] = await Promise.all([
      organization.environmentNamed('staging'),
      organization.environmentNamed('production'),
    ]);
    const parameter = await organization.parameter();
    const list = `${parameter.url}values/`;
    const value = await organization.value({ parameter, environment: staging, internal_value: 'first' });
    const dynamic = { internal_value: '{{ strata.environment }}', interpolated: true };
    const change = (query: string, body: object) => organization.owner.patch(`${value.url}?${query}`, body);
    const create = (query: string) =>
      organization.owner.post(`${list}?${query}`, { environment: production.id, ...dynamic });

    expect(await change('environment=nowhere', { internal_value: 'x' })).toMatchObject({ status: 404 });
    expect(await change('environment=production', dynamic)).toMatchObject({ status: 404 });
    expect(await change('evaluate=perhaps', { internal_value: 'x' })).toMatchObject({ status: 400 });
    expect(await create('environment=nowhere')).toMatchObject({ status: 404 });
    expect(await create('environment=staging')).toMatchObject({ status: 404 });
    expect(await create('mask_secrets=perhaps')).toMatchObject({ status: 400 });

    const { body } = await organization.owner.get<Page<Value>>(list);
    expect(body.results).toMatchObject([{ id: value.id, ledger_id: value.ledger_id, internal_value: 'first' }]);
    expect(await create('environment=production')).toMatchObject({ status: 201, body: { value: 'production' } });
  });

  it('are returned with the requested fields, in a single read as in a list', async () => {
    const organization = await core.organization();
    const { id, url } = await organization.value({ internal_value: 'x' });

    expect((await organization.owner.get(`${url}?include=id,value`)).body).toEqual({ id, value: 'x' });
    expect((await organization.owner.get(`${url}?exclude=url,value`)).body).toEqual(
      expect.not.objectContaining({ url: expect.anything(), value: expect.anything() }),
    );
  });

  it('are rejected with the reason if they are external, and nothing is stored', async () => {
    const organization = await core.organization();
    const parameter = await organization.parameter();
    const root = await organization.environmentNamed('default');
    const post = async (input: object) => {
      const { status, body, headers } = await organization.owner.post(`${parameter.url}values/`, {
        environment: root.id,
        ...input,
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
    expect((await organization.owner.get<Page<Value>>(`${parameter.url}values/`)).body.count).toBe(0);
  });

  it('of secret parameters show their text only in the member value, and masked on request', async () => {
    const organization = await core.organization();
    const parameter = await organization.parameter({ secret: true });
    const value = await organization.value({ parameter, internal_value: 'hunter2' });

    expect(value).toMatchObject({ internal_value: null, static_value: null, value: 'hunter2', secret: true });
    const masked = await organization.owner.get(`${parameter.url}?mask_secrets=True`);
    expect(masked.text).toContain('"value":"*****"');
    expect(masked.text).not.toContain('hunter2');
    const map = `projects/${parameter.project.split('/').at(-2)}/effective/?environment=default`;
    expect((await organization.owner.get(map)).body).toMatchObject({
      has_secret: true,
      values: { [parameter.name]: 'hunter2' },
    });
    expect((await organization.owner.get(`${map}&mask_secrets=true`)).text).not.toContain('hunter2');
    expect(await organization.owner.patch(value.url, {})).toMatchObject({
      body: { ledger_id: value.ledger_id },
    });
  });

  it('of a secret parameter stay masked where a plain parameter overrides it', async () => {
    const organization = await core.organization();
    const base = await organization.project();
    const child = await organization.project({ depends_on: base.url });
    const hidden = await organization.parameter({ project: base, name: 'token', secret: true });
    await organization.parameter({ project: child, name: 'token' });
    const production = await organization.environmentNamed('production');
    await organization.value({ parameter: hidden, environment: production, internal_value: 'hunter2' });

    for (const path of ['parameters/?', 'effective/?']) {
      const url = `${child.url}${path}environment=production`;
      expect((await organization.owner.get(url)).text).toContain('hunter2');
      const body = (await organization.owner.get(`${url}&mask_secrets=true`)).text;
      expect(body).toContain('*****');
      expect(body).not.toContain('hunter2');
    }
    expect((await organization.owner.get(`${child.url}effective/?environment=production`)).body).toMatchObject({
      has_secret: true,
    });
  });
});
