import type { Effective, Environment, Page, Parameter, Project, Value } from '@strata/contract';
import { type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

interface Wish {
  readonly text: string | null;
  readonly literal?: boolean;
  readonly environment?: Environment;
  readonly secret?: boolean;
  readonly type?: string;
}

/** A parameter with one value; dynamic unless said otherwise. */
async function set(organization: TestOrganization, project: Project, name: string, wish: Wish) {
  const { text, literal = false, environment, secret = false, type = 'string' } = wish;
  const parameter = await organization.parameter({ project, name, secret, type });
  const value = await organization.value({
    parameter,
    internal_value: text,
    interpolated: !literal,
    ...(environment && { environment }),
  });
  return { parameter, value };
}

async function valueIn(
  organization: TestOrganization,
  project: Project,
  name: string,
  environment: string,
  query = '',
) {
  const { body } = await organization.owner.get<Page<Parameter>>(
    `${project.url}parameters/?name=${name}&environment=${environment}${query}`,
  );
  const value = Object.values(body.results[0]?.values ?? {})[0];
  if (!value) throw new Error(`${name} has no value in ${environment}.`);
  return value;
}

describe('dynamic values', () => {
  it('H3: follow the environment that they are viewed in', async () => {
    const organization = await core.organization();
    const project = await organization.project();
    const text = '{{ cloudtruth.environment }}.example.com';
    const { value } = await set(organization, project, 'host', { text });

    expect(await valueIn(organization, project, 'host', 'production')).toMatchObject({
      value: 'production.example.com',
      internal_value: text,
      interpolated: true,
      evaluated: true,
      environment_name: 'default',
      active_environment_name: 'production',
    });
    expect(await valueIn(organization, project, 'host', 'production', '&evaluate=false')).toMatchObject({
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

  it('H3: are not evaluated a second time, and take the evaluated text of other dynamic values', async () => {
    const organization = await core.organization();
    const project = await organization.project();
    await set(organization, project, 'a', { text: '{{ b }}', literal: true });
    await set(organization, project, 'c', { text: '{{ a }}' });
    await set(organization, project, 'd', { text: '<{{ c }}|{{ c | upcase }}>' });

    expect((await valueIn(organization, project, 'c', 'default')).value).toBe('{{ b }}');
    expect((await valueIn(organization, project, 'd', 'default')).value).toBe('<{{ b }}|{{ B }}>');
  });

  it('render a parameter without a value as nothing, and a name with blanks through the name space', async () => {
    const organization = await core.organization();
    const project = await organization.project();
    await organization.parameter({ project, name: 'nothing' });
    await set(organization, project, 'simple space', { text: 's', literal: true });
    await set(organization, project, 'v', { text: '[{{ nothing }}{{ cloudtruth.parameters["simple space"] }}]' });
    await set(organization, project, 'w', { text: '{{ v | upcase }}{% if nothing %}!{% endif %}' });

    expect((await valueIn(organization, project, 'v', 'default')).value).toBe('[s]');
    expect((await valueIn(organization, project, 'w', 'default')).value).toBe('[S]');
  });

  it('E44: are never secret', async () => {
    const organization = await core.organization();
    const { parameter, value } = await set(organization, await organization.project(), 'pw', {
      text: 'x',
      literal: true,
      secret: true,
    });
    const refused = await organization.owner.patch(value.url, { interpolated: true });
    expect(refused).toMatchObject({ status: 400, body: { interpolated: [expect.stringContaining('pw')] } });
    expect(refused.headers['x-error-code']).toBe('secret_is_literal');
    const staging = await organization.environmentNamed('staging');
    expect(
      await organization.owner.post(`${parameter.url}values/`, {
        environment: staging.id,
        internal_value: 'x',
        interpolated: true,
      }),
    ).toMatchObject({ status: 400, body: { interpolated: [expect.any(String)] } });
  });

  it('become literal and dynamic again without losing their text; turning on validates what is there', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const project = await organization.project();
    await set(organization, project, 'a', { text: '1', literal: true });
    const { value, parameter } = await set(organization, project, 'v', { text: '{{ a }}' });

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

  it('E60 and E61: a changed text of a dynamic value is held to the same without saying so again', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const project = await organization.project();
    await set(organization, project, 'a', { text: '1', literal: true });
    const { value } = await set(organization, project, 'v', { text: '{{ a }}' });
    for (const text of [
      '{{ nope }}',
      '{{ v }}',
      '{{ a',
      '{{ cloudtruth.nope }}',
      '{{ cloudtruth.templates }}',
      '{{ cloudtruth }}',
    ]) {
      const refused = await owner.patch(value.url, { internal_value: text });
      expect([text, refused.status, Array.isArray(refused.body)]).toEqual([text, 400, true]);
    }
    expect((await owner.get<Value>(value.url)).body).toEqual(value);
    const all = await owner.patch(value.url, {
      internal_value: '{% for p in strata.parameters %}{{ p[1] }}{% endfor %}',
    });
    expect(all).toMatchObject({ status: 400, body: [expect.stringContaining('loop')] });
  });

  it('are checked as they look in every environment where they are effective', async () => {
    const organization = await core.organization();
    const project = await organization.project();
    const production = await organization.environmentNamed('production');
    const port = await set(organization, project, 'port', { text: '80', literal: true });
    await organization.value({ parameter: port.parameter, environment: production, internal_value: 'https' });
    const parameter = await organization.parameter({ project, name: 'n', type: 'integer' });
    const root = await organization.environmentNamed('default');
    const post = () =>
      organization.owner.post(`${parameter.url}values/`, {
        environment: root.id,
        internal_value: '{{ port }}',
        interpolated: true,
      });

    const refused = await post();
    expect(refused).toMatchObject({ status: 400, body: { internal_value: [expect.stringContaining('production')] } });
    expect(refused.headers['x-error-code']).toBe('type_violation');
    expect(refused.text).not.toContain('https');
    await organization.value({ parameter, environment: production, internal_value: '443' });
    expect(await post()).toMatchObject({ status: 201, body: { value: '80' } });
  });

  it('say what they refer to, and what they refer to says so', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const base = await organization.project({ name: 'base' });
    const project = await organization.project();
    const other = await set(organization, base, 'shared', { text: 's', literal: true });
    const own = await set(organization, project, 'own', { text: 'o', literal: true });
    const { value } = await set(organization, project, 'v', {
      text: '{{ own }}{{ strata.projects.base.parameters.shared }}',
    });

    expect(value).toMatchObject({
      value: 'os',
      referenced_parameters: expect.arrayContaining([own.parameter.url, other.parameter.url]),
      referenced_projects: [base.url],
      referenced_templates: [],
    });
    for (const { url } of [own.parameter, other.parameter]) {
      expect((await owner.get(url)).body).toMatchObject({
        referencing_values: [value.url],
        referencing_templates: [],
        templates: [],
      });
    }
  });

  it('keep projects that they name from going away or being renamed', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const base = await organization.project({ name: 'base' });
    const project = await organization.project();
    await set(organization, base, 'shared', { text: 's', literal: true });
    const { value } = await set(organization, project, 'v', { text: '{{ strata.projects.base.parameters.shared }}' });

    for (const refused of [await owner.delete(base.url), await owner.patch(base.url, { name: 'other' })]) {
      expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringMatching(/base.*v in default/) } });
      expect(refused.headers['x-error-code']).toBe('project_is_referenced');
    }
    expect(await owner.patch(base.url, { description: 'd' })).toMatchObject({ status: 200 });
    expect(await owner.patch(value.url, { internal_value: 'x' })).toMatchObject({ status: 200, body: { value: 'x' } });
    expect(await owner.delete(base.url)).toMatchObject({ status: 204 });
    expect(await owner.delete(project.url)).toMatchObject({ status: 204 });
  });

  it('take an inherited parameter in the place of a deleted one, and an override in the place of an inherited one', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const base = await organization.project();
    const child = await organization.project({ depends_on: base.url });
    const upper = await set(organization, base, 'host', { text: 'upper', literal: true });
    const { value } = await set(organization, child, 'url', { text: 'http://{{ host }}' });
    const referenced = async () => (await owner.get<Value>(value.url)).body.referenced_parameters;

    expect(await referenced()).toEqual([upper.parameter.url]);
    const lower = await set(organization, child, 'host', { text: 'lower', literal: true });
    expect(await referenced()).toEqual([lower.parameter.url]);
    expect((await valueIn(organization, child, 'url', 'default')).value).toBe('http://lower');
    expect(await owner.delete(upper.parameter.url)).toMatchObject({ status: 204 });
    const again = await set(organization, base, 'host', { text: 'again', literal: true });
    expect(await owner.delete(lower.parameter.url)).toMatchObject({ status: 204 });
    expect(await referenced()).toEqual([again.parameter.url]);
    expect((await valueIn(organization, child, 'url', 'default')).value).toBe('http://again');
    const last = await owner.delete(again.parameter.url);
    expect(last).toMatchObject({ status: 409, body: { detail: expect.stringMatching(/host.*url in default/) } });
    expect(await owner.patch(again.parameter.url, { name: 'x' })).toMatchObject({ status: 409 });
  });

  it('keep their project where it can see what they refer to, and out of circles', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const [one, two] = [await organization.project(), await organization.project()];
    const child = await organization.project({ depends_on: one.url });
    await set(organization, one, 'host', { text: 'one', literal: true });
    const { value } = await set(organization, child, 'url', { text: '{{ host }}' });

    const lost = await owner.patch(child.url, { depends_on: two.url });
    expect(lost).toMatchObject({ status: 400, body: { depends_on: [expect.stringMatching(/host.*url in default/)] } });
    const second = await set(organization, two, 'host', { text: 'two', literal: true });
    expect(await owner.patch(child.url, { depends_on: two.url })).toMatchObject({ status: 200 });
    expect((await owner.get<Value>(value.url)).body).toMatchObject({
      value: 'two',
      referenced_parameters: [second.parameter.url],
    });
    const third = await organization.project();
    await set(organization, third, 'host', { text: `{{ cloudtruth.projects["${child.name}"].parameters.url }}` });
    const circle = await owner.patch(child.url, { depends_on: third.url });
    expect(circle).toMatchObject({ status: 400, body: { depends_on: [expect.stringContaining('loop')] } });
    expect((await owner.get<Project>(child.url)).body.depends_on).toBe(two.url);
  });

  it('of a base project are evaluated there, whatever the child overrides', async () => {
    const organization = await core.organization();
    const base = await organization.project({ name: 'lower' });
    const child = await organization.project({ depends_on: base.url });
    await set(organization, base, 'host', { text: 'base', literal: true });
    await set(organization, base, 'url', { text: '{{ host }} of {{ strata.project }}' });
    await set(organization, child, 'host', { text: 'child', literal: true });

    expect((await valueIn(organization, child, 'url', 'default')).value).toBe('base of lower');
  });

  it('are secret when what they depend on is, also through another value and another project', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const base = await organization.project({ name: 'vault' });
    const project = await organization.project();
    await set(organization, base, 'pw', { text: 'hunter2', literal: true, secret: true });
    await set(organization, project, 'inner', { text: '{{ strata.projects.vault.parameters.pw }}' });
    await set(organization, project, 'outer', { text: 'p={{ inner }}' });

    for (const name of ['inner', 'outer']) {
      expect(await valueIn(organization, project, name, 'default', '&mask_secrets=true')).toMatchObject({
        value: '*****',
        secret: true,
      });
    }
    expect((await valueIn(organization, project, 'outer', 'default')).value).toBe('p=hunter2');
    for (const path of [
      'effective/?',
      'parameters/?',
      'parameters/?environment=staging&',
      'parameter-export/?output=shell&',
    ]) {
      const masked = await owner.get(`${project.url}${path}mask_secrets=true`);
      expect([path, masked.status, masked.text.includes('hunter2'), masked.text.includes('*****')]).toEqual([
        path,
        200,
        false,
        true,
      ]);
    }
    const effective = await owner.get<Effective>(`${project.url}effective/`);
    expect(effective.body).toMatchObject({ has_secret: true, values: { inner: 'hunter2', outer: 'p=hunter2' } });
  });

  it('A19: neither reach into a closed project nor show what somebody else reached for there', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const vault = await organization.project({ name: 'closed' });
    const project = await organization.project();
    const pw = await set(organization, vault, 'pw', { text: 'hunter2', literal: true });
    const text = '{{ strata.projects.closed.parameters.pw }}';
    const { value } = await set(organization, project, 'v', { text });
    await set(organization, project, 'w', { text: '<{{ v }}>' });
    expect((await owner.patch(vault.url, { access_controlled: true })).status).toBe(200);
    const contributor = organization.as('CONTRIB');

    expect((await owner.get<Value>(value.url)).body.value).toBe('hunter2');
    expect((await contributor.get<Value>(value.url)).body).toMatchObject({ value: '*****', secret: true });
    for (const path of ['effective/', 'parameters/', 'parameter-export/?output=docker']) {
      const seen = await contributor.get(`${project.url}${path}`);
      expect([path, seen.status, seen.text.includes('hunter2')]).toEqual([path, 200, false]);
    }
    const forbidden = {
      status: 403,
      body: { detail: expect.stringContaining('the project closed, which you have no access to') },
    };
    const mine = await organization.parameter({ project, name: 'mine' });
    const root = await organization.environmentNamed('default');
    const wish = { environment: root.id, internal_value: text, interpolated: true };
    expect(await contributor.post(`${mine.url}values/`, wish)).toMatchObject(forbidden);
    expect(await contributor.post(`${project.url}templates/`, { name: 't', body: text })).toMatchObject(forbidden);
    expect(await contributor.post(`${project.url}template-preview/`, { body: text })).toMatchObject(forbidden);
    const own = await set(organization, project, 'own', { text: 'x', literal: true });
    await set(organization, vault, 'user', { text: `{{ strata.projects["${project.name}"].parameters.own }}` });
    const refused = await contributor.delete(own.parameter.url);
    expect(refused).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('1 in projects that you have no access to') },
    });
    expect(refused.text).not.toContain('user');
    expect((await contributor.get<Parameter>(own.parameter.url)).body.referencing_values).toEqual([]);
    expect((await owner.delete(pw.parameter.url)).status).toBe(409);
  });

  it('are not run for who may not see them, so that no error tells what is in a closed project', async () => {
    const organization = await core.organization();
    const vault = await organization.project({ name: 'closed' });
    const project = await organization.project();
    await set(organization, vault, 'pw', { text: 'hunter2', literal: true });
    await set(organization, project, 'v', { text: '{{ strata.projects.closed.parameters.pw }}' });
    await organization.owner.patch(vault.url, { access_controlled: true });

    const guess = (start: string) => {
      const body = `{% if v contains "${start}" %}{{ 1 | divided_by: 0 }}{% else %}{{ v }}{% endif %}`;
      return organization.as('CONTRIB').post(`${project.url}template-preview/`, { body });
    };
    expect(await guess('h')).toMatchObject({ status: 200, body: { body: '*****', has_secret: true } });
    expect(await guess('x')).toMatchObject({ status: 200, body: { body: '*****', has_secret: true } });
  });

  it('differ by what they say in an environment', async () => {
    const organization = await core.organization();
    const project = await organization.project();
    await set(organization, project, 'same', { text: '{{ strata.project }}' });
    await set(organization, project, 'other', { text: '{{ strata.environment }}' });
    const names = async (query: string) => {
      const path = `${project.url}parameters/?difference=staging,production${query}`;
      return (await organization.owner.get<Page<Parameter>>(path)).body.results.map(({ name }) => name);
    };
    expect(await names('')).toEqual(['other']);
    expect(await names('&evaluate=false')).toEqual([]);
  });

  it('are read as they were, with what they referred to then', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const project = await organization.project();
    const a = await set(organization, project, 'a', { text: 'old', literal: true });
    const { value } = await set(organization, project, 'v', { text: '<{{ a }}>' });
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

  it('of one request are as many as they like: the number of statements stays the same', async () => {
    const organization = await core.organization();
    const project = await organization.project();
    await set(organization, project, 'p0', { text: 'x', literal: true });
    for (let n = 1; n <= 12; n += 1)
      await set(organization, project, `p${n}`, { text: `{{ p${n - 1} }}{{ strata.environment }}|` });
    expect((await valueIn(organization, project, 'p12', 'default')).value).toBe(`x${'default|'.repeat(12)}`);
    for (let n = 13; n <= 16; n += 1) await set(organization, project, `p${n}`, { text: `{{ p${n - 1} }}` });
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

describe('a hostile text', () => {
  it('A17: ends with a clear refusal, stores nothing, and holds up nobody', async () => {
    const [ours, theirs] = [await core.organization(), await core.organization()];
    const project = await ours.project();
    const parameter = await ours.parameter({ project });
    const root = await ours.environmentNamed('default');
    const busy = '{% for a in (1..99999) %}{% for b in (1..99999) %}{% endfor %}{% endfor %}';
    const begun = performance.now();
    const refused = ours.owner.post(`${parameter.url}values/`, {
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
    expect(slowest).toBeLessThan(1_500);
    expect(await refused).toMatchObject({ status: 400, body: [expect.any(String)] });
    expect((await refused).headers['x-error-code']).toBe('evaluation_failed');
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
    expect(performance.now() - begun).toBeLessThan(15_000);
    expect((await ours.owner.get<Page<Value>>(`${parameter.url}values/`)).body.count).toBe(0);
  });

  it('A20: that doubles and doubles again is refused before it is long', async () => {
    const organization = await core.organization();
    const project = await organization.project();
    await set(organization, project, 'x0', { text: 'x'.repeat(60_000), literal: true });
    const statuses: number[] = [];
    for (let n = 1; n <= 8; n += 1) {
      const parameter = await organization.parameter({ project, name: `x${n}` });
      const root = await organization.environmentNamed('default');
      const text = `{{ x${n - 1} }}`.repeat(10);
      const reply = await organization.owner.post(`${parameter.url}values/`, {
        environment: root.id,
        internal_value: text,
        interpolated: true,
      });
      statuses.push(reply.status);
      if (reply.status !== 201) {
        expect(reply.body).toEqual([expect.stringContaining('longer than')]);
        break;
      }
    }
    expect(statuses).toEqual([201, 400]);
  });
});
