import { Injectable } from '@nestjs/common';
import type { Plan } from '@strata/contract';
import {
  affectedScopes,
  type EffectiveCellChange,
  effectiveDifference,
  Failure,
  type Permissions,
  PlanOutdated,
  type Revision,
  strictest,
} from '@strata/domain';
import type { Caller } from '../../platform/caller.ts';
import type { Command, WriteContext, Writer } from '../../platform/ledger/command.ts';
import { ForbiddenValues, ignoredScopes } from '../../platform/ledger/forbidden-values.ts';
import { type PlanPurpose, PlanRecorder } from '../../platform/ledger/plan-recorder.ts';
import { UnitOfWork } from '../../platform/ledger/unit-of-work.ts';
import { isStatementTimeout } from '../../platform/postgres/constraints.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { Vault } from '../../platform/vault/vault.ts';
import { ChangesetRun, type DoneChangeset, type RunOutcome, refusalOfAll } from '../changesets/changeset-run.ts';
import {
  type AssertTime,
  deadline,
  HeldTooLong,
  INSPECTION_MS_MAX,
  inTime,
  limitStatements,
  tooCostly,
} from '../changesets/held-time.ts';
import type { PreparedSteps } from '../changesets/prepared-steps.ts';
import type { PreparedStep, Step } from '../changesets/steps.ts';
import { type Affected, affectedAreas } from './affected-areas.ts';
import { asPresent, EffectiveStates, type RawState } from './effective-states.ts';
import { type PlanContents, planParts, presentPlan } from './plan.presenter.ts';
import { planDifference } from './plan-difference.ts';
import { accessAt, accessChanges, accessScopes, restartedExpirations, toldWebhooks } from './plan-effects.ts';
import { canonicalJson, differingParts, planHash } from './plan-hash.ts';
import { type PlannedObjects, plannedObjects } from './planned-objects.ts';

/** What was read while the rows were written, to be looked at without them. */
interface Written {
  readonly base: Revision;
  readonly outcome: RunOutcome;
  /** The caller before the steps, with what they recorded and ignored. */
  readonly writer: Writer;
  /** What the caller may do before and after the steps. */
  readonly permissions: Permissions;
  readonly affected: Affected;
  readonly after: RawState;
}

/** What was before it, read. */
interface Earlier {
  readonly before: RawState;
  readonly objects: PlannedObjects;
}

