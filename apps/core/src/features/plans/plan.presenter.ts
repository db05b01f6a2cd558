import type {
  AccessChange,
  BlockingReference,
  CellAccessChange,
  NotifiedDestination,
  Plan,
  PlannedChange,
  RestartedExpiration,
  StartedPush,
  ToldWebhook,
  Uncovered,
} from '@strata/contract';
import {
  canOnScope,
  type EffectiveCell,
  type EffectiveCellChange,
  jsonPointer,
  type Permissions,
  type Revision,
  StillReferencedError,
  toErrorData,
} from '@strata/domain';
import { failureResponse } from '../../platform/http/failure.filter.ts';
import type { Change } from '../../platform/ledger/change.ts';
import type { ForbiddenValues } from '../../platform/ledger/forbidden-values.ts';
import { type LastRead, lastReadMembers } from '../../platform/ledger/last-reads.ts';
import type { PlanRecorder } from '../../platform/ledger/plan-recorder.ts';
import type { RecentlyRead } from '../../platform/ledger/read-protection.ts';
import type { RunOutcome } from '../changesets/changeset-run.ts';
import { presentEffectiveChange } from '../changesets/changesets.presenter.ts';
import type { UnrevertedLists } from '../changesets/prepared-steps.ts';
import { rejectionToHash, withoutFailure } from '../changesets/rejected-steps.ts';
import type { AffectedByPlan } from './affected-areas.ts';
import type { RawState } from './effective-states.ts';
import { forbiddenCells } from './forbidden-cells.ts';
import type { PlanDependencies } from './plan-dependencies.ts';
import { firstEntries } from './plan-effects.ts';
import type { PlanParts } from './plan-hash.ts';

/** The complete contents of a plan. A response contains only the first entries of each list. */
export interface PlanContents {
  readonly base: Revision;
  /** The id of the caller. */
  readonly caller: string;
  readonly request: unknown;
  readonly outcome: RunOutcome;
  readonly permissions: Permissions;
  readonly affected: AffectedByPlan;
  readonly objects: PlanDependencies;
  readonly effective: readonly EffectiveCellChange[];
  readonly planRecorder: PlanRecorder;
  readonly forbiddenValues: ForbiddenValues | null;
  readonly states: readonly RawState[];
  /** The objects that a revert does not restore; null for a changeset. */
  readonly unreverted: UnrevertedLists | null;
}

/** Further effects, which the hash does not cover. */
export interface PlanEffects {
  readonly access: readonly AccessChange[];
  readonly access_cells: readonly CellAccessChange[];
  readonly expirations: readonly RestartedExpiration[];
  readonly webhooks: readonly ToldWebhook[];
  readonly destinations: readonly NotifiedDestination[];
  readonly pushes: readonly StartedPush[];
  /** The last reads that deletions affect, by the change. */
  readonly reads: ReadonlyMap<Change, LastRead>;
  /** The deletion that applying the plan would be rejected for now; null if there is none. */
  readonly recentlyRead: RecentlyRead | null;
}

/** Returns the contents that the hash covers. They contain the versions of secrets, never their texts. */
export function planParts(contents: PlanContents): PlanParts {
  const { caller, request, objects, effective, outcome, unreverted } = contents;
  return {
    operations: [caller, request],
    objects,
    effective_changes: effective.map(({ project, environment, name, before, after }) => [
      project.name,
      environment.name,
      name,
      before && cellPart(before),
      after && cellPart(after),
    ]),
    uncovered: uncovered(contents),
    refusals: outcome.rejectedSteps.map(rejectionToHash),
    ...unreverted,
  };
}

export function presentPlan(
  contents: PlanContents,
  hash: string,
  { reads, recentlyRead, ...effects }: PlanEffects,
): Plan {
  const { base, outcome, objects, effective, affected, states, permissions, unreverted } = contents;
  const all = {
    changes: outcome.changes.map((change) => plannedChange(change, outcome.createdIds, reads)),
    objects: objects.map(([object, version]) => ({ object, version })),
    effective_changes: effective,
    uncovered: uncovered(contents),
    refusals: [
      ...outcome.rejectedSteps.map(withoutFailure),
      ...(recentlyRead ? [presentReadProtection(recentlyRead, unreverted !== null)] : []),
    ],
    blocking_references: blockingReferences(outcome),
    ...effects,
  };
  const forbiddenCounts = forbiddenCells(affected, states, permissions);
  return {
    base_revision: base,
    plan_hash: hash,
    totals: {
      changes: all.changes.length,
      objects: all.objects.length,
      effective_changes: effective.length,
      uncovered: all.uncovered.length,
      refusals: all.refusals.length,
      blocking_references: all.blocking_references.length,
      access: effects.access.length,
      access_cells: effects.access_cells.length,
      expirations: effects.expirations.length,
      webhooks: effects.webhooks.length,
      destinations: effects.destinations.length,
      pushes: effects.pushes.length,
      closed_projects: forbiddenCounts.projects,
      closed_environments: forbiddenCounts.environments,
      closed_references: hiddenReferences(outcome),
      ...(unreverted && {
        conflicts: unreverted.conflicts.length,
        not_revertible: unreverted.not_revertible.length,
      }),
    },
    changes: firstEntries(all.changes),
    objects: firstEntries(all.objects),
    effective_changes: firstEntries(effective).map((change) =>
      withoutCreatedIds(presentEffectiveChange(change), outcome.createdIds),
    ),
    uncovered: firstEntries(all.uncovered),
    refusals: firstEntries(all.refusals),
    blocking_references: firstEntries(all.blocking_references),
    access: firstEntries(effects.access),
    access_cells: firstEntries(effects.access_cells),
    expirations: firstEntries(effects.expirations),
    webhooks: firstEntries(effects.webhooks),
    destinations: firstEntries(effects.destinations),
    pushes: firstEntries(effects.pushes),
    ...(unreverted && {
      conflicts: firstEntries(unreverted.conflicts),
      not_revertible: firstEntries(unreverted.not_revertible),
    }),
  };
}

