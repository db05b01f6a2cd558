import { CHANGESET_LIMITS } from './changeset-limits.ts';
import { operation, operations } from './operation.ts';
import { Plan } from './plan.ts';
import { RevertChangesetRequest, Reverted, RevertRequest } from './revert.ts';

const API = '/api/v1';

export const REVERT_CHANGESET = operation({
  id: 'changesets_revert_create',
  method: 'post',
  path: `${API}/changesets/{revision}/revert/`,
  tag: 'changesets',
  summary: 'Revert a changeset',
  description:
    'Restores the environments, projects, parameters, values, rules, types and templates of the changeset to their state before it, as a new changeset. `on_conflict` decides how conflicts with later changes are handled. Each write requires the same permissions as on its own. Changes of other objects are listed in `not_revertible`, unless they belong to an object that the revert deletes.',
  requires: 'read',
  body: RevertChangesetRequest,
  bodyAs: 'json',
  bodyOptional: true,
  bodyBytesMax: CHANGESET_LIMITS.bytes,
  status: 201,
  response: Reverted,
  errorStatuses: [409, 412, 422],
});

export const REVERT = operation({
  id: 'revert_create',
  method: 'post',
  path: `${API}/revert/`,
  tag: 'changesets',
  summary: 'Restore an object to an earlier state',
  description:
    'Restores a project, an environment, a parameter or a value to its state at a revision, a time or a tag, as a new changeset. Deleted objects are created again and objects created since then are deleted, as far as `on_conflict` permits. The point in time cannot be before the first revision of the organization.',
  requires: 'read',
  body: RevertRequest,
  bodyAs: 'json',
  bodyBytesMax: CHANGESET_LIMITS.bytes,
  status: 201,
  response: Reverted,
  errorStatuses: [404, 409, 412, 422],
});

const TOLD =
  'Returns the effects of the revert without writing anything. `refusals` contains the reasons why it would be rejected; `conflicts` and `not_revertible` contain the objects and changes that it would not restore. `Accept: text/plain` returns the plan as text for logs.';

export const PLAN_CHANGESET_REVERT = operation({
  id: 'changesets_revert_plan_create',
  method: 'post',
  path: `${API}/changesets/{revision}/revert/plan/`,
  tag: 'changesets',
  summary: 'Plan the revert of a changeset',
  description: TOLD,
  requires: 'read',
  body: RevertChangesetRequest,
  bodyAs: 'json',
  bodyOptional: true,
  bodyBytesMax: CHANGESET_LIMITS.bytes,
  status: 200,
  response: Plan,
  produces: ['application/json', 'text/plain'],
  errorStatuses: [422],
});

export const PLAN_REVERT = operation({
  id: 'revert_plan_create',
  method: 'post',
  path: `${API}/revert/plan/`,
  tag: 'changesets',
  summary: 'Plan the restore of an object',
  description: TOLD,
  requires: 'read',
  body: RevertRequest,
  bodyAs: 'json',
  bodyBytesMax: CHANGESET_LIMITS.bytes,
  status: 200,
  response: Plan,
  produces: ['application/json', 'text/plain'],
  errorStatuses: [404, 422],
});

export const revertOperations = operations([REVERT_CHANGESET, PLAN_CHANGESET_REVERT, REVERT, PLAN_REVERT]);