/** Carries out steps, wherever they come from, or tells what they would do. */
@Injectable()
export class Plans {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly committed: SnapshotReader,
    private readonly states: EffectiveStates,
    private readonly vault: Vault,
  ) {}

  /** One revision, all or nothing; where a plan is wanted, only if this still comes to it. */
  command(prepared: PreparedSteps): Command<DoneChangeset> {
    const { operation, caller, note, wanted } = prepared;
    return {
      operation,
      caller,
      isLong: true,
      note,
      run: async (write) => {
        const context = recording(write, wanted === null ? 'none' : 'check');
        const assertTime = deadline(prepared.executionMs);
        const carried = (within: WriteContext) =>
          carriedOut(prepared, within, assertTime).catch((error: unknown) => {
            throw error instanceof HeldTooLong ? tooCostly(prepared.smaller) : error;
          });
        if (ignoredScopes(context.caller).length > 0) await context.em.query('savepoint ignoring');
        let { steps, outcome } = await carried(context);
        // a plan made now would not show these refusals, and could be made and sent without end
        const isBeyondPlans = outcome.refusals.some((refusal) => refusal.isBeyondPlans);
        if (wanted !== null && !isBeyondPlans) {
          const written = await this.written(context, prepared, outcome);
          await this.assertAsPlanned(context, prepared, written);
        }
        if (outcome.refusals.length > 0) throw refusalOfAll(outcome.refusals, steps.length);
        if (context.caller.forbiddenValues?.mayMatter) {
          ({ steps, outcome } = await withAllValues(prepared, context, carried));
        }
        for (const change of outcome.changes) context.record(change, outcome.caller);
        const done = outcome.steps.map((each, index) => ({ ...each, ...namesOf(steps[index]) }));
        return { isChanged: outcome.changes.length > 0, steps: done };
      },
    };
  }

  /**
   * What the steps would do. It waits for its turn; others wait while its rows are written and read, and these are gone before
   * anything is evaluated or compared. Nothing is stored.
   */
  async of(prepared: PreparedSteps): Promise<Plan> {
    const { operation, caller } = prepared;
    let assertTime: AssertTime = () => {};
    const command: Command<{ readonly context: WriteContext; readonly outcome: RunOutcome }> = {
      operation,
      caller,
      isLong: true,
      run: async (write) => {
        const context = recording(write, 'dry-run');
        // all the time that its changeset has, and more: whatever can be applied can be planned
        const planMs = prepared.executionMs + INSPECTION_MS_MAX;
        await limitStatements(context.em, planMs);
        assertTime = deadline(planMs);
        const { outcome } = await carriedOut(prepared, context, assertTime);
        for (const change of outcome.changes) context.record(change, outcome.caller);
        return { context, outcome };
      },
    };
    const held = this.unitOfWork.dryRun(command, async (_, { context, outcome }) => {
      const reader = SnapshotReader.within(context.em);
      return {
        written: await this.written(context, prepared, outcome, assertTime),
        ...(await effectsOf(context, caller, outcome)),
        access: await accessAt(reader, caller.organizationId, accessScopes(outcome.changes)),
      };
    });
    const { written, ...effects } = await held.catch((error: unknown) => {
      throw error instanceof HeldTooLong || isStatementTimeout(error) ? tooCostly(prepared.smaller) : error;
    });
    const contents = await this.compared(prepared, written, await this.earlier(written));
    const before = await accessAt(this.committed, caller.organizationId, accessScopes(written.outcome.changes));
    const access = accessChanges(before, effects.access, written.permissions);
    return presentPlan(contents, await this.hashOf(prepared, contents), { ...effects, access });
  }

  /** 412 with the plan as it would be now. What is looked at is looked at in memory, and given up when it takes too long. */
  private async assertAsPlanned(context: WriteContext, prepared: PreparedSteps, written: Written): Promise<void> {
    const earlier = await this.earlier(written, SnapshotReader.within(context.em));
    const made = await inTime(this.compared(prepared, written, earlier), INSPECTION_MS_MAX, prepared.smaller);
    const hash = await this.hashOf(prepared, made);
    const { wanted } = prepared;
    if (wanted === null || wanted.hash === hash) return;
    const plan = presentPlan(made, hash, { ...(await effectsOf(context, prepared.caller, made.outcome)), access: [] });
    const parts = differingParts(wanted.hash, hash);
    throw new PlanOutdated(outdated(parts), plan, planDifference(parts, wanted.plan, plan));
  }

  private async written(
    { caller: writer, em, revision }: WriteContext,
    { smaller }: PreparedSteps,
    outcome: RunOutcome,
    assertTime: AssertTime = () => undefined,
  ): Promise<Written> {
    const reader = SnapshotReader.within(em);
    const { organizationId } = writer;
    const base = revision - 1;
    const affected = await affectedAreas(reader, organizationId, affectedScopes(outcome.changes), [base, 'now']);
    if (affected === null) throw tooCostly(smaller);
    assertTime();
    const after = await this.states.load(organizationId, 'now', affected, reader);
    // what a write takes or gives of access shows no more than could be read before it, and no more than after it
    return { base, outcome, writer, permissions: strictest(writer, outcome.caller), affected, after };
  }

  /** What was before. It is still there when the write is undone. */
  private async earlier({ base, outcome, writer, affected, permissions }: Written, reader?: SnapshotReader) {
    const { organizationId, planRecorder } = writer;
    const before = asPresent(await this.states.load(organizationId, base, affected, reader));
    const from = reader ?? this.committed;
    return {
      before,
      objects: await plannedObjects(from, organizationId, base, planRecorder, outcome, permissions),
    };
  }

  /** Asks no database. */
  private async compared(
    { asked, smaller, unreverted }: PreparedSteps,
    { base, outcome, writer, permissions, affected, after }: Written,
    { before, objects }: Earlier,
  ): Promise<PlanContents> {
    const values = outcome.changes.filter(({ objectType }) => objectType === 'Value');
    const cellsBefore = await this.states.cells(before, permissions);
    if (cellsBefore === null) throw tooCostly(smaller);
    const written = new Set(values.map(({ object }) => object.id));
    const cellsAfter = await this.states.cells(after, permissions, {
      before: cellsBefore,
      written,
      made: outcome.made,
    });
    if (cellsAfter === null) throw tooCostly(smaller);
    const effective = effectiveDifference(cellsBefore.cells, cellsAfter.cells).toSorted(byPlace);
    const states = [before, after];
    return {
      base,
      caller: writer.id,
      asked,
      outcome,
      permissions,
      affected,
      objects,
      effective,
      planned: writer.planRecorder,
      forbiddenValues: writer.forbiddenValues,
      states,
      unreverted: unreverted?.() ?? null,
    };
  }

  private hashOf({ caller }: PreparedSteps, contents: PlanContents): Promise<string> {
    return planHash(planParts(contents), (text) => this.vault.mac(caller.organizationId, 'plan', text));
  }
}

