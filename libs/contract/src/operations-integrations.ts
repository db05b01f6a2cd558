import {
  AnyIntegrationListQuery,
  AnyIntegrationPage,
  INTEGRATIONS,
  PROVIDERS,
  type ProviderName,
} from './integration.ts';
import { TaskStepPage } from './integration-fields.ts';
import * as query from './integration-queries.ts';
import { NEWEST_FIRST } from './list-cursor.ts';
import { type Operation, operation, operations, standardOperations } from './operation.ts';
import {
  BY_KEY,
  PushCreateQuery,
  PushKeyListQuery,
  PushKeyPage,
  PushPolicy,
  PushPolicyPatch,
  PushRun,
  PushRunPlan,
} from './push-key.ts';

const ROOT = '/api/v1/integrations/';
const COMMON = { tag: 'integrations', read: 'read', write: 'manage_integrations', bodyAs: 'json' } as const;
/** The operations of the pushes or pulls of one provider. Their path identifies the integration. */
type Direction = 'pull' | 'push';

function integrationOperations(provider: ProviderName): Operation[] {
  const { path, open, shapes } = INTEGRATIONS[provider];
  const prefix = `integrations_${provider}`;
  const operations = standardOperations({
    ...COMMON,
    prefix,
    collection: `${ROOT}${path}/`,
    singular: `an integration (${path})`,
    plural: `integrations (${path})`,
    errorStatuses: { delete: [409] },
    shapes: {
      item: shapes.integration,
      page: shapes.integrations,
      listQuery: shapes.integrationFilters,
      itemQuery: query.IntegrationQuery,
      create: shapes.integrationCreate,
      update: shapes.integrationUpdate,
      patch: shapes.integrationPatch,
    },
  }).map((operation) =>
    operation.method === 'delete' ? { ...operation, query: query.IntegrationDeleteQuery } : operation,
  );
  const scan: Operation = {
    id: `${prefix}_scan_create`,
    method: 'post',
    path: `${ROOT}${path}/{id}/scan/`,
    tag: COMMON.tag,
    summary: 'List the keys of a store that a pull would read',
    description: 'Reads names only, and stores nothing. Keys that do not match the resource have the reason.',
    requires: COMMON.write,
    bodyAs: 'json',
    body: shapes.scan,
    status: 200,
    response: shapes.discovery,
    errorStatuses: [],
  };
  const test: Operation = {
    id: `${prefix}_test_create`,
    method: 'post',
    path: `${ROOT}${path}/{id}/test/`,
    tag: COMMON.tag,
    summary: `Test the connection of an integration (${path})`,
    description:
      'Sends the cheapest requests that prove the settings, and stores the result as the status. One test every 10 s.',
    requires: COMMON.write,
    status: 200,
    response: query.ConnectionTest,
    errorStatuses: [409],
  };
  return [...operations, ...(open ? [scan] : []), test];
}

function pullOperations(provider: ProviderName): Operation[] {
  const { path, pk, open, shapes } = INTEGRATIONS[provider];
  const operations = standardOperations({
    ...COMMON,
    prefix: `integrations_${provider}_pulls`,
    collection: `${ROOT}${path}/{${pk}integration_pk}/pulls/`,
    singular: `a pull (${path})`,
    plural: `pulls (${path})`,
    deletable: open,
    shapes: {
      item: shapes.pull,
      page: shapes.pulls,
      listQuery: query.PullListQuery,
      ...(open && { create: shapes.pullCreate }),
      update: shapes.pullUpdate,
      patch: shapes.pullPatch,
    },
  });
  return [...operations, syncOperation(provider, 'pull'), ...taskOperations(provider, 'pull')];
}

function pushOperations(provider: ProviderName): Operation[] {
  const { path, pk, shapes } = INTEGRATIONS[provider];
  const operations = standardOperations({
    ...COMMON,
    prefix: `integrations_${provider}_pushes`,
    collection: `${ROOT}${path}/{${pk}integration_pk}/pushes/`,
    singular: `a push (${path})`,
    plural: `pushes (${path})`,
    shapes: {
      item: shapes.push,
      page: shapes.pushes,
      listQuery: query.PushListQuery,
      create: shapes.pushCreate,
      update: shapes.pushUpdate,
      patch: shapes.pushPatch,
    },
  }).map((operation) => (operation.method === 'post' ? { ...operation, query: PushCreateQuery } : operation));
  return [
    ...operations,
    syncOperation(provider, 'push'),
    ...taskOperations(provider, 'push'),
    ...keyOperations(provider),
  ];
}

