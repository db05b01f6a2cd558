import type { Effective, Page, Parameter, Value } from '@strata/contract';
import { type RunningCore, sharedCore } from '@strata/testkit';
import { readValue, setText } from '../../../testing/texts.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

describe('dynamic values', () => {
  it('H3: are evaluated for the environment that is shown', async () => {
    const organization = await core.organization();
    const project = await organization.project();
    const text = '{{ cloudtruth.environment }}.example.com';
    const { value } = await setText(organization, project, 'host', { text });

    expect(await readValue(organization, project, 'host', 'production')).toMatchObject({
      value: 'production.example.com',
      internal_value: text,
      interpolated: true,
      evaluated: true,
      environment_name: 'default',
      active_environment_name: 'production',
    });
    expect(await readValue(organization, project, 'host', 'production', '&evaluate=false')).toMatchObject({
      value: text,
      evaluated: false,
    });
    const all = await organization.owner.get<Parameter>(value.parameter);
    expect(all.body.values_flat.map((seen) => seen.value).sort()).toEqual([
      'default.example.com',
      'development.example.com',
      'production.example.com',
      'staging.example.com',
    ]);
    expect((await organization.owner.get<Value>(value.url)).body.value).toBe('default.example.com');
    expect((await organization.owner.get<Value>(`${value.url}?environment=staging`)).body.value).toBe(
      'staging.example.com',
    );
    const effective = await organization.owner.get<Effective>(`${project.url}effective/?environment=staging`);
    expect(effective.body.values).toEqual({ host: 'staging.example.com' });
  });

  it('H3: are evaluated only once, and include the evaluated text of other dynamic values', async () => {
    const organization = await core.organization();
    const project = await organization.project();
    await setText(organization, project, 'a', { text: '{{ b }}', literal: true });
    await setText(organization, project, 'c', { text: '{{ a }}' });
    await setText(organization, project, 'd', { text: '<{{ c }}|{{ c | upcase }}>' });

    expect((await readValue(organization, project, 'c', 'default')).value).toBe('{{ b }}');
    expect((await readValue(organization, project, 'd', 'default')).value).toBe('<{{ b }}|{{ B }}>');
  });

  it('render a parameter without a value as nothing, and accept a name with spaces in the namespace', async () => {
    const organization = await core.organization();
    const project = await organization.project();
    await organization.parameter({ project, name: 'nothing' });
    await setText(organization, project, 'simple space', { text: 's', literal: true });
    await setText(organization, project, 'v', { text: '[{{ nothing }}{{ cloudtruth.parameters["simple space"] }}]' });
    await setText(organization, project, 'w', { text: '{{ v | upcase }}{% if nothing %}!{% endif %}' });

    expect((await readValue(organization, project, 'v', 'default')).value).toBe('[s]');
    expect((await readValue(organization, project, 'w', 'default')).value).toBe('[S]');
  });

  it('E44: can never be secret', async () => {
    const organization = await core.organization();
    const { parameter, value } = await setText(organization, await organization.project(), 'pw', {
      text: 'x',
      literal: true,
      secret: true,
    });
    const response = await organization.owner.patch(value.url, { interpolated: true });
    expect(response).toMatchObject({ status: 400, body: { interpolated: [expect.stringContaining('pw')] } });
    expect(response.headers['x-error-code']).toBe('secret_is_literal');
    const staging = await organization.environmentNamed('staging');
    expect(
      await organization.owner.post(`${parameter.url}values/`, {
        environment: staging.id,
        internal_value: 'x',
        interpolated: true,
      }),
    ).toMatchObject({ status: 400, body: { interpolated: [expect.any(String)] } });
  });

  it('become literal and dynamic again without losing their text; becoming dynamic validates the stored text', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const project = await organization.project();
    await setText(organization, project, 'a', { text: '1', literal: true });
    const { value, parameter } = await setText(organization, project, 'v', { text: '{{ a }}' });

    const off = await owner.patch<Value>(value.url, { external: false, interpolated: false });
    expect(off.body).toMatchObject({
      value: '{{ a }}',
      interpolated: false,
      evaluated: false,
      referenced_parameters: [],
    });
    expect(await owner.patch(value.url, { external: false, interpolated: false })).toMatchObject({ body: off.body });
    expect((await owner.put<Value>(value.url, { interpolated: true })).body).toMatchObject({
      value: '1',
      interpolated: true,
    });
    await owner.patch(value.url, { interpolated: false, internal_value: '{{ b }}' });
    expect(await owner.patch(value.url, { interpolated: true })).toMatchObject({
      status: 400,
      body: [expect.stringContaining('b')],
    });
    expect((await owner.get<Value>(value.url)).body).toMatchObject({ value: '{{ b }}', interpolated: false });
    await owner.patch(value.url, { interpolated: true, internal_value: null });
    expect((await owner.get<Value>(value.url)).body).toMatchObject({ value: null, evaluated: false });
    expect(await owner.delete(parameter.url)).toMatchObject({ status: 204 });
  });

  it('E60 and E61: are validated when only their text changes, without repeating the flag', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const project = await organization.project();
    await setText(organization, project, 'a', { text: '1', literal: true });
    const { value } = await setText(organization, project, 'v', { text: '{{ a }}' });
    for (const text of [
      '{{ nope }}',
      '{{ v }}',
      '{{ a',
      '{{ cloudtruth.nope }}',
      '{{ cloudtruth.templates }}',
      '{{ cloudtruth }}',
    ]) {
      const response = await owner.patch(value.url, { internal_value: text });
      expect([text, response.status, Array.isArray(response.body)]).toEqual([text, 400, true]);
    }
    expect((await owner.get<Value>(value.url)).body).toEqual(value);
    const all = await owner.patch(value.url, {
      internal_value: '{% for p in strata.parameters %}{{ p[1] }}{% endfor %}',
    });
    expect(all).toMatchObject({ status: 400, body: [expect.stringContaining('circular reference')] });
  });

  it('are validated in every environment where they are effective', async () => {
    const organization = await core.organization();
    const project = await organization.project();
    const production = await organization.environmentNamed('production');
    const port = await setText(organization, project, 'port', { text: '80', literal: true });
    await organization.value({ parameter: port.parameter, environment: production, internal_value: 'https' });
    const parameter = await organization.parameter({ project, name: 'n', type: 'integer' });
    const root = await organization.environmentNamed('default');
    const post = () =>
      organization.owner.post(`${parameter.url}values/`, {
        environment: root.id,
        internal_value: '{{ port }}',
        interpolated: true,
      });

    const response = await post();
    expect(response).toMatchObject({ status: 400, body: { internal_value: [expect.stringContaining('production')] } });
    expect(response.headers['x-error-code']).toBe('type_violation');
    expect(response.text).not.toContain('https');
    await organization.value({ parameter, environment: production, internal_value: '443' });
    expect(await post()).toMatchObject({ status: 201, body: { value: '80' } });
  });

  it('can be compared between environments by their evaluated text', async () => {
    const organization = await core.organization();
    const project = await organization.project();
    await setText(organization, project, 'same', { text: '{{ strata.project }}' });
    await setText(organization, project, 'other', { text: '{{ strata.environment }}' });
    const names = async (query: string) => {
      const path = `${project.url}parameters/?difference=staging,production${query}`;
      return (await organization.owner.get<Page<Parameter>>(path)).body.results.map(({ name }) => name);
    };
    expect(await names('')).toEqual(['other']);
    expect(await names('&evaluate=false')).toEqual([]);
  });

  it('can be read at a point in time, with their references at that time', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const project = await organization.project();
    const a = await setText(organization, project, 'a', { text: 'old', literal: true });
    const { value } = await setText(organization, project, 'v', { text: '<{{ a }}>' });
    await owner.patch(a.value.url, { internal_value: 'new' });
    const last = await owner.patch<Value>(value.url, { internal_value: 'plain {{ strata.environment }}' });
    expect((await owner.get<Value>(value.url)).body).toMatchObject({
      value: 'plain default',
      referenced_parameters: [],
    });
    expect((await owner.get<Value>(`${value.url}?as_of=${value.modified_at}`)).body).toMatchObject({
      value: '<old>',
      referenced_parameters: [a.parameter.url],
    });
    await owner.delete(a.parameter.url);
    await owner.delete(value.url);
    expect((await owner.get<Value>(`${value.url}?as_of=${last.body.modified_at}`)).body.value).toBe('plain default');
  });

  it('take the same number of statements per request, however many there are', async () => {
    const organization = await core.organization();
    const project = await organization.project();
    await setText(organization, project, 'p0', { text: 'x', literal: true });
    for (let n = 1; n <= 12; n += 1)
      await setText(organization, project, `p${n}`, { text: `{{ p${n - 1} }}{{ strata.environment }}|` });
    expect((await readValue(organization, project, 'p12', 'default')).value).toBe(`x${'default|'.repeat(12)}`);
    for (let n = 13; n <= 16; n += 1) await setText(organization, project, `p${n}`, { text: `{{ p${n - 1} }}` });
    const parameter = await organization.parameter({ project, name: 'p17' });
    const root = await organization.environmentNamed('default');
    const deep = await organization.owner.post(`${parameter.url}values/`, {
      environment: root.id,
      internal_value: '{{ p16 }}',
      interpolated: true,
    });
    expect(deep).toMatchObject({ status: 400, body: [expect.stringContaining('16')] });
  });
});

