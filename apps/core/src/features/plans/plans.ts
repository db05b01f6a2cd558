import { Injectable } from '@nestjs/common';
import type { Plan } from '@strata/contract';
import { Failure, forbiddenScopes, PlanOutdatedError, type Sentence, sentence, withAssumedWrite } from '@strata/domain';
import type { Command, WriteContext } from '../../platform/ledger/command.ts';
import { ForbiddenValues, listIgnoredScopes } from '../../platform/ledger/forbidden-values.ts';
import { findReadsAffectedBy } from '../../platform/ledger/last-reads.ts';
import { type PlanPurpose, PlanRecorder } from '../../platform/ledger/plan-recorder.ts';
import { findRecentlyRead, type RecentlyRead } from '../../platform/ledger/read-protection.ts';
import { UnitOfWork } from '../../platform/ledger/unit-of-work.ts';
import { isStatementTimeout } from '../../platform/postgres/constraints.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { Vault } from '../../platform/vault/vault.ts';
import { type AppliedSteps, ChangesetRun, type RunOutcome } from '../changesets/changeset-run.ts';
import type { PreparedSteps } from '../changesets/prepared-steps.ts';
import { combineErrors } from '../changesets/rejected-steps.ts';
import type { PreparedStep } from '../changesets/steps.ts';
import {
  type AssertTime,
  createDeadline,
  EFFECT_COMPARISON_MS_MAX,
  limitStatements,
  rejectAfter,
  TimeLimitError,
  tooCostlyError,
} from '../changesets/time-limits.ts';
import { type PlanContents, planParts, presentPlan } from './plan.presenter.ts';
import { PlanComparison } from './plan-comparison.ts';
import { planDifference } from './plan-difference.ts';
import {
  accessChanges,
  accessScopes,
  cellAccessChanges,
  readAffectedAccess,
  readCellAccess,
  restartedExpirations,
} from './plan-effects.ts';
import { canonicalJson, differingParts, planHash } from './plan-hash.ts';
import { findStartedPushes, notifiedDestinations, notifiedWebhooks } from './plan-receivers.ts';

/** The steps of a write, and their results. */
interface Execution {
  readonly steps: readonly PreparedStep[];
  readonly outcome: RunOutcome;
}

/** Applies the steps of a changeset or revert, or plans them. */
@Injectable()
export class Plans {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly snapshotReader: SnapshotReader,
    private readonly comparison: PlanComparison,
    private readonly vault: Vault,
  ) {}

  /**
   * Returns a command that applies all steps in one revision, or none. If the request contains a plan hash, the steps
   * must still have the effects of that plan.
   */
  command(preparedSteps: PreparedSteps): Command<AppliedSteps> {
    const { operation, caller, note, expectedPlan } = preparedSteps;
    return {
      operation,
      caller,
      isLong: true,
      isForced: preparedSteps.isForced,
      ...(preparedSteps.locateChange && { locateChange: preparedSteps.locateChange }),
      note,
      run: async (write) => {
        const context = withRecorder(write, expectedPlan === null ? 'none' : 'check');
        const assertTime = createDeadline(preparedSteps.executionMsMax);
        if (listIgnoredScopes(context.caller).length > 0) await context.em.query('savepoint ignoring');
        const first = await execute(preparedSteps, context, assertTime);
        if (expectedPlan !== null && !isBeyondPlans(first)) await this.assertAsPlanned(context, preparedSteps, first);
        assertNoRejectedSteps(first);
        const mayDiffer = context.caller.forbiddenValues?.mayMatter ?? false;
        const { steps, outcome } = mayDiffer ? await executeWithAllValues(preparedSteps, context, assertTime) : first;
        for (const change of outcome.changes) context.record(change, outcome.caller);
        return {
          isChanged: outcome.changes.length > 0,
          steps: outcome.steps.map((result, index) => ({ ...result, ...plannedNames(steps[index]) })),
        };
      },
    };
  }

  /**
   * Returns the effects of the steps without storing anything. Other writers wait only while the steps run and their
   * results are read: the write is rolled back before the evaluation and the comparison.
   */
  async of(preparedSteps: PreparedSteps): Promise<Plan> {
    const { operation, caller, advice } = preparedSteps;
    const { organizationId } = caller;
    // The time limit of a plan is longer than that of its changeset, so that every changeset that can be applied can
    // also be planned.
    const planMsMax = preparedSteps.executionMsMax + EFFECT_COMPARISON_MS_MAX;
    const command: Command<{ context: WriteContext; outcome: RunOutcome; assertTime: AssertTime }> = {
      operation,
      caller,
      isLong: true,
      run: async (write) => {
        const caller = preparedSteps.assumesWrite ? withAssumedWrite(write.caller) : write.caller;
        const context = withRecorder({ ...write, caller }, 'dry-run');
        await limitStatements(context.em, planMsMax);
        const assertTime = createDeadline(planMsMax);
        const { outcome } = await execute(preparedSteps, context, assertTime);
        for (const change of outcome.changes) context.record(change, outcome.caller);
        return { context, outcome, assertTime };
      },
    };
    const dryRun = this.unitOfWork.dryRun(command, async (_, { context, outcome, assertTime }) => ({
      after: await this.comparison.readAfter(context, preparedSteps, outcome, assertTime),
      effects: await collectEffects(context, outcome),
      recent: preparedSteps.isForced ? null : await recentlyRead(context, outcome),
      access: await readAffectedAccess(
        SnapshotReader.within(context.em),
        organizationId,
        accessScopes(outcome.changes),
      ),
      cells: await readCellAccess(SnapshotReader.within(context.em), organizationId, accessScopes(outcome.changes)),
    }));
    const { after, effects, access, cells, recent } = await dryRun.catch((error: unknown) => {
      throw error instanceof TimeLimitError || isStatementTimeout(error) ? tooCostlyError(advice) : error;
    });
    const contents = await this.comparison.compare(preparedSteps, after, await this.comparison.readBefore(after));
    const accessBefore = await readAffectedAccess(
      this.snapshotReader,
      organizationId,
      accessScopes(after.outcome.changes),
    );
    const cellsBefore = await readCellAccess(this.snapshotReader, organizationId, accessScopes(after.outcome.changes));
    return presentPlan(contents, await this.hashPlan(preparedSteps, contents), {
      ...effects,
      recentlyRead: recent,
      access: accessChanges(accessBefore, access, after.permissions),
      access_cells: cellAccessChanges(cellsBefore, cells, after.permissions),
    });
  }

  /** Throws 412 with the current plan if its hash is not the expected one. */
  private async assertAsPlanned(
    context: WriteContext,
    preparedSteps: PreparedSteps,
    { outcome }: Execution,
  ): Promise<void> {
    const { expectedPlan, advice } = preparedSteps;
    const after = await this.comparison.readAfter(context, preparedSteps, outcome);
    const before = await this.comparison.readBefore(after, SnapshotReader.within(context.em));
    const contents = await rejectAfter(
      this.comparison.compare(preparedSteps, after, before),
      EFFECT_COMPARISON_MS_MAX,
      advice,
    );
    const hash = await this.hashPlan(preparedSteps, contents);
    if (expectedPlan === null || expectedPlan.hash === hash) return;
    const plan = presentPlan(contents, hash, {
      ...(await collectEffects(context, outcome)),
      recentlyRead: preparedSteps.isForced ? null : await recentlyRead(context, outcome),
      access: [],
      access_cells: [],
    });
    const parts = differingParts(expectedPlan.hash, hash);
    throw new PlanOutdatedError(outdatedMessage(parts), plan, planDifference(parts, expectedPlan.plan, plan));
  }

  private hashPlan({ caller }: PreparedSteps, contents: PlanContents): Promise<string> {
    return planHash(planParts(contents), (text) => this.vault.mac(caller.organizationId, 'plan', text));
  }
}

