import { Injectable } from '@nestjs/common';
import type { RevertChangesetRequest, RevertPolicy, RevertRequest, RevertScopeKind } from '@strata/contract';
import { Failure, jsonPointer, type Revision, StepsRejectedError, sentence } from '@strata/domain';
import type { Caller } from '../../platform/caller.ts';
import { PointsInTime } from '../../platform/http/points-in-time.ts';
import type { Call } from '../../platform/http/request.ts';
import type { ChangesetNote, Command, WriteContext } from '../../platform/ledger/command.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { wireTimeSql } from '../../platform/postgres/versioned-table.ts';
import type { ChangeRow } from '../changesets/changesets.presenter.ts';
import { ChangesetsReader } from '../changesets/changesets.reader.ts';
import type { PreparedSteps } from '../changesets/prepared-steps.ts';
import type { Step } from '../changesets/steps.ts';
import { type AssertTime, withTimeLimit } from '../changesets/time-limits.ts';
import { Plans } from '../plans/plans.ts';
import { RevertExecutor } from './revert-executor.ts';
import type { CompletedRevert, RevertReport } from './revert-report.ts';
import { findScope, type RevertSource, readScopeSource, sourceOfChangeset } from './revert-sources.ts';
import { presentUnrevertedLists } from './reverts.presenter.ts';

/** A revert that can be applied or planned. */
export interface PreparedRevert {
  readonly steps: PreparedSteps;
  /** The outcome of the most recent execution of the steps. */
  readonly outcome: { report: RevertReport | null; failure: Failure | null };
}

/** The request members that both kinds of revert share. */
interface RevertOptions
  extends Pick<RevertRequest, 'message' | 'external_ref' | 'on_conflict' | 'force' | 'plan_hash' | 'plan'> {
  /** The reverted scope or changeset as JSON. */
  readonly request: unknown;
}

/** The report of a revert that was rejected as a whole. */
const NOTHING: RevertReport = { conflicts: [], notRevertible: [] };

const MESSAGE_LENGTH_MAX = 1_000;

/**
 * The time limit, in milliseconds, during which other writers wait. It is enough for the largest revert on a busy
 * machine.
 */
const EXECUTION_MS = 20_000;

/** Reverts changesets and scopes. A revert is one step of a changeset, however many objects it has. */
@Injectable()
export class Reverts {
  constructor(
    private readonly run: RevertExecutor,
    private readonly plans: Plans,
    private readonly changesets: ChangesetsReader,
    private readonly pointsInTime: PointsInTime,
    private readonly reader: SnapshotReader,
  ) {}

  /** Prepares the revert of a changeset. Throws 404 if the revision does not exist. */
  async ofChangeset({ caller }: Call, revision: Revision, input: RevertChangesetRequest): Promise<PreparedRevert> {
    const { row } = await this.changesets.readOne(caller, revision);
    const message = row.message ? `: ${row.message}` : '';
    const request = { revision, operations: input.operations ?? null, on_conflict: input.on_conflict };
    return this.prepared(
      'changesets_revert_create',
      caller,
      { ...input, request },
      `Revert of revision ${revision}${message}`,
      (context) => sourceOfChangeset(context.em, context.caller, revision, input.operations ?? null),
    );
  }

  /** Prepares the revert of a scope. Throws 404 if the point in time or the scope does not exist. */
  async ofScope({ caller }: Call, input: RevertRequest): Promise<PreparedRevert> {
    const { at: pointInTime } = await this.pointsInTime.resolved(caller, input.to, undefined, (member) =>
      jsonPointer(['to', member]),
    );
    const [head] = await this.reader.query<{ revision: Revision }>(
      'select revision from organization_head where organization_id = $1',
      [caller.organizationId],
    );
    const at = pointInTime === 'now' ? (head?.revision ?? 0) : pointInTime;
    if (at === 0) throw await this.beforeFirst(caller);
    const [kind, nameOrId] = Object.entries(input.scope)[0] as [RevertScopeKind, string];
    const objectText = kind === 'value' ? 'a value' : `${kind} ${nameOrId}`;
    const request = { to: at, scope: input.scope, on_conflict: input.on_conflict };
    return this.prepared(
      'revert_create',
      caller,
      { ...input, request },
      `Revert of ${objectText} to revision ${at}`,
      async ({ em, caller: writer }) =>
        readScopeSource(em, writer, await findScope(em, writer, kind, nameOrId, at), at),
    );
  }

