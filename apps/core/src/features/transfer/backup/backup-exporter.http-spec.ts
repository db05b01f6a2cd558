import type { BackupSnapshot, Group } from '@strata/contract';
import { type RunningCore, sharedCore } from '@strata/testkit';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

describe('a backup', () => {
  it('contains all objects by name, and the texts of secrets', async () => {
    const organization = await core.organization();
    const base = await organization.project({ name: 'base' });
    const project = await organization.project({ name: 'shop', depends_on: base.url, description: 'sells' });
    const production = await organization.environmentNamed('production');
    const { body: type } = await organization.owner.post<{ url: string }>('types/', {
      name: 'port',
      parent: (await organization.owner.get<{ results: { url: string }[] }>('types/?name=integer')).body.results[0]
        ?.url,
    });
    await organization.owner.post(`${type.url}rules/`, { type: 'min', constraint: '1' });
    const port = await organization.parameter({ project, name: 'port', type: 'port' });
    await organization.owner.post(`${port.url}rules/`, { type: 'max', constraint: '9' });
    await organization.value({ parameter: port, internal_value: '8' });
    const password = await organization.parameter({ project, name: 'password', secret: true });
    await organization.value({ parameter: password, environment: production, internal_value: 'hunter2' });
    const url = await organization.parameter({ project, name: 'url' });
    await organization.value({ parameter: url, internal_value: ':{{ port }}', interpolated: true });
    await organization.owner.post(`${project.url}templates/`, {
      name: 't',
      body: 'listen {{ port }}\n',
      description: 'd',
    });

    const { status, body, headers } = await organization.as('ADMIN').post<BackupSnapshot>('backup/snapshot/');

    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('no-store');
    expect(body.environments.default).toMatchObject({ name: 'default', parent: null });
    expect(body.environments.production).toEqual({
      name: 'production',
      parent: 'default',
      description: production.description,
    });
    expect(body.types).toEqual({
      port: { name: 'port', parent: 'integer', description: '', rules: { min: { rule_type: 'min', constraint: '1' } } },
    });
    expect(body.projects.shop).toMatchObject({ name: 'shop', parent: 'base', description: 'sells' });
    const { parameters = {}, templates = {} }: Partial<BackupSnapshot['projects'][string]> = body.projects.shop ?? {};
    expect(templates).toEqual({ t: { name: 't', text: 'listen {{ port }}\n', description: 'd' } });
    expect(parameters.port).toMatchObject({
      param_type: 'port',
      project: 'shop',
      secret: false,
      rules: { max: { rule_type: 'max', constraint: '9' } },
      values: { default: { environment: 'default', source: 'default', value: '8', raw: '8', evaluated: false } },
    });
    expect(parameters.password).toMatchObject({
      secret: true,
      values: { production: { value: 'hunter2', raw: 'hunter2', external: null } },
    });
    expect(parameters.url?.values.default).toMatchObject({ value: ':8', raw: ':{{ port }}', evaluated: true });
  });

  it.each(['backup/snapshot/', 'backup/snapshot/?extended=true'])(
    'requires ADMIN, and contains nothing of another organization: %s',
    async (path) => {
      const [ours, theirs] = [await core.organization(), await core.organization()];
      const project = await theirs.project({ name: 'theirs' });
      const { body: group } = await theirs.owner.post<Group>('groups/', { name: 'theirs' });
      await theirs.owner.patch(project.url, { access_controlled: true });
      await theirs.owner.post('grants/', { principal: group.url, scope: project.url, role: 'VIEWER' });
      const staging = await theirs.environmentNamed('staging');
      await theirs.owner.post(`${staging.url}tags/`, { name: 'theirs' });

      for (const role of ['VIEWER', 'CONTRIB'] as const) {
        expect(await ours.as(role).post(path)).toMatchObject({ status: 403 });
      }
      expect((await theirs.owner.post(path)).text).toContain('theirs');
      const { status, text } = await ours.as('ADMIN').post(path);
      expect([status, text.includes('theirs')]).toEqual([200, false]);
    },
  );
});
