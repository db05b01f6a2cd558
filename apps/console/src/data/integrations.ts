import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import {
  ChangePushPolicy,
  type ChangePushPolicyMutationVariables,
  CreateIntegration,
  type CreateIntegrationMutationVariables,
  CreatePush,
  type CreatePushMutationVariables,
  DeleteIntegration,
  type DeleteIntegrationMutationVariables,
  DeletePush,
  IntegrationOf,
  type IntegrationOfQuery,
  Integrations,
  type IntegrationsQuery,
  PullOf,
  type PullOfQuery,
  PullSteps,
  PushKeys,
  type PushKeysQuery,
  type PushKeysQueryVariables,
  PushOf,
  type PushOfQuery,
  PushSteps,
  type PushStepsQuery,
  PushTargets,
  RunPull,
  RunPush,
  type RunPushMutationVariables,
  TestIntegration,
  UpdateIntegration,
  type UpdateIntegrationMutationVariables,
  UpdatePush,
  type UpdatePushMutationVariables,
} from '../graphql/integrations.graphql.ts';
import { requireSaved } from '../graphql/mutation-result.ts';
import { readAllPages, requestGraphql } from '../graphql/request.ts';
import { queryKeys } from './query-keys.ts';

export type ListedIntegration = IntegrationsQuery['allIntegrations']['edges'][number]['node'];
export type IntegrationDetails = NonNullable<IntegrationOfQuery['integration']>;
export type IntegrationProvider = ListedIntegration['provider'];
export type ListedPush = IntegrationDetails['pushes']['edges'][number]['node'];
export type ListedPull = IntegrationDetails['pulls']['edges'][number]['node'];
export type PushDetails = NonNullable<PushOfQuery['push']>;
export type PullDetails = NonNullable<PullOfQuery['pull']>;
export type SyncRun = PushDetails['tasks']['edges'][number]['node'];
export type RunStep = PushStepsQuery['pushTaskSteps']['edges'][number]['node'];
export type ListedPushKey = NonNullable<PushKeysQuery['push']>['keys']['edges'][number]['node'];
export type PushKeyState = ListedPushKey['state'];
export type PushDecision = ListedPushKey['decisions'][number];
export type NewIntegration = CreateIntegrationMutationVariables['input'];
export type NewPush = CreatePushMutationVariables['input'];

/** Identifies an integration. */
export interface IntegrationId {
  readonly provider: IntegrationProvider;
  readonly id: string;
}

/** Identifies a pull or a push. */
export interface SyncId {
  readonly provider: IntegrationProvider;
  readonly integrationId: string;
  readonly id: string;
}

type KeyFilter = Pick<PushKeysQueryVariables, 'after' | 'state' | 'pending'>;

/** The interval at which integrations are refetched, because events do not report runs. */
const REFETCH_INTERVAL_MS = 5_000;
const KEYS_OF_A_PAGE = 50;

export const integrationKeys = queryKeys('integration', {}, (all) => ({
  list: [...all, 'list'],
  details: ({ id }: IntegrationId) => [...all, 'one', id],
  push: ({ id }: SyncId) => [...all, 'push', id],
  keys: ({ id }: SyncId, filter: KeyFilter) => [...all, 'keys', id, filter],
  pull: ({ id }: SyncId) => [...all, 'pull', id],
  steps: (taskId: string) => [...all, 'steps', taskId],
}));

/** The query for all integrations of the organization, of which there are at most 50. */
export const integrationsQuery = queryOptions({
  queryKey: integrationKeys.list,
  refetchInterval: REFETCH_INTERVAL_MS,
  queryFn: async ({ signal }) =>
    (await requestGraphql(Integrations, {}, signal)).allIntegrations.edges.map(({ node }) => node),
});

/** The query for an integration with its pushes and pulls; null if it does not exist. */
export const integrationQuery = (integration: IntegrationId) =>
  queryOptions({
    queryKey: integrationKeys.details(integration),
    refetchInterval: REFETCH_INTERVAL_MS,
    queryFn: async ({ signal }) => (await requestGraphql(IntegrationOf, integration, signal)).integration ?? null,
  });

/** The query for a push with its plan and its runs; null if it does not exist. */
export const pushQuery = (push: SyncId) =>
  queryOptions({
    queryKey: integrationKeys.push(push),
    refetchInterval: REFETCH_INTERVAL_MS,
    queryFn: async ({ signal }) => (await requestGraphql(PushOf, push, signal)).push ?? null,
  });