  /**
   * Returns the error for a point in time before the first revision. Nothing existed then, and a request for it rarely
   * means to delete everything.
   */
  private async beforeFirst({ organizationId }: Caller): Promise<Failure> {
    const [first] = await this.reader.query<{ revision: Revision; at: string }>(
      `select revision, ${wireTimeSql('at')} as at from changeset where organization_id = $1 order by revision limit 1`,
      [organizationId],
    );
    return Failure.field(
      'before_first_revision',
      'to',
      sentence`This point in time is before the first revision of the organization, ${{ revision: first?.revision ?? 1 }} of ${{ time: first?.at ?? 'later' }}. Choose a later one. To remove objects, delete them.`,
    );
  }

  command({ steps, outcome }: PreparedRevert): Command<CompletedRevert> {
    const changeset = this.plans.command(steps);
    const { operation, caller, note = steps.note } = changeset;
    return {
      operation,
      caller,
      note,
      isForced: steps.isForced,
      isLong: true,
      run: async (context) => {
        try {
          const { isChanged, steps: appliedSteps } = await changeset.run(context);
          const { conflicts, notRevertible } = outcome.report ?? NOTHING;
          const changes = appliedSteps.flatMap((step) => step.changes);
          return { isChanged, changes, note: steps.note, conflicts, notRevertible };
        } catch (error) {
          // The revert is the only step, so its error replaces the error of the changeset.
          throw error instanceof StepsRejectedError ? (outcome.failure ?? error) : error;
        }
      },
    };
  }

  private prepared(
    operation: string,
    caller: Caller,
    {
      message,
      external_ref: externalRef,
      on_conflict: policy,
      force: isForced,
      plan_hash: hash,
      plan,
      request,
    }: RevertOptions,
    title: string,
    sourceOf: (context: WriteContext) => Promise<RevertSource>,
  ): PreparedRevert {
    const note: ChangesetNote = { message: message ?? title.slice(0, MESSAGE_LENGTH_MAX), externalRef };
    const outcome: PreparedRevert['outcome'] = { report: null, failure: null };
    const run = async (context: WriteContext) => {
      outcome.report = null;
      outcome.failure = null;
      try {
        outcome.report = await withTimeLimit(context.em, EXECUTION_MS, async (assertTime) =>
          this.reverted(context, await sourceOf(context), policy, assertTime),
        );
      } catch (error) {
        if (error instanceof Failure) outcome.failure = error;
        throw error;
      }
    };
    const step: Step = {
      name: 'revert',
      input: null,
      request: null,
      as: null,
      refersTo: [],
      expects: null,
      command: async () => ({ operation, caller, run }),
      assertMayCall: () => undefined,
      resolveId: () => null,
      isBeyondPlans: (recorder) => recorder.isBeyondPlan,
    };
    const expectedPlan = hash === null ? null : { hash, plan };
    const steps = () => [{ step, prepared: null }];
    const readUnreverted = () => presentUnrevertedLists(outcome.report ?? NOTHING);
    const advice = 'Revert only some of the operations, or a smaller scope.';
    return {
      outcome,
      steps: {
        operation,
        caller,
        note,
        isForced,
        baseRevision: null,
        request,
        expectedPlan,
        executionMsMax: EXECUTION_MS,
        advice,
        unreverted: readUnreverted,
        steps,
      },
    };
  }

  private async reverted(
    context: WriteContext,
    source: RevertSource,
    policy: RevertPolicy,
    assertTime: AssertTime,
  ): Promise<RevertReport> {
    const { revived, deleted, conflicts } = await this.run.revert(context, source, policy, assertTime);
    const isWithin = (scopes: ReadonlySet<string>, { project_id: project, environment_id: environment }: ChangeRow) =>
      scopes.has(project ?? '') || scopes.has(environment ?? '');
    // Objects that were deleted with their scope, and grants that were restored with it, need no entry.
    const notRevertibleChanges = source.notRevertible.filter(
      (row) => !isWithin(deleted, row) && !(row.object_type === 'Grant' && isWithin(revived, row)),
    );
    return { conflicts, notRevertible: notRevertibleChanges };
  }
}
