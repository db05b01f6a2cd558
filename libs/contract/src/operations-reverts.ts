import { CHANGESET_LIMITS } from './changeset-limits.ts';
import { type Operation, operation } from './operation.ts';
import { Plan } from './plan.ts';
import { RevertChangesetRequest, Reverted, RevertRequest } from './revert.ts';

const API = '/api/v1';

export const REVERT_CHANGESET = operation({
  id: 'changesets_revert_create',
  method: 'post',
  path: `${API}/changesets/{revision}/revert/`,
  tag: 'changesets',
  summary: 'Take a changeset back',
  description:
    'Makes its environments, projects, parameters, values, rules, types and templates what they were before it, against what is there today, as one changeset: all of it, or what `on_conflict` says. Asks what each single write asks. Other changes are listed in `not_revertible`, unless what they made lies in something that goes.',
  requires: 'read',
  body: RevertChangesetRequest,
  bodyAs: 'json',
  bodyOptional: true,
  bodyBytesMax: CHANGESET_LIMITS.bytes,
  status: 201,
  response: Reverted,
  refusals: [409, 412, 422],
});

export const REVERT = operation({
  id: 'revert_create',
  method: 'post',
  path: `${API}/revert/`,
  tag: 'changesets',
  summary: 'Make a project, an environment, a parameter or a value what it was',
  description:
    'As it was at a revision, an instant or a tag, against what is there today, as one changeset. What is gone comes back, what was made since goes, as far as `on_conflict` says. Never as it was before the first revision of the organization.',
  requires: 'read',
  body: RevertRequest,
  bodyAs: 'json',
  bodyBytesMax: CHANGESET_LIMITS.bytes,
  status: 201,
  response: Reverted,
  refusals: [404, 409, 412, 422],
});

const TOLD =
  'Nothing is written. What stands against it is told in `refusals`, not answered with; what it would leave as it is, in `conflicts` and `not_revertible`. `Accept: text/plain` has it as text for logs.';

export const PLAN_CHANGESET_REVERT = operation({
  id: 'changesets_revert_plan_create',
  method: 'post',
  path: `${API}/changesets/{revision}/revert/plan/`,
  tag: 'changesets',
  summary: 'Tell what taking a changeset back would do',
  description: TOLD,
  requires: 'read',
  body: RevertChangesetRequest,
  bodyAs: 'json',
  bodyOptional: true,
  bodyBytesMax: CHANGESET_LIMITS.bytes,
  status: 200,
  response: Plan,
  produces: ['application/json', 'text/plain'],
  refusals: [422],
});

export const PLAN_REVERT = operation({
  id: 'revert_plan_create',
  method: 'post',
  path: `${API}/revert/plan/`,
  tag: 'changesets',
  summary: 'Tell what making something what it was would do',
  description: TOLD,
  requires: 'read',
  body: RevertRequest,
  bodyAs: 'json',
  bodyBytesMax: CHANGESET_LIMITS.bytes,
  status: 200,
  response: Plan,
  produces: ['application/json', 'text/plain'],
  refusals: [404, 422],
});

/** Taking back what was done. */
export const reverts: readonly Operation[] = [REVERT_CHANGESET, PLAN_CHANGESET_REVERT, REVERT, PLAN_REVERT];
