import type { Environment, Page, Project } from '@strata/contract';
import { type RawClient, type RunningCore, sharedCore } from '@strata/testkit';
import { createGrant, createMember } from '../../testing/members.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

describe('a controlled environment', () => {
  async function fixture() {
    const organization = await core.organization();
    const production = await organization.environmentNamed('production');
    const parameter = await organization.parameter();
    const general = await organization.value({ parameter });
    const value = await organization.value({ parameter, environment: production, internal_value: 'hidden text' });
    await organization.owner.patch(production.url, { access_controlled: true });
    return { organization, production, parameter, general, value };
  }

  it('hides its values from a caller without access: they are null in lists of all environments, and a request for it returns 403', async () => {
    const { organization, production, parameter, value } = await fixture();
    const client = organization.as('CONTRIB');

    const seen = await client.get<{ values: Record<string, unknown> }>(parameter.url);
    expect(seen.body.values).toHaveProperty([production.url], null);
    expect(Object.keys(seen.body.values)).toHaveLength(4);
    const list = await client.get(`${parameter.project}parameters/`);
    expect(seen.text + list.text).not.toContain('hidden text');
    expect((await client.get<Page<{ id: string }>>(`${parameter.url}values/`)).body.count).toBe(1);
    for (const path of [
      value.url,
      `${parameter.url}?environment=production`,
      `${parameter.project}parameters/?environment=${production.id}`,
      `${parameter.project}parameters/?difference=default,production`,
      `${parameter.project}effective/?environment=production`,
      `${parameter.url}values/?environment=production`,
      `${parameter.url}?environment=production&as_of=2999-01-01`,
    ]) {
      expect([path, (await client.get(path)).status]).toEqual([path, 403]);
    }
    expect((await organization.as('ADMIN').get<{ values: object }>(parameter.url)).text).toContain('hidden text');
  });

  it('stays controlled in a copy, with the caller who copies it as its OWNER', async () => {
    const { organization, production, parameter } = await fixture();
    const copier = await createMember(core, organization);
    await createGrant(organization, copier.url, production.url, 'VIEWER');

    const copy = await copier.client.post<Environment>(`${production.url}copy/`, { name: 'twin' });
    expect(copy).toMatchObject({ status: 201, body: { access_controlled: true, role: 'OWNER' } });
    const request = (client: RawClient) => client.get(`${parameter.project}parameters/?environment=twin`);
    expect((await request(organization.as('VIEWER'))).status).toBe(403);
    expect((await request(copier.client)).text).toContain('hidden text');
  });

  it('never returns the cached response of another caller', async () => {
    const { organization, parameter } = await fixture();
    const path = `${parameter.project}effective/?environment=production`;
    expect([
      (await organization.as('ADMIN').get(path)).status,
      (await organization.as('VIEWER').get(path)).status,
    ]).toEqual([200, 403]);
  });

  it('rejects writes of a caller without CONTRIB, who cannot create, change or remove its values, not even by deleting another object', async () => {
    const { organization, production, parameter, value } = await fixture();
    const viewer = await createMember(core, organization);
    await createGrant(organization, viewer.url, production.url, 'VIEWER');
    const unrelated = await organization.parameter();

    for (const response of [
      await viewer.client.post(`${unrelated.url}values/`, { environment: production.url, internal_value: 'x' }),
      await viewer.client.patch(value.url, { internal_value: 'x' }),
      await viewer.client.delete(value.url),
      await viewer.client.delete(parameter.url),
      await viewer.client.delete(parameter.project),
      await viewer.client
        .post('environments/', { name: 'spy', parent: (await organization.environmentNamed('staging')).url })
        .then(async () => organization.as('CONTRIB').post('environments/', { name: 'below', parent: production.url })),
    ]) {
      expect(response).toMatchObject({ status: 403, body: { detail: expect.any(String) } });
    }
    expect(await viewer.client.get(value.url)).toMatchObject({ status: 200, body: { value: 'hidden text' } });
    const contributor = await createMember(core, organization);
    await createGrant(organization, contributor.url, production.url, 'CONTRIB');
    expect(await contributor.client.patch(value.url, { internal_value: 'x' })).toMatchObject({ status: 200 });
    expect(await contributor.client.delete(parameter.url)).toMatchObject({ status: 204 });
  });

  it('is not revealed by rules and dynamic values that are validated against its contents', async () => {
    const { organization, production, parameter } = await fixture();
    const contributor = organization.as('CONTRIB');
    for (const constraint of ['h.*', 'x.*']) {
      expect(await contributor.post(`${parameter.url}rules/`, { type: 'regex', constraint })).toMatchObject({
        status: 403,
        body: { detail: expect.stringContaining('cannot access') },
      });
    }
    const { body: project } = await organization.owner.get<Project>(parameter.project);
    const root = await organization.environmentNamed('default');
    for (const constraint of ['hidden.*', '.*']) {
      const mine = await organization.parameter({ project });
      await contributor.post(`${mine.url}rules/`, { type: 'regex', constraint });
      const text = `{% if strata.environment == 'production' and strata.parameters['${parameter.name}'] contains 'x' %}{{ 1 | divided_by: 0 }}{% endif %}hidden`;
      const input = { environment: root.url, internal_value: text, interpolated: true };
      expect((await contributor.post(`${mine.url}values/`, input)).status).toBe(201);
    }
    expect((await organization.owner.get(production.url)).status).toBe(200);
  });

  it('cannot get a child by an import of a caller who may not read it', async () => {
    const organization = await core.organization();
    const parameter = await organization.parameter();
    await organization.value({ parameter, internal_value: 'hidden text' });
    const root = await organization.environmentNamed('default');
    await organization.owner.patch(root.url, { access_controlled: true });
    const { body: project } = await organization.owner.get<Project>(parameter.project);
    const input = { project: project.name, environment: 'spy', body: '', secrets: [], ignore: [] };

    for (const query of ['', '?preview=true']) {
      const response = await organization.as('CONTRIB').post(`import/${query}`, input);
      expect(response).toMatchObject({ status: 403, body: { detail: expect.any(String) } });
    }
    expect((await organization.owner.get<Page<Environment>>('environments/?name=spy')).body.count).toBe(0);
  });

  it('leaves its children open, which inherit its values', async () => {
    const { organization, production, parameter } = await fixture();
    const child = await organization.environment({ parent: production.url });
    const { body } = await organization
      .as('VIEWER')
      .get<{ values: Record<string, { value: string }> }>(`${parameter.url}?environment=${child.id}`);
    expect(body.values[child.url]?.value).toBe('hidden text');
  });
});