/** The query for a page of the keys of a push; null if the push does not exist. */
export const pushKeysQuery = (push: SyncId, filter: KeyFilter) =>
  queryOptions({
    queryKey: integrationKeys.keys(push, filter),
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_INTERVAL_MS,
    queryFn: async ({ signal }) =>
      (await requestGraphql(PushKeys, { ...push, ...filter, first: KEYS_OF_A_PAGE }, signal)).push?.keys ?? null,
  });

/** The query for a pull with its runs; null if it does not exist. */
export const pullQuery = (pull: SyncId) =>
  queryOptions({
    queryKey: integrationKeys.pull(pull),
    refetchInterval: REFETCH_INTERVAL_MS,
    queryFn: async ({ signal }) => (await requestGraphql(PullOf, pull, signal)).pull ?? null,
  });

/** The query for the first steps of a run, and the number of all of them. */
export const stepsQuery = (direction: 'push' | 'pull', sync: SyncId, run: Pick<SyncRun, 'id' | 'state'>) =>
  queryOptions({
    queryKey: [...integrationKeys.steps(run.id), run.state],
    queryFn: async ({ signal }) => {
      const variables = { ...sync, taskId: run.id };
      const { totalCount, edges } =
        direction === 'push'
          ? (await requestGraphql(PushSteps, variables, signal)).pushTaskSteps
          : (await requestGraphql(PullSteps, variables, signal)).pullTaskSteps;
      return { totalCount, steps: edges.map(({ node }) => node) };
    },
  });

/** The query for the newest tags of each environment, which a push can write. */
export const pushTargetsQuery = queryOptions({
  queryKey: [...integrationKeys.all, 'targets'],
  queryFn: async ({ signal }) => {
    const environments = await readAllPages(
      async (after) => (await requestGraphql(PushTargets, { after }, signal)).environments,
    );
    return environments.flatMap(({ name: environment, tags }) =>
      tags.edges.map(({ node: { id, name } }) => ({ id, name: `${name} of ${environment}` })),
    );
  },
});

export async function createIntegration(input: NewIntegration): Promise<string> {
  const { createIntegration: answer } = await requestGraphql(CreateIntegration, { input });
  return requireSaved(answer).integration.id;
}

/** Changes an integration. Omitted fields keep their values. */
export async function updateIntegration(change: UpdateIntegrationMutationVariables): Promise<void> {
  const { updateIntegration: answer } = await requestGraphql(UpdateIntegration, change);
  requireSaved(answer);
}

export async function deleteIntegration(deletion: DeleteIntegrationMutationVariables): Promise<void> {
  const { deleteIntegration: answer } = await requestGraphql(DeleteIntegration, deletion);
  requireSaved(answer);
}

/** Tests the connection of an integration. The core stores the result as the status of the integration. */
export async function testIntegration({ provider, id }: IntegrationId): Promise<void> {
  const { testIntegration: answer } = await requestGraphql(TestIntegration, { provider, id });
  requireSaved(answer);
}

/** Creates a push. It plans first: its first run writes nothing until a person has approved the plan. */
export async function createPush(input: NewPush): Promise<string> {
  const { createPush: answer } = await requestGraphql(CreatePush, { input });
  return requireSaved(answer).push.id;
}

/** Changes a push. Omitted fields keep their values. */
export async function updatePush(change: UpdatePushMutationVariables): Promise<void> {
  const { updatePush: answer } = await requestGraphql(UpdatePush, change);
  requireSaved(answer);
}

export async function deletePush({ provider, integrationId, id }: SyncId): Promise<void> {
  const { deletePush: answer } = await requestGraphql(DeletePush, { provider, integrationId, id });
  requireSaved(answer);
}

export async function runPush(
  { provider, integrationId, id }: SyncId,
  input: RunPushMutationVariables['input'],
): Promise<void> {
  const { runPush: answer } = await requestGraphql(RunPush, { provider, integrationId, pushId: id, input });
  requireSaved(answer);
}

export async function runPull({ provider, integrationId, id }: SyncId, isDryRun: boolean): Promise<void> {
  const input = { dryRun: isDryRun };
  const { syncPull: answer } = await requestGraphql(RunPull, { provider, integrationId, id, input });
  requireSaved(answer);
}

/** Changes what a push may do without a person. */
export async function changePushPolicy(
  { provider, integrationId, id }: SyncId,
  input: ChangePushPolicyMutationVariables['input'],
): Promise<void> {
  const variables = { provider, integrationId, pushId: id, input };
  const { changePushPolicy: answer } = await requestGraphql(ChangePushPolicy, variables);
  requireSaved(answer);
}
