import type { InstanceReport, Project, Rollout, RolloutInstance, Value } from '@strata/contract';
import type { RawClient, Reply, TestOrganization } from '@strata/testkit';
import { waitUntil } from './until.ts';

/** The scope of reports and rollouts in a test. */
export interface TestScope {
  readonly project: string;
  readonly environment: string;
}

/** A project whose instances report: PORT is 8080 in the environment `default`. */
export interface Shop {
  readonly project: Project;
  readonly scope: TestScope;
  readonly port: Value;
}

export async function createShop(organization: TestOrganization): Promise<Shop> {
  const project = await organization.project({ name: 'shop' });
  const parameter = await organization.parameter({ project, name: 'PORT' });
  const port = await organization.value({ parameter, internal_value: '8080' });
  return { project, scope: { project: 'shop', environment: 'default' }, port };
}

/** Sends the report of an instance. */
export const sendReport = (
  client: RawClient,
  scope: TestScope,
  instance: string,
  extraFields: Partial<InstanceReport> & { readonly revision: number },
): Promise<Reply> => client.post('rollouts/', { ...scope, instance, ...extraFields });

export const readRollout = (client: RawClient, scope: TestScope, query = ''): Promise<Reply<Rollout>> =>
  client.get<Rollout>(`rollouts/?project=${scope.project}&environment=${scope.environment}&${query}`);

export async function listInstances(
  client: RawClient,
  scope: TestScope,
  query = '',
): Promise<readonly RolloutInstance[]> {
  return (await readRollout(client, scope, query)).body.results;
}

/** Returns the statuses by the names of the instances. */
export async function listStatuses(
  client: RawClient,
  scope: TestScope,
  query = '',
): Promise<Readonly<Record<string, string>>> {
  const instances = await listInstances(client, scope, query);
  return Object.fromEntries(instances.map(({ instance, status }) => [instance, status]));
}

export const untilReported = (client: RawClient, scope: TestScope, count = 1) =>
  waitUntil(
    () => listInstances(client, scope),
    (instances) => instances.length >= count,
  );
