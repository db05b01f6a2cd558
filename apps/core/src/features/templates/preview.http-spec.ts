import type { TemplatePreview } from '@strata/contract';
import { type RunningCore, sharedCore } from '@strata/testkit';
import { setText, template } from '../../testing/texts.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

describe('a preview', () => {
  it('renders the given body instead of the stored template, stores nothing, and masks secrets', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const project = await organization.project();
    await setText(organization, project, 'user', { text: 'bob', literal: true });
    await setText(organization, project, 'pw', { text: 'hunter2', literal: true, secret: true });
    const t = await template(organization, project, { name: 't', body: 'x' });
    const u = await template(organization, project, { name: 'u', body: '{{ cloudtruth.templates.t }}' });
    const preview = (body: string, query = '') =>
      owner.post<TemplatePreview>(`${project.url}template-preview/${query}`, { body });
    const before = (await owner.get('projects/')).headers['x-revision'];

    expect((await preview('{{ user | upcase }} {{ cloudtruth.environment }}\n')).body).toEqual({
      body: 'BOB default\n',
      has_secret: false,
    });
    expect((await preview('{{ cloudtruth.environment }}', '?environment=staging')).body.body).toBe('staging');
    expect((await preview('{{ pw }}')).body).toEqual({ body: 'hunter2', has_secret: true });
    expect((await preview('{{ pw }}', '?mask_secrets=True')).body).toEqual({ body: '*****', has_secret: true });
    expect((await preview('{{ cloudtruth.templates.u }}', `?template=${u.id}`)).status).toBe(400);
    expect((await preview('{{ cloudtruth.templates.u }}', `?template=${t.id}`)).body).toEqual([
      expect.stringContaining('circular reference'),
    ]);
    expect((await preview('{{ cloudtruth.self }}', `?template=${t.id}`)).body.body).toBe('t');
    expect(await preview('{{ nope }}')).toMatchObject({ status: 400, body: [expect.stringContaining('nope')] });
    expect((await owner.get('projects/')).headers['x-revision']).toBe(before);
  });

  it('returns 422 if it costs too much to render', async () => {
    const organization = await core.organization();
    const project = await organization.project();
    const body = '{% for i in (1..3000) %}{% for j in (1..3000) %}{{ j }}{% endfor %}{% endfor %}';

    const response = await organization.owner.post(`${project.url}template-preview/`, { body });

    expect(response).toMatchObject({ status: 422, body: { detail: [{ error_code: 'too_costly' }] } });
  });

  it('lists all parameters by name, and is secret if one of them is', async () => {
    const organization = await core.organization();
    const project = await organization.project();
    await setText(organization, project, 'b', { text: '2', literal: true });
    await setText(organization, project, 'A', { text: '1', literal: true });
    await setText(organization, project, '10', { text: 'ten', literal: true });
    const body = '{% for p in cloudtruth.parameters %}{{ p[0] }}={{ p[1] }}\n{% endfor %}';
    const preview = () => organization.owner.post<TemplatePreview>(`${project.url}template-preview/`, { body });

    expect((await preview()).body).toEqual({ body: '10=ten\nA=1\nb=2\n', has_secret: false });
    await organization.parameter({ project, name: 'z', secret: true });
    expect((await preview()).body).toEqual({ body: '10=ten\nA=1\nb=2\nz=\n', has_secret: true });
  });
});
