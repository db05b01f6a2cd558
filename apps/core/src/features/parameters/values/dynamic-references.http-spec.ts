import type { Effective, Parameter, Project, Value } from '@strata/contract';
import { type RawClient, type RunningCore, sharedCore } from '@strata/testkit';
import { readValue, setText } from '../../../testing/texts.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

describe('dynamic values', () => {
  it('list their references, and are listed by the objects that they refer to', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const base = await organization.project({ name: 'base' });
    const project = await organization.project();
    const shared = await setText(organization, base, 'shared', { text: 's', literal: true });
    const ownParameter = await setText(organization, project, 'own', { text: 'o', literal: true });
    const { value } = await setText(organization, project, 'v', {
      text: '{{ own }}{{ strata.projects.base.parameters.shared }}',
    });

    expect(value).toMatchObject({
      value: 'os',
      referenced_parameters: expect.arrayContaining([ownParameter.parameter.url, shared.parameter.url]),
      referenced_projects: [base.url],
      referenced_templates: [],
    });
    for (const { url } of [ownParameter.parameter, shared.parameter]) {
      expect((await owner.get(url)).body).toMatchObject({
        referencing_values: [value.url],
        referencing_templates: [],
        templates: [],
      });
    }
  });

  it('prevent the deletion and renaming of projects that they name', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const base = await organization.project({ name: 'base' });
    const project = await organization.project();
    await setText(organization, base, 'shared', { text: 's', literal: true });
    const { value } = await setText(organization, project, 'v', {
      text: '{{ strata.projects.base.parameters.shared }}',
    });

    for (const response of [await owner.delete(base.url), await owner.patch(base.url, { name: 'other' })]) {
      expect(response).toMatchObject({ status: 409, body: { detail: expect.stringMatching(/base.*v in default/) } });
      expect(response.headers['x-error-code']).toBe('project_is_referenced');
    }
    expect(await owner.patch(base.url, { description: 'd' })).toMatchObject({ status: 200 });
    expect(await owner.patch(value.url, { internal_value: 'x' })).toMatchObject({ status: 200, body: { value: 'x' } });
    expect(await owner.delete(base.url)).toMatchObject({ status: 204 });
    expect(await owner.delete(project.url)).toMatchObject({ status: 204 });
  });

  it('use an inherited parameter after its override was deleted, and an override instead of the inherited one', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const base = await organization.project();
    const child = await organization.project({ depends_on: base.url });
    const upper = await setText(organization, base, 'host', { text: 'upper', literal: true });
    const { value } = await setText(organization, child, 'url', { text: 'http://{{ host }}' });
    const referenced = async () => (await owner.get<Value>(value.url)).body.referenced_parameters;

    expect(await referenced()).toEqual([upper.parameter.url]);
    const lower = await setText(organization, child, 'host', { text: 'lower', literal: true });
    expect(await referenced()).toEqual([lower.parameter.url]);
    expect((await readValue(organization, child, 'url', 'default')).value).toBe('http://lower');
    expect(await owner.delete(upper.parameter.url)).toMatchObject({ status: 204 });
    const secondValue = await setText(organization, base, 'host', { text: 'again', literal: true });
    expect(await owner.delete(lower.parameter.url)).toMatchObject({ status: 204 });
    expect(await referenced()).toEqual([secondValue.parameter.url]);
    expect((await readValue(organization, child, 'url', 'default')).value).toBe('http://again');
    const last = await owner.delete(secondValue.parameter.url);
    expect(last).toMatchObject({ status: 409, body: { detail: expect.stringMatching(/host.*url in default/) } });
    expect(await owner.patch(secondValue.parameter.url, { name: 'x' })).toMatchObject({ status: 409 });
  });

  it('prevent a new dependency of their project that would break references or cause a reference cycle', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const [firstProject, secondProject] = [await organization.project(), await organization.project()];
    const child = await organization.project({ depends_on: firstProject.url });
    await setText(organization, firstProject, 'host', { text: 'one', literal: true });
    const { value } = await setText(organization, child, 'url', { text: '{{ host }}' });

    const lost = await owner.patch(child.url, { depends_on: secondProject.url });
    expect(lost).toMatchObject({ status: 400, body: { depends_on: [expect.stringMatching(/host.*url in default/)] } });
    const second = await setText(organization, secondProject, 'host', { text: 'two', literal: true });
    expect(await owner.patch(child.url, { depends_on: secondProject.url })).toMatchObject({ status: 200 });
    expect((await owner.get<Value>(value.url)).body).toMatchObject({
      value: 'two',
      referenced_parameters: [second.parameter.url],
    });
    const third = await organization.project();
    await setText(organization, third, 'host', { text: `{{ cloudtruth.projects["${child.name}"].parameters.url }}` });
    const circle = await owner.patch(child.url, { depends_on: third.url });
    expect(circle).toMatchObject({
      status: 400,
      body: { depends_on: [expect.stringContaining('circular reference')] },
    });
    expect((await owner.get<Project>(child.url)).body.depends_on).toBe(secondProject.url);
  });

  it('of a base project are evaluated there, independent of what the dependent project overrides', async () => {
    const organization = await core.organization();
    const base = await organization.project({ name: 'lower' });
    const child = await organization.project({ depends_on: base.url });
    await setText(organization, base, 'host', { text: 'base', literal: true });
    await setText(organization, base, 'url', { text: '{{ host }} of {{ strata.project }}' });
    await setText(organization, child, 'host', { text: 'child', literal: true });

    expect((await readValue(organization, child, 'url', 'default')).value).toBe('base of lower');
  });

  it('are secret if they depend on a secret, also through another value and another project', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const base = await organization.project({ name: 'vault' });
    const project = await organization.project();
    await setText(organization, base, 'pw', { text: 'hunter2', literal: true, secret: true });
    await setText(organization, project, 'inner', { text: '{{ strata.projects.vault.parameters.pw }}' });
    await setText(organization, project, 'outer', { text: 'p={{ inner }}' });

    for (const name of ['inner', 'outer']) {
      expect(await readValue(organization, project, name, 'default', '&mask_secrets=true')).toMatchObject({
        value: '*****',
        secret: true,
      });
    }
    expect((await readValue(organization, project, 'outer', 'default')).value).toBe('p=hunter2');
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

  it('A19: neither read a forbidden project nor show what another author could read there', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const vault = await organization.project({ name: 'closed' });
    const project = await organization.project();
    const pw = await setText(organization, vault, 'pw', { text: 'hunter2', literal: true });
    const text = '{{ strata.projects.closed.parameters.pw }}';
    const { value } = await setText(organization, project, 'v', { text });
    await setText(organization, project, 'w', { text: '<{{ v }}>' });
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
      body: { detail: expect.stringContaining('the project closed, which you cannot access') },
    };
    const mine = await organization.parameter({ project, name: 'mine' });
    const root = await organization.environmentNamed('default');
    const input = { environment: root.id, internal_value: text, interpolated: true };
    expect(await contributor.post(`${mine.url}values/`, input)).toMatchObject(forbidden);
    expect(await contributor.post(`${project.url}templates/`, { name: 't', body: text })).toMatchObject(forbidden);
    expect(await contributor.post(`${project.url}template-preview/`, { body: text })).toMatchObject(forbidden);
    const ownParameter = await setText(organization, project, 'own', { text: 'x', literal: true });
    await setText(organization, vault, 'user', { text: `{{ strata.projects["${project.name}"].parameters.own }}` });
    const response = await contributor.delete(ownParameter.parameter.url);
    expect(response).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('1 in projects that you have no access to') },
    });
    expect(response.text).not.toContain('user');
    expect((await contributor.get<Parameter>(ownParameter.parameter.url)).body.referencing_values).toEqual([]);
    expect((await owner.delete(pw.parameter.url)).status).toBe(409);
  });

  it('are not linked from their references for a caller who may not read their environment', async () => {
    const organization = await core.organization();
    const project = await organization.project();
    const production = await organization.environmentNamed('production');
    const { parameter } = await setText(organization, project, 'host', { text: 'db', literal: true });
    const otherParameter = await organization.parameter({ project, name: 'url' });
    const value = await organization.value({
      parameter: otherParameter,
      environment: production,
      internal_value: '{{ host }}',
      interpolated: true,
    });
    const referring = async (client: RawClient) => (await client.get<Parameter>(parameter.url)).body.referencing_values;
    expect(await referring(organization.as('VIEWER'))).toEqual([value.url]);
    await organization.owner.patch(production.url, { access_controlled: true });

    expect(await referring(organization.as('VIEWER'))).toEqual([]);
    expect(await referring(organization.owner)).toEqual([value.url]);
  });

  it('are not evaluated for a caller who may not read them, so that no error reveals a forbidden project', async () => {
    const organization = await core.organization();
    const vault = await organization.project({ name: 'closed' });
    const project = await organization.project();
    await setText(organization, vault, 'pw', { text: 'hunter2', literal: true });
    await setText(organization, project, 'v', { text: '{{ strata.projects.closed.parameters.pw }}' });
    await organization.owner.patch(vault.url, { access_controlled: true });

    const guess = (start: string) => {
      const body = `{% if v contains "${start}" %}{{ 1 | divided_by: 0 }}{% else %}{{ v }}{% endif %}`;
      return organization.as('CONTRIB').post(`${project.url}template-preview/`, { body });
    };
    expect(await guess('h')).toMatchObject({ status: 200, body: { body: '*****', has_secret: true } });
    expect(await guess('x')).toMatchObject({ status: 200, body: { body: '*****', has_secret: true } });
  });
});
