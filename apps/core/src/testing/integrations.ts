import type { Environment, Integration, Project, Tag } from '@strata/contract';
import type { RunningCore, TestOrganization } from '@strata/testkit';
import { lastRecorded } from './recorded.ts';

export const AWS = {
  aws_account_id: '123456789012',
  aws_role_name: 'strata',
  aws_enabled_regions: ['eu-central-1'],
  aws_enabled_services: ['ssm'],
};
export const AZURE = { vault_name: 'vault', tenant_id: '00000000-0000-4000-8000-00000000000a' };
const GOOGLE = { google_project_id: 'shop-production' };
const GITHUB = { gh_installation_id: 7 };

export const PROVIDERS = [
  { path: 'aws', body: AWS, name: 'strata@123456789012', fqn: 'aws://123456789012/strata' },
  { path: 'azure/key_vault', body: AZURE, name: `vault@${AZURE.tenant_id}`, fqn: `azure://${AZURE.tenant_id}/vault` },
  {
    path: 'google/secret_manager',
    body: GOOGLE,
    name: GOOGLE.google_project_id,
    fqn: `google://${GOOGLE.google_project_id}`,
  },
  { path: 'github', body: GITHUB, name: 'installation-7', fqn: 'github://installation-7' },
];

/** Creates an integration as the owner, because this requires the role ADMIN. */
export async function integration(
  organization: TestOrganization,
  path = 'aws',
  body: object = AWS,
): Promise<Integration> {
  const response = await organization.as('ADMIN').post<Integration>(`integrations/${path}/`, body);
  if (response.status !== 201) throw new Error(response.text);
  return response.body;
}

export async function tag(
  organization: TestOrganization,
  environment: Environment,
  name = 'v1',
  input: object = {},
): Promise<Tag> {
  return (await organization.owner.post<Tag>(`${environment.url}tags/`, { name, ...input })).body;
}

interface Fixture {
  readonly organization: TestOrganization;
  readonly aws: Integration;
  readonly project: Project;
  readonly environment: Environment;
  readonly stable: Tag;
  push(input?: object): ReturnType<TestOrganization['owner']['post']>;
}

/**
 * Creates an integration, and a push of one project at a tag of `production`, which is created when it is requested.
 */
export async function createIntegrationFixture(core: RunningCore): Promise<Fixture> {
  const organization = await core.organization();
  const aws = await integration(organization);
  const project = await organization.project({ name: 'shop' });
  const environment = await organization.environmentNamed('production');
  const stableTag = await tag(organization, environment, 'stable');
  const body = {
    name: 'to the store',
    projects: [project.url],
    tags: [stableTag.url],
    region: 'eu-central-1',
    service: 'ssm',
    resource: '/{{ parameter }}',
  };
  const push = (input: object = {}) => organization.owner.post(`${aws.url}pushes/`, { ...body, ...input });
  return { organization, aws, project, environment, stable: stableTag, push };
}

/** Returns the last recorded changes, as `action type name`. */
export async function lastChanges(core: RunningCore, organization: TestOrganization): Promise<string[]> {
  const changes = await lastRecorded(core, organization);
  return changes.map(({ action, type, name }) => `${action} ${type} ${name}`);
}