describe('a malicious text', () => {
  it('A17: ends with a clear error, stores nothing, and does not delay other requests', async () => {
    const [ours, theirs] = [await core.organization(), await core.organization()];
    const project = await ours.project();
    const parameter = await ours.parameter({ project });
    const root = await ours.environmentNamed('default');
    const busy = '{% for a in (1..99999) %}{% for b in (1..99999) %}{% endfor %}{% endfor %}';
    const begun = performance.now();
    const response = ours.owner.post(`${parameter.url}values/`, {
      environment: root.id,
      internal_value: busy,
      interpolated: true,
    });
    const preview = ours.owner.post(`${project.url}template-preview/`, { body: `${busy} ` });
    let slowest = 0;
    for (let n = 0; n < 10; n += 1) {
      const at = performance.now();
      expect((await theirs.owner.get('environments/')).status).toBe(200);
      slowest = Math.max(slowest, performance.now() - at);
    }
    // A busy machine needs far less. Without limits, the text alone would take minutes.
    expect(slowest).toBeLessThan(5_000);
    expect(await response).toMatchObject({ status: 400, body: [expect.any(String)] });
    expect((await response).headers['x-error-code']).toBe('evaluation_failed');
    expect(await preview).toMatchObject({
      status: 422,
      body: {
        detail: [
          {
            error_code: 'too_costly',
            error_detail: expect.any(String),
            parameter_id: expect.any(String),
            parameter_name: '',
          },
        ],
      },
    });
    expect(performance.now() - begun).toBeLessThan(30_000);
    expect((await ours.owner.get<Page<Value>>(`${parameter.url}values/`)).body.count).toBe(0);
  });

  it('A20: is rejected before it becomes long if it doubles repeatedly', async () => {
    const organization = await core.organization();
    const project = await organization.project();
    await setText(organization, project, 'x0', { text: 'x'.repeat(60_000), literal: true });
    const statuses: number[] = [];
    for (let n = 1; n <= 8; n += 1) {
      const parameter = await organization.parameter({ project, name: `x${n}` });
      const root = await organization.environmentNamed('default');
      const text = `{{ x${n - 1} }}`.repeat(10);
      const response = await organization.owner.post(`${parameter.url}values/`, {
        environment: root.id,
        internal_value: text,
        interpolated: true,
      });
      statuses.push(response.status);
      if (response.status !== 201) {
        expect(response.body).toEqual([expect.stringContaining('longer than')]);
        break;
      }
    }
    expect(statuses).toEqual([201, 400]);
  });
});
