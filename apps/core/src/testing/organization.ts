import type { Project } from '@strata/contract';
import type { RunningCore, TestOrganization } from '@strata/testkit';
import { describeRecordedChange, lastRecorded } from './recorded.ts';

/** Creates a base project, and a shop that depends on it and has values in production and the environments below. */
export async function organizationWithConfiguration(core: RunningCore) {
  const organization = await core.organization();
  const base = await organization.project({ name: 'base' });
  const project = await organization.project({ name: 'shop', depends_on: base.url, parameter_name_pattern: '' });
  const production = await organization.environmentNamed('production');
  const host = await organization.parameter({ project: base, name: 'host' });
  await organization.value({ parameter: host, internal_value: 'example.com' });
  const port = await organization.parameter({
    project,
    name: 'port',
    type: 'integer',
    description: 'where it listens',
  });
  await organization.value({ parameter: port, internal_value: '80' });
  await organization.value({ parameter: port, environment: production, internal_value: '443' });
  const password = await organization.parameter({ project, name: 'password', secret: true });
  await organization.value({ parameter: password, environment: production, internal_value: 'hunter2' });
  const url = await organization.parameter({ project, name: 'url' });
  await organization.value({ parameter: url, internal_value: 'https://{{ host }}:{{ port }}', interpolated: true });
  await organization.owner.post(`${port.url}rules/`, { type: 'max', constraint: '1000' });
  return { organization, base, project, production, port, password, url };
}

/** Returns names with their texts, as a program reads them. */
export async function requestEffective({ owner }: TestOrganization, project: Project, environment: string) {
  const path = `${project.url}effective/?environment=${encodeURIComponent(environment)}`;
  return (await owner.get<{ values: Record<string, string> }>(path)).body.values;
}

/** Returns the changes of the last write, as `event action type name`. */
export async function lastChanges(core: RunningCore, organization: TestOrganization): Promise<string[]> {
  return (await lastRecorded(core, organization)).map(describeRecordedChange).sort();
}
