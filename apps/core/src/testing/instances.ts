import type { InstanceReport, Rollout, RolloutInstance } from '@strata/contract';
import type { RawClient, Reply } from '@strata/testkit';
import { until } from './until.ts';

/** The scope of reports and rollouts in a test. */
export interface TestScope {
  readonly project: string;
  readonly environment: string;
}

/** Sends the report of an instance. */
export const report = (
  client: RawClient,
  scope: TestScope,
  instance: string,
  more: Partial<InstanceReport> & { readonly revision: number },
): Promise<Reply> => client.post('rollouts/', { ...scope, instance, ...more });

export const rolloutOf = (client: RawClient, scope: TestScope, query = ''): Promise<Reply<Rollout>> =>
  client.get<Rollout>(`rollouts/?project=${scope.project}&environment=${scope.environment}&${query}`);

export async function instancesOf(
  client: RawClient,
  scope: TestScope,
  query = '',
): Promise<readonly RolloutInstance[]> {
  return (await rolloutOf(client, scope, query)).body.results;
}

/** Returns the statuses by instance, as soon as they are the expected ones or differ from them for two minutes. */
export async function statusesOf(
  client: RawClient,
  scope: TestScope,
  query = '',
): Promise<Readonly<Record<string, string>>> {
  const instances = await instancesOf(client, scope, query);
  return Object.fromEntries(instances.map(({ instance, status }) => [instance, status]));
}

export const untilReported = (client: RawClient, scope: TestScope, count = 1) =>
  until(
    () => instancesOf(client, scope),
    (found) => found.length >= count,
  );
