import { Injectable } from '@nestjs/common';
import { type RevertPolicy } from '@strata/contract';
import { type RevertPlan, revertPlan } from '@strata/domain';
import type { Change } from '../../platform/ledger/change.ts';
import type { WriteContext, Writer } from '../../platform/ledger/command.ts';
import { Vault } from '../../platform/vault/vault.ts';
import { withCurrentPermissions } from '../changesets/changeset-run.ts';
import type { AssertTime } from '../changesets/time-limits.ts';
import { type LoadedObjects, loadObjects } from './loaded-objects.ts';
import { RevertChecks } from './revert-checks.ts';
import { forbiddenAfter, forbiddenBefore, idsOf } from './revert-permissions.ts';
import { describeConflicts, HIDDEN, revertRefused } from './revert-refusal.ts';
import type { UnrevertedObject } from './revert-report.ts';
import type { RevertSource } from './revert-sources.ts';
import { isScope, RevertWriter, type RevertWrites } from './revert-writer.ts';
import type { Refusals } from './written-objects.ts';

interface Reverted {
  /** The ids of objects that were deleted and exist again. */
  readonly revived: ReadonlySet<string>;
  /** The ids of objects that existed and are deleted now. */
  readonly deleted: ReadonlySet<string>;
  readonly conflicts: readonly UnrevertedObject[];
}

/** The result of writing a plan once. */
interface Attempt {
  /** Empty if the plan is written. Otherwise it is undone. */
  readonly refusals: Refusals;
  /** The caller with the permissions that hold now. */
  readonly caller: Writer;
}

/** A revert of all or nothing reports the conflicts that were found up to this pass. */
const PASSES_MAX = 10;

/**
 * Restores earlier states of objects. It plans the writes, writes them, and checks the result. Rejected objects are left out, and the
 * rest is planned and written again, until nothing is rejected. So the result is valid as a whole, in whatever order it was once written.
 */
@Injectable()
export class RevertRun {
  constructor(
    private readonly writer: RevertWriter,
    private readonly checks: RevertChecks,
    private readonly vault: Vault,
  ) {}

  /** Throws 409 with all conflicts, or 403 if all of them are missing permissions, unless the policy skips conflicts. */
  async revert(
    context: WriteContext,
    source: RevertSource,
    policy: RevertPolicy,
    assertTime: AssertTime,
  ): Promise<Reverted> {
    const loaded = await loadObjects(context, this.vault, source);
    const refusals = await forbiddenBefore(context.em, context.caller, loaded);
    const { plan, caller } = await this.writtenPlan(context, loaded, refusals, policy, assertTime);
    const conflicts = await describeConflicts(context.em, caller, loaded, plan, refusals);
    if (source.isClosed) conflicts.push(HIDDEN);
    // If a secret was rejected that the plan did not validate, neither this plan nor a new one would show the conflict.
    const isSkipped = policy === 'skip' && !caller.planRecorder.isBeyondPlan;
    if (conflicts.length > 0 && !isSkipped) throw revertRefused(conflicts);
    return { revived: idsOf(plan.revivals), deleted: idsOf(plan.deletions), conflicts };
  }

  /** Writes a plan without the objects that are rejected, and adds those to `refusals`. */
  private async writtenPlan(
    context: WriteContext,
    loaded: LoadedObjects,
    refusals: Refusals,
    policy: RevertPolicy,
    assertTime: AssertTime,
  ): Promise<{ readonly plan: RevertPlan; readonly caller: Writer }> {
    const nextPlan = () =>
      revertPlan(loaded.objects, loaded.context, {
        isOverwritten: policy === 'overwrite',
        refused: new Set(refusals.keys()),
      });
    for (let pass = 1; ; pass += 1) {
      assertTime();
      const plan = nextPlan();
      const attempt = await this.attempt(context, { ...loaded, plan }, assertTime);
      if (attempt.refusals.size === 0) return { plan, caller: attempt.caller };
      for (const [id, refusal] of attempt.refusals) refusals.set(id, refusal);
      if (policy !== 'skip' && pass === PASSES_MAX) return { plan: nextPlan(), caller: attempt.caller };
    }
  }

  /** Writes a plan and checks the result. Records its changes if nothing is rejected; otherwise undoes it. */
  private async attempt(
    context: WriteContext,
    work: RevertWrites & LoadedObjects,
    assertTime: AssertTime,
  ): Promise<Attempt> {
    const { caller: before, em } = context;
    const { revivals, updates, deletions } = work.plan;
    if (revivals.length + updates.length + deletions.length === 0) return { refusals: new Map(), caller: before };
    const changes: Change[] = [];
    await em.query('savepoint revert');
    const scopes = await this.writer.write({ ...context, record: (change) => void changes.push(change) }, work);
    const caller = changesScopes(work.plan) ? await withCurrentPermissions(em, before) : before;
    const refusals = await forbiddenAfter(caller, work, changes, scopes);
    if (refusals.size === 0) {
      for (const [id, refusal] of await this.checks.refusals(em, caller, work, assertTime)) refusals.set(id, refusal);
    }
    if (refusals.size === 0) {
      await em.query('release savepoint revert');
      for (const change of changes) context.record(change, caller);
      return { refusals, caller };
    }
    await em.query('rollback to savepoint revert');
    await em.query('release savepoint revert');
    return { refusals, caller: before };
  }
}

/** Returns whether the plan writes projects or environments, which may change what the caller may do. */
function changesScopes({ revivals, updates, deletions }: RevertPlan): boolean {
  return [...revivals, ...updates, ...deletions].some(isScope);
}
