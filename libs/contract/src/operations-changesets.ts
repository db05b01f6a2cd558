import { ChangesetRequest } from './changeset.ts';
import { CHANGESET_LIMITS } from './changeset-limits.ts';
import { AppliedChangeset, ChangesetListQuery, ChangesetPage, RecordedChangeset } from './changeset-response.ts';
import { EffectiveChangePage, EffectiveChangeQuery } from './effective-change.ts';
import { operation, operations } from './operation.ts';
import { Plan, PlanQuery } from './plan.ts';
import { PutValues, PutValuesAnswer, PutValuesQuery } from './put-values.ts';

const API = '/api/v1';

export const APPLY_CHANGESET = operation({
  id: 'changesets_create',
  method: 'post',
  path: `${API}/changesets/`,
  tag: 'changesets',
  summary: 'Apply a changeset',
  description:
    'Applies all operations in one transaction with one revision, and sends one message per webhook. If an operation is rejected, nothing is applied and the response contains the error of each operation. Each operation requires the same permissions as on its own.',
  requires: 'read',
  body: ChangesetRequest,
  bodyAs: 'json',
  bodyBytesMax: CHANGESET_LIMITS.bytes,
  status: 201,
  response: AppliedChangeset,
  errorStatuses: [404, 409, 412, 422],
});

export const PLAN_CHANGESET = operation({
  id: 'changesets_plan_create',
  method: 'post',
  path: `${API}/changesets/plan/`,
  tag: 'changesets',
  summary: 'Plan a changeset',
  description:
    'Returns the effects of a changeset without writing anything. Each operation requires the same permissions as on its own. Operations that would be rejected are listed in the plan. `Accept: text/plain` returns the plan as text for logs. Returns 422 `too_costly` if other writes would have to wait too long.',
  requires: 'read',
  query: PlanQuery,
  body: ChangesetRequest,
  bodyAs: 'json',
  bodyBytesMax: CHANGESET_LIMITS.bytes,
  status: 200,
  response: Plan,
  produces: ['application/json', 'text/plain'],
  errorStatuses: [422],
});

const LIST_CHANGESETS = operation({
  id: 'changesets_list',
  method: 'get',
  path: `${API}/changesets/`,
  tag: 'changesets',
  summary: 'List changesets, newest first',
  description:
    'Every write is a changeset. If the caller cannot access any change of a changeset, only its revision and time are returned.',
  requires: 'read',
  query: ChangesetListQuery,
  status: 200,
  response: ChangesetPage,
  errorStatuses: [],
});

const READ_CHANGESET = operation({
  id: 'changesets_retrieve',
  method: 'get',
  path: `${API}/changesets/{revision}/`,
  tag: 'changesets',
  summary: 'Read a changeset by its revision',
  requires: 'read',
  status: 200,
  response: RecordedChangeset,
  errorStatuses: [],
});

export const LIST_EFFECTIVE_CHANGES = operation({
  id: 'changesets_effective_list',
  method: 'get',
  path: `${API}/changesets/{revision}/effective/`,
  tag: 'changesets',
  summary: 'List the effective values that a changeset changed',
  description:
    'Includes inherited values and evaluated texts, in projects and environments that the caller can read; totals are exact. A secret that was written counts as changed, and so do texts that refer to it. Returns 422 `too_costly` if there is too much to compare.',
  requires: 'read',
  query: EffectiveChangeQuery,
  status: 200,
  response: EffectiveChangePage,
  errorStatuses: [422],
});

export const PUT_VALUES = operation({
  id: 'projects_values_update',
  method: 'put',
  path: `${API}/projects/{project_pk}/values/`,
  tag: 'projects',
  summary: 'Set several values of a project in one environment, by name',
  description:
    'Sets all values in one revision or none. Values that already have the text are not written. The `ETag` of the response identifies the values that are set there; with `prune`, send it as `If-Match`.',
  requires: 'write_content',
  query: PutValuesQuery,
  body: PutValues,
  bodyAs: 'json',
  bodyBytesMax: CHANGESET_LIMITS.bytes,
  status: 200,
  response: PutValuesAnswer,
  errorStatuses: [404, 409],
  conditional: true,
});

export const changesetOperations = operations([
  LIST_CHANGESETS,
  APPLY_CHANGESET,
  PLAN_CHANGESET,
  READ_CHANGESET,
  LIST_EFFECTIVE_CHANGES,
  PUT_VALUES,
]);
