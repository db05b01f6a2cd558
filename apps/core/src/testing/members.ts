import type { Grant, Project, ServiceAccountCreated } from '@strata/contract';
import type { Role } from '@strata/domain';
import { RawClient, type Reply, type RunningCore, type TestOrganization } from '@strata/testkit';

/** A member of an organization: a service account without a grant. */
export interface TestMember {
  readonly url: string;
  readonly client: RawClient;
}

export async function createMember(
  { origin }: RunningCore,
  organization: TestOrganization,
  role: Role = 'CONTRIB',
): Promise<TestMember> {
  const { body } = await organization.owner.post<ServiceAccountCreated>('serviceaccounts/', { name: 'member', role });
  return { url: body.user.url, client: new RawClient(origin, `Api-Key ${body.apikey}`) };
}

export function createGrant(
  organization: TestOrganization,
  principal: string,
  scope: string,
  role: Role,
): Promise<Reply<Grant>> {
  return organization.owner.post<Grant>('grants/', { principal, scope, role });
}

/** Creates a project whose only grant is that of the organization's owner. */
export async function controlledProject(organization: TestOrganization): Promise<Project> {
  const project = await organization.project();
  await organization.owner.patch(project.url, { access_controlled: true });
  return project;
}
