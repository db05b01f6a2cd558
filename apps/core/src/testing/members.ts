import type { Grant, Project, ServiceAccountCreated } from '@strata/contract';
import type { Role } from '@strata/domain';
import { RawClient, type Reply, type RunningCore, type TestOrganization } from '@strata/testkit';

/** Somebody in an organization: a service account, without a grant so far. */
export interface Member {
  readonly url: string;
  readonly client: RawClient;
}

export async function member(
  { origin }: RunningCore,
  house: TestOrganization,
  role: Role = 'CONTRIB',
): Promise<Member> {
  const { body } = await house.owner.post<ServiceAccountCreated>('serviceaccounts/', { name: 'member', role });
  return { url: body.user.url, client: new RawClient(origin, `Api-Key ${body.apikey}`) };
}

export function grant(house: TestOrganization, principal: string, scope: string, role: Role): Promise<Reply<Grant>> {
  return house.owner.post<Grant>('grants/', { principal, scope, role });
}

/** A project whose only grant is that of the organization's owner. */
export async function controlledProject(house: TestOrganization): Promise<Project> {
  const project = await house.project();
  await house.owner.patch(project.url, { access_controlled: true });
  return project;
}