/** Our own operations on the keys of a push. The contract's bodies stay as they are. */
function keyOperations(provider: ProviderName): Operation[] {
  const { path, pk, shapes } = INTEGRATIONS[provider];
  const prefix = `integrations_${provider}_pushes`;
  const push = `${ROOT}${path}/{${pk}integration_pk}/pushes/{${pk}push_pk}/`;
  const reading = { method: 'get', tag: COMMON.tag, requires: 'read', status: 200, errorStatuses: [] } as const;
  return [
    {
      ...reading,
      id: `${prefix}_keys_list`,
      path: `${push}keys/`,
      summary: `List the keys of a push with their states (${path})`,
      description: 'Keys of projects and environments that the caller cannot access are left out.',
      query: PushKeyListQuery,
      response: PushKeyPage,
      sortedBy: BY_KEY,
    },
    {
      ...reading,
      id: `${prefix}_plan_retrieve`,
      path: `${push}plan/`,
      summary: `Read what the next run of a push does (${path})`,
      description: 'The plan is as old as the latest run. Start a dry run to renew it.',
      response: PushRunPlan,
    },
    {
      ...reading,
      id: `${prefix}_policy_retrieve`,
      path: `${push}policy/`,
      summary: `Read what a push may do without a person (${path})`,
      response: PushPolicy,
    },
    {
      id: `${prefix}_policy_partial_update`,
      method: 'patch',
      path: `${push}policy/`,
      tag: COMMON.tag,
      summary: `Change what a push may do without a person (${path})`,
      requires: COMMON.write,
      body: PushPolicyPatch,
      bodyAs: 'json',
      status: 200,
      response: PushPolicy,
      errorStatuses: [],
    },
    {
      id: `${prefix}_run_create`,
      method: 'post',
      path: `${push}run/`,
      tag: COMMON.tag,
      summary: `Run a push with decisions about its keys (${path})`,
      description: 'A dry run only plans. A run with `plan_hash` does exactly what the plan shows, or nothing.',
      requires: COMMON.write,
      body: PushRun,
      bodyAs: 'json',
      bodyOptional: true,
      status: 202,
      response: shapes.pushTask,
      errorStatuses: [],
    },
  ];
}

const pluralOf = { pull: 'pulls', push: 'pushes' } as const;

function syncOperation(provider: ProviderName, direction: Direction): Operation {
  const { path, pk, shapes } = INTEGRATIONS[provider];
  const plural = pluralOf[direction];
  return {
    id: `integrations_${provider}_${plural}_sync_create`,
    method: 'post',
    path: `${ROOT}${path}/{${pk}integration_pk}/${plural}/{id}/sync/`,
    tag: COMMON.tag,
    summary: `Run the ${direction} now; its latest task holds the result`,
    requires: COMMON.write,
    ...(direction === 'pull' && { body: shapes.pullSync, bodyOptional: true }),
    status: 202,
    errorStatuses: [],
  };
}

function taskOperations(provider: ProviderName, direction: Direction): Operation[] {
  const { path, pk, shapes } = INTEGRATIONS[provider];
  const plural = pluralOf[direction];
  const prefix = `integrations_${provider}_${plural}_tasks`;
  const tasks = `${ROOT}${path}/{${pk}integration_pk}/${plural}/{${pk}${direction}_pk}/tasks/`;
  const [task, taskPage] =
    direction === 'pull' ? [shapes.pullTask, shapes.pullTasks] : [shapes.pushTask, shapes.pushTasks];
  const [step, stepPage] =
    direction === 'pull' ? [shapes.pullStep, shapes.pullSteps] : [shapes.pushStep, shapes.pushSteps];
  return [
    ...standardOperations({
      ...COMMON,
      prefix,
      collection: tasks,
      singular: `a run of a ${direction} (${path})`,
      plural: `runs of a ${direction} (${path})`,
      sortedBy: NEWEST_FIRST,
      deletable: false,
      shapes: { item: task, page: taskPage, listQuery: query.TaskListQuery },
    }),
    ...standardOperations({
      ...COMMON,
      prefix: `${prefix}_steps`,
      collection: `${tasks}{${pk}${direction}task_pk}/steps/`,
      singular: `a step of a run (${path})`,
      plural: `steps of a run (${path})`,
      sortedBy: NEWEST_FIRST,
      deletable: false,
      shapes: { item: step, page: stepPage, listQuery: query.StepListQuery },
    }),
  ];
}

/** Our own list of all providers. The lists of the contract are one per provider. */
const all: Operation = {
  id: 'integrations_all_list',
  method: 'get',
  path: ROOT,
  tag: COMMON.tag,
  summary: 'List the integrations of all providers',
  requires: COMMON.read,
  query: AnyIntegrationListQuery,
  status: 200,
  response: AnyIntegrationPage,
  errorStatuses: [],
};

const explore: Operation = {
  id: 'integrations_explore_list',
  method: 'get',
  path: `${ROOT}explore/`,
  tag: COMMON.tag,
  summary: 'Browse the external systems of integrations',
  description:
    'Lists a folder, or returns the file at `fqn`. Its content is shown to callers who may write and reveal secrets. The provider is requested each time.',
  requires: 'read',
  query: query.ExploreQuery,
  status: 200,
  response: query.IntegrationNodePage,
  errorStatuses: [400, 403, 404, 415, 507],
};

const ofEnvironment = operation({
  id: 'environments_pushes_list',
  method: 'get',
  path: '/api/v1/environments/{environment_pk}/pushes/',
  tag: 'environments',
  summary: 'List the steps of pushes for an environment',
  requires: 'read',
  query: query.EnvironmentPushListQuery,
  status: 200,
  response: TaskStepPage,
  errorStatuses: [],
  sortedBy: NEWEST_FIRST,
});

const ofParameter = operation({
  ...ofEnvironment,
  id: 'projects_parameters_pushes_list',
  path: '/api/v1/projects/{project_pk}/parameters/{parameter_pk}/pushes/',
  tag: 'projects',
  summary: 'List the steps of pushes for a parameter',
  query: query.ParameterPushListQuery,
});

/** The operations of integrations, their pulls, pushes and tasks. */
export const allIntegrationOperations: readonly Operation[] = [
  ...PROVIDERS.flatMap((provider) => [
    ...integrationOperations(provider),
    ...pullOperations(provider),
    ...pushOperations(provider),
  ]),
  all,
  explore,
];

export const pushStepOperations = operations([ofEnvironment, ofParameter]);