function cellPart({ text, secret, problem, madeOf, isForbidden }: EffectiveCell): unknown {
  if (isForbidden) return { isForbidden };
  return secret || problem !== null ? { secret, problem, madeOf, isNull: text === null } : { text };
}

function uncovered({
  effective,
  affected,
  permissions,
  planRecorder,
  forbiddenValues,
}: PlanContents): readonly Uncovered[] {
  const failingChanges = effective.filter(
    ({ before, after }) => (before?.problem ?? null) !== null || (after?.problem ?? null) !== null,
  );
  const forbiddenChanges = effective.filter(({ after }) => after?.isForbidden);
  const templates = affected.templates.filter(({ projectId }) => canOnScope(permissions, 'read', projectId));
  return [
    ...failingChanges.map(({ project, environment, name }) => ({
      reason: 'not_evaluated',
      project_name: project.name,
      environment_name: environment.name,
      name,
    })),
    ...forbiddenChanges.map(({ project, environment, name }) => ({
      reason: 'forbidden',
      project_name: project.name,
      environment_name: environment.name,
      name,
    })),
    ...[...(forbiddenValues?.locations.values() ?? [])].map(({ project, environment, name }) => ({
      reason: 'forbidden',
      project_name: project,
      environment_name: environment,
      name,
    })),
    ...templates.map(({ project, name }) => ({
      reason: 'template',
      project_name: project,
      environment_name: null,
      name,
    })),
    ...[...planRecorder.notValidated.values()].map(({ project, name }) => ({
      reason: 'secret_not_judged',
      project_name: project,
      environment_name: null,
      name,
    })),
  ].sort((left, right) => compare(JSON.stringify(left), JSON.stringify(right)));
}

function blockingReferences({ rejectedSteps }: RunOutcome): readonly BlockingReference[] {
  return rejectedSteps.flatMap(({ index, failure }) =>
    failure instanceof StillReferencedError
      ? failure.referrers
          .map(({ name, project }) => ({ index, project_name: project, text: name }))
          .sort((left, right) => compare(left.text, right.text))
      : [],
  );
}

function hiddenReferences({ rejectedSteps }: RunOutcome): number {
  return rejectedSteps.reduce(
    (sum, { failure }) => sum + (failure instanceof StillReferencedError ? failure.hidden : 0),
    0,
  );
}

/** Presents a planned change. Objects that the plan creates have no id that a client could use. */
function plannedChange(change: Change, createdIds: ReadonlySet<string>, reads: PlanEffects['reads']): PlannedChange {
  const { action, objectType, object, project, environment } = change;
  return {
    action,
    object_type: objectType,
    object_id: createdIds.has(object.id) ? null : object.id,
    object_name: object.name,
    project_name: project?.name ?? null,
    environment_name: environment?.name ?? null,
    ...lastReadMembers(reads.get(change)),
  };
}

function presentReadProtection({ change, failure }: RecentlyRead, isRevert: boolean) {
  const { status, body } = failureResponse(failure);
  const index = change.operations?.[0] ?? 0;
  const data = toErrorData(failure, () => (isRevert ? '' : jsonPointer(['operations', index])));
  return { index, status, ...data, error: body };
}

function withoutCreatedIds(change: Plan['effective_changes'][number], createdIds: ReadonlySet<string>) {
  const hideCreatedId = (id: string) => (createdIds.has(id) ? '' : id);
  return {
    ...change,
    project_id: hideCreatedId(change.project_id),
    environment_id: hideCreatedId(change.environment_id),
  };
}

const compare = (left: string, right: string) => (left < right ? -1 : left > right ? 1 : 0);
