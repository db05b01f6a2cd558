import { operations } from './operation.ts';
import { INSTANCE_LIMITS, InstanceReport, Rollout, RolloutQuery } from './rollout.ts';

const PATH = '/api/v1/rollouts/';

export const rolloutOperations = operations([
  {
    id: 'rollouts_create',
    method: 'post',
    path: PATH,
    tag: 'rollouts',
    summary: 'Report the configuration that an instance of a program runs or rejects',
    description: `The report counts for the credential of the request. Repeat it within ${INSTANCE_LIMITS.lifetimeMinutes} minutes; otherwise the instance is removed. A 204 means that the report is stored. At most ${INSTANCE_LIMITS.perCredential} instances of a credential and ${INSTANCE_LIMITS.perOrganization} of an organization are stored; more return 429 \`too_many_instances\`.`,
    requires: 'read',
    body: InstanceReport,
    bodyAs: 'json',
    status: 204,
    errorStatuses: [404],
  },
  {
    id: 'rollouts_list',
    method: 'get',
    path: PATH,
    tag: 'rollouts',
    summary: 'List the instances that run a configuration, lag behind it or reject it',
    description:
      'Compares what each instance reported with the configuration of a project in an environment at a revision. With `wait`, returns as soon as all instances are current or one rejects the configuration.',
    requires: 'read',
    query: RolloutQuery,
    status: 200,
    response: Rollout,
    errorStatuses: [404],
  },
]);
