import type { Environment, Explanation, Page, Project } from '@strata/contract';
import type { RawClient, RunningCore, TestOrganization } from '@strata/testkit';

/** A fixture in which `web` depends on `base`; the environment canary is below production, which is below default. */
export interface ExplainFixture {
  readonly organization: TestOrganization;
  readonly base: Project;
  readonly web: Project;
  readonly root: Environment;
  readonly production: Environment;
  readonly canary: Environment;
}

export async function createExplainFixture(core: RunningCore): Promise<ExplainFixture> {
  const organization = await core.organization();
  const [root, production] = [
    await organization.environmentNamed('default'),
    await organization.environmentNamed('production'),
  ];
  const canary = await organization.environment({ name: 'canary', parent: production.url });
  const base = await organization.project({ name: 'base' });
  const web = await organization.project({ name: 'web', depends_on: base.url });
  return { organization, base, web, root, production, canary };
}

export const requestExplanations = (client: RawClient, { id }: Project, query: string) =>
  client.get<Page<Explanation>>(`projects/${id}/explain/?${query}`);

export async function explain(client: RawClient, project: Project, query: string): Promise<Explanation> {
  const { status, body, text } = await requestExplanations(client, project, query);
  expect([status, status === 200 ? '' : text]).toEqual([200, '']);
  const [explanation] = body.results;
  if (!explanation) throw new Error(text);
  return explanation;
}

export const readRevision = async (organization: TestOrganization) =>
  Number((await organization.owner.get('users/current/')).headers['x-revision']);
