import { ChangesetRequest } from './changeset.ts';
import { AppliedChangeset, ChangesetListQuery, ChangesetPage, RecordedChangeset } from './changeset-answer.ts';
import { CHANGESET_LIMITS } from './changeset-limits.ts';
import { EffectiveChangePage, EffectiveChangeQuery } from './effective-change.ts';
import { type Operation, operation } from './operation.ts';
import { Plan } from './plan.ts';
import { PutValues, PutValuesAnswer, PutValuesQuery } from './put-values.ts';

const API = '/api/v1';

export const APPLY_CHANGESET = operation({
  id: 'changesets_create',
  method: 'post',
  path: `${API}/changesets/`,
  tag: 'changesets',
  summary: 'Carry out many changes as one',
  description:
    'One transaction, one revision, one message per webhook: all of it or nothing. What is refused is said for each operation. Asks of each operation what it asks alone.',
  requires: 'read',
  body: ChangesetRequest,
  bodyAs: 'json',
  bodyBytesMax: CHANGESET_LIMITS.bytes,
  status: 201,
  response: AppliedChangeset,
  refusals: [404, 409, 412, 422],
});

export const PLAN_CHANGESET = operation({
  id: 'changesets_plan_create',
  method: 'post',
  path: `${API}/changesets/plan/`,
  tag: 'changesets',
  summary: 'Tell what a changeset would do',
  description:
    'Nothing is written. Asks of each operation what it asks alone. What would be refused is told, not answered with. `Accept: text/plain` has it as text for logs. 422 `too_costly` where others would have to wait too long for it.',
  requires: 'read',
  body: ChangesetRequest,
  bodyAs: 'json',
  bodyBytesMax: CHANGESET_LIMITS.bytes,
  status: 200,
  response: Plan,
  produces: ['application/json', 'text/plain'],
  refusals: [422],
});

export const LIST_CHANGESETS = operation({
  id: 'changesets_list',
  method: 'get',
  path: `${API}/changesets/`,
  tag: 'changesets',
  summary: 'List changesets, the newest first',
  description: 'Every write is one. Of those of which the caller may see nothing, only revision and instant are told.',
  requires: 'read',
  query: ChangesetListQuery,
  status: 200,
  response: ChangesetPage,
  refusals: [],
});

export const READ_CHANGESET = operation({
  id: 'changesets_retrieve',
  method: 'get',
  path: `${API}/changesets/{revision}/`,
  tag: 'changesets',
  summary: 'Read a changeset by its revision',
  requires: 'read',
  status: 200,
  response: RecordedChangeset,
  refusals: [],
});

export const LIST_EFFECTIVE_CHANGES = operation({
  id: 'changesets_effective_list',
  method: 'get',
  path: `${API}/changesets/{revision}/effective/`,
  tag: 'changesets',
  summary: 'List what programs read differently since a changeset',
  description:
    'Inherited values and evaluated texts included, in projects and environments that the caller may read; counted exactly. A secret that was written counts as changed, and so does what says it. 422 `too_costly` where there is too much to compare.',
  requires: 'read',
  query: EffectiveChangeQuery,
  status: 200,
  response: EffectiveChangePage,
  refusals: [422],
});

export const PUT_VALUES = operation({
  id: 'projects_values_update',
  method: 'put',
  path: `${API}/projects/{project_pk}/values/`,
  tag: 'projects',
  summary: 'Set many values of a project in one environment, by names',
  description:
    'One revision, all or nothing. Equal texts are left alone. `ETag` of the answer says what is set there; with `prune` it can be asked for by `If-Match`.',
  requires: 'write_content',
  query: PutValuesQuery,
  body: PutValues,
  bodyAs: 'json',
  bodyBytesMax: CHANGESET_LIMITS.bytes,
  status: 200,
  response: PutValuesAnswer,
  refusals: [404, 409],
  conditional: true,
});

/** Many changes as one. */
export const changesets: readonly Operation[] = [
  LIST_CHANGESETS,
  APPLY_CHANGESET,
  PLAN_CHANGESET,
  READ_CHANGESET,
  LIST_EFFECTIVE_CHANGES,
  PUT_VALUES,
];