function outdated(parts: readonly string[]): string {
  return `What was planned is not what would be done now (${parts.join(', ')}), so nothing was stored. Look at the plan as it is now, and send its plan_hash.`;
}

async function carriedOut(prepared: PreparedSteps, context: WriteContext, assertTime: AssertTime) {
  const steps = await prepared.steps(context);
  const run = new ChangesetRun(context, prepared.baseRevision);
  return { steps, outcome: await run.all(steps, assertTime) };
}

/**
 * Carries out the steps again, with the values that the caller may not read. A caller cannot use this as a probe without storing the
 * changeset, since nothing else refuses it. A revert with a plan must skip exactly what its plan skips.
 */
async function withAllValues(
  { unreverted, wanted }: PreparedSteps,
  context: WriteContext,
  carried: (within: WriteContext) => ReturnType<typeof carriedOut>,
): ReturnType<typeof carriedOut> {
  const left = canonicalJson(unreverted?.() ?? null);
  await context.em.query('rollback to savepoint ignoring');
  const done = await carried({ ...context, caller: { ...context.caller, forbiddenValues: null } });
  const { refusals } = done.outcome;
  if (refusals.length > 0) throw refusalOfAll(refusals, done.steps.length);
  if (wanted !== null && canonicalJson(unreverted?.() ?? null) !== left) throw Failure.forbidden();
  return done;
}

async function effectsOf({ em }: WriteContext, { organizationId }: Caller, { changes }: RunOutcome) {
  const reader = SnapshotReader.within(em);
  return {
    expirations: await restartedExpirations(reader, organizationId, changes),
    webhooks: await toldWebhooks(reader, organizationId, changes),
  };
}

function namesOf(prepared: PreparedStep | undefined): Pick<Step, 'name' | 'as'> {
  return { name: prepared?.step.name ?? '', as: prepared?.step.as ?? null };
}

/** Returns the context with a recorder of its own, in which the values that the caller may not read are ignored. */
function recording(context: WriteContext, purpose: PlanPurpose): WriteContext {
  const caller = { ...context.caller, planRecorder: new PlanRecorder(purpose), forbiddenValues: new ForbiddenValues() };
  return { ...context, caller };
}

function byPlace(left: EffectiveCellChange, right: EffectiveCellChange): number {
  const words = ({ project, environment, name }: EffectiveCellChange) => [project.name, environment.name, name];
  const [one, other] = [words(left), words(right)];
  const at = one.findIndex((word, index) => word !== other[index]);
  if (at < 0) return 0;
  return (one[at] ?? '') < (other[at] ?? '') ? -1 : 1;
}
