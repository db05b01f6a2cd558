import type { AuditTrail, Page } from '@strata/contract';
import { type RunningCore, sharedCore } from '@strata/testkit';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

describe('the audit of a parameter', () => {
  it('tells of it and its values; its rules are told of by that of the project', async () => {
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