/** Returns a context with a new recorder, in which values that the caller may not read are ignored. */
function withRecorder(context: WriteContext, purpose: PlanPurpose): WriteContext {
  const caller = { ...context.caller, planRecorder: new PlanRecorder(purpose), forbiddenValues: new ForbiddenValues() };
  return { ...context, caller };
}

async function execute(
  preparedSteps: PreparedSteps,
  context: WriteContext,
  assertTime: AssertTime,
): Promise<Execution> {
  try {
    const steps = await preparedSteps.steps(context);
    return { steps, outcome: await new ChangesetRun(context, preparedSteps.baseRevision).all(steps, assertTime) };
  } catch (error) {
    throw error instanceof TimeLimitError ? tooCostlyError(preparedSteps.advice) : error;
  }
}

/**
 * Executes the steps again without ignoring the values that the caller may not read. Callers cannot use this to find
 * out about such values without storing the changeset, because all other checks have passed already. A revert with a
 * plan hash must skip exactly the objects that its plan skips.
 */
async function executeWithAllValues(
  preparedSteps: PreparedSteps,
  context: WriteContext,
  assertTime: AssertTime,
): Promise<Execution> {
  const { unreverted, expectedPlan } = preparedSteps;
  const unrevertedJson = canonicalJson(unreverted?.() ?? null);
  await context.em.query('rollback to savepoint ignoring');
  const caller = { ...context.caller, forbiddenValues: null };
  const execution = await execute(preparedSteps, { ...context, caller }, assertTime);
  assertNoRejectedSteps(execution);
  if (expectedPlan !== null && canonicalJson(unreverted?.() ?? null) !== unrevertedJson) throw Failure.forbidden();
  return execution;
}

/**
 * Returns whether a plan cannot show one of the rejections. Otherwise, a client that repeats the plan after each
 * rejection would never finish.
 */
function isBeyondPlans({ outcome }: Execution): boolean {
  return outcome.rejectedSteps.some((step) => step.isBeyondPlans);
}

function assertNoRejectedSteps({ steps, outcome: { rejectedSteps } }: Execution): void {
  if (rejectedSteps.length > 0) throw combineErrors(rejectedSteps, steps.length);
}

/** Returns the deletion that applying the steps would be rejected for. The plan's own dry run stores nothing. */
async function recentlyRead(context: WriteContext, { changes }: RunOutcome): Promise<RecentlyRead | null> {
  const [row] = await context.em.query<{ minutes: number | null }[]>(
    'select read_protection_minutes as minutes from organization where id = $1',
    [context.caller.organizationId],
  );
  return findRecentlyRead(context, changes, row?.minutes ?? null);
}

async function collectEffects({ caller, em, at }: WriteContext, { changes }: RunOutcome) {
  const { organizationId } = caller;
  const reader = SnapshotReader.within(em);
  return {
    expirations: await restartedExpirations(reader, organizationId, changes),
    webhooks: await notifiedWebhooks(reader, organizationId, changes),
    destinations: await notifiedDestinations(reader, organizationId, changes),
    pushes: await findStartedPushes(reader, organizationId, changes, at),
    reads: await findReadsAffectedBy(reader, organizationId, changes, { forbidden: forbiddenScopes(caller) }),
  };
}

function plannedNames(preparedStep: PreparedStep | undefined) {
  return { name: preparedStep?.step.name ?? '', as: preparedStep?.step.as ?? null };
}

function outdatedMessage(parts: readonly string[]): Sentence {
  return sentence`The plan has changed since it was made (${{ parts }}), so nothing was stored. Review the current plan, and send its plan_hash.`;
}
