import type { Page, Parameter, Template, Value } from '@strata/contract';
import { type RunningCore, sharedCore } from '@strata/testkit';
import { setText, template } from '../../testing/texts.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

describe('templates', () => {
  it('are shown as stored in a list, and rendered for an environment in a single read', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const project = await organization.project();
    await setText(organization, project, 'user', { text: 'bob', literal: true });
    const created = await template(organization, project, {
      name: 't',
      body: '# {{ user }} // in {{ strata.environment }}\n',
    });

    expect(created).toMatchObject({
      evaluated: false,
      has_secret: false,
      body: '# {{ user }} // in {{ strata.environment }}\n',
      referenced_parameters: [expect.stringContaining('/parameters/')],
    });
    const list = async (query: string) =>
      (await owner.get<Page<Template>>(`${project.url}templates/?${query}`)).body.results.map(({ body }) => body);
    expect(await list('environment=production')).toEqual([created.body]);
    expect(await list('evaluate=true')).toEqual([created.body]);
    expect(await list('environment=production&evaluate=true')).toEqual(['# bob // in production\n']);
    expect((await owner.get<Template>(created.url)).body).toEqual(created);
    expect((await owner.get<Template>(`${created.url}?environment=staging`)).body).toMatchObject({
      body: '# bob // in staging\n',
      evaluated: true,
    });
    expect((await owner.get<Template>(`${created.url}?environment=staging&evaluate=false`)).body).toEqual(created);
    expect(await owner.get(`${created.url}?environment=nowhere`)).toMatchObject({
      status: 404,
      body: { detail: 'No Environment matches the given query.' },
    });
  });

  it('H4: are masked completely if they depend on a secret, even on one without a value', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const project = await organization.project();
    const dev = await organization.environment({ name: 'dev' });
    await setText(organization, project, 'user', { text: 'bob', literal: true });
    await organization.parameter({ project, name: 'pw', secret: true });
    const t = await template(organization, project, { name: 't', body: 'u={{ user }} p={{ pw }}' });
    const v = await setText(organization, project, 'v', { text: '{{ pw }}' });

    expect((await owner.get(`${t.url}?environment=dev&mask_secrets=true`)).body).toMatchObject({
      body: '*****',
      has_secret: true,
    });
    expect((await owner.get(`${t.url}?environment=dev&mask_secrets=false`)).body).toMatchObject({
      body: 'u=bob p=',
      has_secret: true,
    });
    const seen = await owner.get<Page<Parameter>>(`${project.url}parameters/?name=v&environment=dev&mask_secrets=true`);
    expect(seen.body.results[0]?.values[dev.url]).toMatchObject({
      secret: true,
      value: '*****',
      internal_value: '{{ pw }}',
    });
    expect((await owner.get<Value>(v.value.url)).body).toMatchObject({ secret: true, value: '', evaluated: true });
    const exported = await owner.get(`${project.url}parameter-export/?output=docker&mask_secrets=true`);
    expect(exported.body).toEqual({ body: '*****', has_secret: true });
  });

  it('H5: cannot form a cycle or refer to unknown names, and their targets cannot be deleted', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const project = await organization.project();
    const p = await setText(organization, project, 'p', { text: 'x', literal: true });
    await template(organization, project, { name: 't', body: '{{ p }}' });

    const loop = await owner.patch(p.value.url, { internal_value: '{{ cloudtruth.templates.t }}', interpolated: true });
    expect(loop).toMatchObject({ status: 400, body: [expect.stringContaining('circular reference')] });
    expect(loop.headers['x-error-code']).toBe('dependency_loop');
    expect((await owner.get<Value>(p.value.url)).body).toEqual(p.value);
    const deleted = await owner.delete(p.parameter.url);
    expect(deleted).toMatchObject({ status: 409, body: { detail: expect.stringMatching(/\bp\b.*template t/) } });
    expect(deleted.headers['x-error-code']).toBe('parameter_is_referenced');
    expect(await owner.patch(p.parameter.url, { name: 'q' })).toMatchObject({ status: 409 });
    const nope = await owner.patch(p.value.url, { internal_value: '{{ nope }}', interpolated: true });
    expect(nope).toMatchObject({ status: 400, body: [expect.stringContaining('nope')] });
    expect(nope.headers['x-error-code']).toBe('unknown_reference');
    expect((await owner.get<Value>(p.value.url)).body).toEqual(p.value);
    for (const body of [
      '{{ nope }}',
      '{{ cloudtruth.templates.nope }}',
      '{{ cloudtruth.projects.nope.parameters.p }}',
    ]) {
      expect(await owner.post(`${project.url}templates/`, { name: 'u', body })).toMatchObject({
        status: 400,
        body: [expect.stringContaining('nope')],
      });
    }
  });

  it('H5: if two writers close a cycle from both ends, exactly one succeeds', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const project = await organization.project();
    for (let round = 0; round < 5; round += 1) {
      const a = await setText(organization, project, `a${round}`, { text: 'x', literal: true });
      const b = await setText(organization, project, `b${round}`, { text: 'x', literal: true });
      const responses = await Promise.all([
        owner.patch(a.value.url, { internal_value: `{{ b${round} }}`, interpolated: true }),
        owner.patch(b.value.url, { internal_value: `{{ a${round} }}`, interpolated: true }),
      ]);
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
    }
  });

  it('cannot be deleted or renamed while other texts refer to them, which the error names', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const project = await organization.project();
    const inner = await template(organization, project, { name: 'inner', body: 'i' });
    const outer = await template(organization, project, { name: 'outer', body: '[{{ cloudtruth.templates.inner }}]' });
    const v = await setText(organization, project, 'v', { text: '{{ strata.templates.inner }}' });

    for (const response of [await owner.delete(inner.url), await owner.patch(inner.url, { name: 'other' })]) {
      expect(response).toMatchObject({
        status: 409,
        body: {
          detail: expect.stringMatching(/inner.*template outer.*v in default|inner.*v in default.*template outer/),
        },
      });
      expect(response.headers['x-error-code']).toBe('template_is_referenced');
    }
    expect((await owner.get(inner.url)).body).toMatchObject({
      referencing_templates: [outer.url],
      referenced_by: [outer.url],
      referencing_values: [v.value.url],
    });
    expect((await owner.get(outer.url)).body).toMatchObject({
      referenced_templates: [inner.url],
      references: [inner.url],
    });
    expect((await owner.get<Template>(`${outer.url}?environment=default`)).body.body).toBe('[i]');
    const loop = await owner.patch(inner.url, { body: '{{ cloudtruth.templates.outer }}' });
    expect(loop).toMatchObject({ status: 400, body: [expect.stringContaining('inner')] });
    expect(await owner.patch(outer.url, { body: 'nothing' })).toMatchObject({ status: 200, body: { url: outer.url } });
    expect(await owner.delete(v.value.url)).toMatchObject({ status: 204 });
    expect(await owner.delete(inner.url)).toMatchObject({ status: 204, text: '' });
    expect(await owner.get(inner.url)).toMatchObject({ status: 404 });
  });

  it('have a history: body and values at an instant, and errors in the order of the contract', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const project = await organization.project();
    const p = await setText(organization, project, 'p', { text: 'old', literal: true });
    const created = await template(organization, project, { name: 't', body: 'a {{ p }}' });
    const then = created.modified_at;
    await owner.patch(p.value.url, { internal_value: 'new' });
    const changeResponse = await owner.patch<Template>(created.url, { body: 'b {{ p }}' });

    expect(changeResponse.body.ledger_id).not.toBe(created.ledger_id);
    expect((await owner.get<Template>(`${created.url}?environment=default`)).body.body).toBe('b new');
    expect((await owner.get<Template>(`${created.url}?environment=default&as_of=${then}`)).body).toMatchObject({
      body: 'a old',
      ledger_id: created.ledger_id,
      referenced_parameters: [p.parameter.url],
    });
    await owner.delete(created.url);
    expect(
      (await owner.get<Template>(`${created.url}?environment=default&as_of=${changeResponse.body.modified_at}`)).body
        .body,
    ).toBe('b new');
    expect(await owner.get(`${project.url}templates/?environment=default&as_of=2000-01-01`)).toMatchObject({
      status: 404,
      body: { detail: 'No EnvironmentLedger matches the given query.' },
    });
    expect(await owner.get(`${project.url}templates/?as_of=2000-01-01`)).toMatchObject({
      status: 404,
      body: { detail: expect.stringContaining('No ProjectLedger matches the given query.') },
    });
    expect(await owner.post(`${project.url}template-preview/?as_of=2000-01-01`, { body: 'x' })).toMatchObject({
      status: 404,
      body: { detail: expect.stringContaining('No ProjectLedger matches the given query.') },
    });
  });

  it('with an invalid text are rejected with an error on the body', async () => {
    const organization = await core.organization();
    const project = await organization.project();
    for (const body of ['{{ a', '{% if %}', '{% nope %}', '{% include "x" %}', '{{ "a" | date: "%Y" }}x{% endif %}']) {
      for (const path of ['templates/', 'template-preview/']) {
        const response = await organization.owner.post(`${project.url}${path}`, { name: 't', body });
        expect(response).toMatchObject({ status: 400, body: { body: [expect.any(String)] } });
        expect(response.headers['x-error-code']).toBe('invalid_text');
      }
    }
  });

  it('A17: are rejected before they fill the memory if they are too long together', async () => {
    const organization = await core.organization();
    const project = await organization.project();
    await setText(organization, project, 'long', { text: 'x'.repeat(65_000), literal: true });
    const body = '{{ long }}'.repeat(16);
    for (let n = 0; n < 66; n += 1) await template(organization, project, { name: `t${n}`, body });
    const list = (size: number) =>
      organization.owner.get(`${project.url}templates/?environment=default&evaluate=true&page_size=${size}`);

    expect((await list(60)).status).toBe(200);
    expect(await list(66)).toMatchObject({
      status: 422,
      body: {
        detail: [
          {
            error_code: 'too_costly',
            error_detail: expect.stringContaining('too many or too long'),
            parameter_id: expect.any(String),
            parameter_name: expect.stringMatching(/^t/),
          },
        ],
      },
    });
  });

  it('have unique names in their project, stay the same after a repeated change, and record every change', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const project = await organization.project();
    const created = await template(organization, project, { name: 't', body: 'x' });

    const twice = await owner.post(`${project.url}templates/`, { name: 't' });
    expect(twice).toMatchObject({ status: 400, body: { name: [expect.stringContaining('t')] } });
    expect(twice.headers['x-error-code']).toBe('duplicate_name');
    const before = (await owner.get(created.url)).headers['x-revision'];
    expect(await owner.put(created.url, { name: 't' })).toMatchObject({ status: 200, body: created });
    expect((await owner.get(created.url)).headers['x-revision']).toBe(before);
    const { headers } = await owner.get(created.url);
    expect(await owner.patch(created.url, { body: 'y' }, { 'if-match': headers.etag ?? '' })).toMatchObject({
      status: 200,
    });
    expect(await owner.patch(created.url, { body: 'z' }, { 'if-match': headers.etag ?? '' })).toMatchObject({
      status: 412,
    });
    await owner.delete(created.url);
    const audit = await owner.get<Page<{ action: string; object_type: string; object_name: string }>>(
      `audit/?object_type=Template&project_id=${project.id}`,
    );
    if (audit.status === 200) {
      expect(audit.body.results.map(({ action }) => action)).toEqual(['delete', 'update', 'create']);
    }
    const events = await owner.get<{ results: { object: { type: string } }[] }>('events/');
    expect(events.body.results.some(({ object }) => object.type === 'Template')).toBe(false);
  });

  it('of another organization or project return 404; a VIEWER can only read templates', async () => {
    const [ours, theirs] = [await core.organization(), await core.organization()];
    const project = await ours.project();
    const foreign = await template(theirs, await theirs.project(), { name: 't' });
    const created = await template(ours, project, { name: 't', body: 'x' });
    const otherProject = await ours.project();

    const never = await ours.owner.get(`${project.url}templates/00000000-0000-4000-8000-000000000000/`);
    expect(never.status).toBe(404);
    for (const path of [`${project.url}templates/${foreign.id}/`, `${otherProject.url}templates/${created.id}/`]) {
      expect(await ours.owner.get(path)).toMatchObject({ status: 404, text: never.text });
      expect(await ours.owner.patch(path, { name: 'n' })).toMatchObject({ status: 404, text: never.text });
      expect(await ours.owner.delete(path)).toMatchObject({ status: 404, text: never.text });
    }
    const viewer = ours.as('VIEWER');
    expect(await viewer.get(created.url)).toMatchObject({ status: 200 });
    expect(await viewer.post(`${project.url}template-preview/`, { body: 'x' })).toMatchObject({ status: 200 });
    for (const response of [
      await viewer.post(`${project.url}templates/`, { name: 'n' }),
      await viewer.patch(created.url, {}),
      await viewer.delete(created.url),
    ]) {
      expect(response).toMatchObject({ status: 403 });
    }
  });
});
