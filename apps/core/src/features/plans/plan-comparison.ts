import { Injectable } from '@nestjs/common';
import {
  affectedScopes,
  type EffectiveCellChange,
  effectiveDifference,
  intersectPermissions,
  type Permissions,
  type Revision,
} from '@strata/domain';
import { EventLoopYielder } from '../../platform/event-loop-yielder.ts';
import type { WriteContext, Writer } from '../../platform/ledger/command.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import type { RunOutcome } from '../changesets/changeset-run.ts';
import type { PreparedSteps } from '../changesets/prepared-steps.ts';
import { type AssertTime, tooCostlyError } from '../changesets/time-limits.ts';
import { type AffectedByPlan, findAffectedAreas } from './affected-areas.ts';
import { EffectiveStates, type RawState, toCurrentState } from './effective-states.ts';
import type { PlanContents } from './plan.presenter.ts';
import { type PlanDependencies, readPlanDependencies } from './plan-dependencies.ts';

/** The state after the steps, read inside their write. The write can be rolled back before the comparison. */
export interface StateAfter {
  /** The latest revision before the write. */
  readonly base: Revision;
  readonly outcome: RunOutcome;
  /** The caller before the steps, with the recorded reads and ignored values. */
  readonly writer: Writer;
  /**
   * Permissions that the caller has both before and after the steps, so that changing permissions does not reveal
   * anything.
   */
  readonly permissions: Permissions;
  readonly affected: AffectedByPlan;
  readonly state: RawState;
}

/** The state before the steps. */
interface StateBefore {
  readonly state: RawState;
  readonly objects: PlanDependencies;
}

/** Compares the configuration before and after some steps. */
@Injectable()
export class PlanComparison {
  constructor(
    private readonly snapshotReader: SnapshotReader,
    private readonly states: EffectiveStates,
  ) {}

  /** Reads the state after the steps. Throws if the steps affect too much of the configuration. */
  async readAfter(
    { caller: writer, em, revision }: WriteContext,
    { advice }: PreparedSteps,
    outcome: RunOutcome,
    assertTime: AssertTime = () => undefined,
  ): Promise<StateAfter> {
    const reader = SnapshotReader.within(em);
    const { organizationId } = writer;
    const base = revision - 1;
    const affectedAreas = await findAffectedAreas(reader, organizationId, affectedScopes(outcome.changes), [
      base,
      'now',
    ]);
    if (affectedAreas === null) throw tooCostlyError(advice);
    assertTime();
    const state = await this.states.load(organizationId, 'now', affectedAreas, reader);
    return {
      base,
      outcome,
      writer,
      permissions: intersectPermissions(writer, outcome.caller),
      affected: affectedAreas,
      state,
    };
  }

  /** Reads the state before the steps from the history, either inside their write or after its rollback. */
  async readBefore(after: StateAfter, reader?: SnapshotReader): Promise<StateBefore> {
    const { base, outcome, writer, affected, permissions } = after;
    const { organizationId, planRecorder } = writer;
    const state = toCurrentState(await this.states.load(organizationId, base, affected, reader));
    const from = reader ?? this.snapshotReader;
    const dependencies = await readPlanDependencies(from, organizationId, base, planRecorder, outcome, permissions);
    return { state, objects: dependencies };
  }

  /** Compares the two states in memory, without database access. */
  async compare(
    { request, advice, unreverted }: PreparedSteps,
    { base, outcome, writer, permissions, affected, state: after }: StateAfter,
    { state: before, objects }: StateBefore,
  ): Promise<PlanContents> {
    const yielder = new EventLoopYielder();
    const cellsBefore = await this.states.cells(before, permissions);
    if (cellsBefore === null) throw tooCostlyError(advice);
    if (yielder.isDue) await yielder.yield();
    const values = outcome.changes.filter(({ objectType }) => objectType === 'Value');
    const writtenIds = new Set(values.map(({ object }) => object.id));
    const plannedState = { before: cellsBefore, written: writtenIds, createdIds: outcome.createdIds };
    const cellsAfter = await this.states.cells(after, permissions, plannedState);
    if (cellsAfter === null) throw tooCostlyError(advice);
    if (yielder.isDue) await yielder.yield();
    const effectiveChanges = effectiveDifference(cellsBefore.cells, cellsAfter.cells).toSorted(byLocation);
    if (yielder.isDue) await yielder.yield();
    return {
      base,
      caller: writer.id,
      request,
      outcome,
      permissions,
      affected,
      objects,
      effective: effectiveChanges,
      planRecorder: writer.planRecorder,
      forbiddenValues: writer.forbiddenValues,
      states: [before, after],
      unreverted: unreverted?.() ?? null,
    };
  }
}

function byLocation(left: EffectiveCellChange, right: EffectiveCellChange): number {
  const names = ({ project, environment, name }: EffectiveCellChange) => [project.name, environment.name, name];
  const [leftNames, rightNames] = [names(left), names(right)];
  const at = leftNames.findIndex((word, index) => word !== rightNames[index]);
  if (at < 0) return 0;
  return (leftNames[at] ?? '') < (rightNames[at] ?? '') ? -1 : 1;
}
