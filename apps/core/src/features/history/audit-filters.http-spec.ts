import type { AuditTrail, Page } from '@strata/contract';
import { type RunningCore, sharedCore } from '@strata/testkit';
import { waitUntil } from '../../testing/until.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

describe('the locations of audit records', () => {
  it('are returned on request with the names at that time, also for the access log', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const project = await organization.project({ name: 'shop' });
    const parameter = await organization.parameter({ project, name: 'TOKEN', secret: true });
    const value = await organization.value({ parameter, internal_value: 'canary' });
    await owner.get(value.url);
    await owner.patch(project.url, { name: 'store' });
    const listNames = async (filter: string) =>
      (await owner.get<Page<AuditTrail>>(`audit/?places=true&${filter}`)).body.results.map(
        ({ object_type: type, project_name: inProject, environment_name: inEnvironment }) => [
          type,
          inProject,
          inEnvironment,
        ],
      );

    expect(await listNames(`parameter_id=${parameter.id}`)).toEqual([
      ['Value', 'shop', 'default'],
      ['Parameter', 'shop', null],
    ]);
    expect(await listNames('object_type=Project&action=update')).toEqual([['Project', 'store', null]]);
    const seen = await waitUntil(
      () => listNames('action=reveal'),
      (records) => records.length > 0,
    );
    expect(seen).toEqual([['Value', 'store', 'default']]);
    const { body } = await owner.get<Page<AuditTrail>>(`audit/?parameter_id=${parameter.id}`);
    expect(Object.keys(body.results[0] ?? {})).not.toContain('project_name');
  });
});

describe('the audit of a parameter', () => {
  it('contains changes of the parameter and its values; the audit of the project contains changes of its rules', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const project = await organization.project();
    const parameter = await organization.parameter({ project });
    await organization.value({ parameter });
    await owner.post(`${parameter.url}rules/`, { type: 'max_len', constraint: '9' });

    const typesIn = async (filter: string) =>
      (await owner.get<Page<AuditTrail>>(`audit/?${filter}`)).body.results.map(({ object_type: type }) => type);

    expect(await typesIn(`parameter_id=${parameter.id}`)).toEqual(['Value', 'Parameter']);
    expect(await typesIn(`project_id=${project.id}`)).toEqual(['ParameterRule', 'Value', 'Parameter', 'Project']);
    expect(await typesIn(`project_id=${project.id}&object_type=ParameterRule`)).toHaveLength(1);
  });
});
