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
import { createRevertError, describeConflicts, HIDDEN } from './revert-error.ts';
import { collectIds, forbiddenAfter, forbiddenBefore } from './revert-permissions.ts';
import type { UnrevertedObject } from './revert-report.ts';
import type { RevertSource } from './revert-sources.ts';
import { isScope, RevertWriter, type RevertWrites } from './revert-writer.ts';
import type { ObjectErrors } from './written-objects.ts';

interface Reverted {
  /** Ids of the restored objects that had been deleted. */
  readonly revived: ReadonlySet<string>;
  /** Ids of the objects that the revert deleted. */
  readonly deleted: ReadonlySet<string>;
  readonly conflicts: readonly UnrevertedObject[];
}

/** The result of one attempt to write a plan. */
interface Attempt {
  /** Empty if the plan was written. Otherwise, the write was rolled back. */
  readonly errors: ObjectErrors;
  /** The caller with the permissions after the attempt. */
  readonly caller: Writer;
}

/** The maximum number of passes. A revert that does not skip conflicts then reports the conflicts found so far. */
const PASSES_MAX = 10;

/**
 * Restores earlier states of objects. It plans the writes, executes them, and checks the result. If objects are
 * rejected, it rolls back, and repeats this without them until no object is rejected. The result is therefore valid as
 * a whole, independent of the order in which the objects were originally written.
 */
@Injectable()
export class RevertExecutor {
  constructor(
    private readonly writer: RevertWriter,
    private readonly checks: RevertChecks,
    private readonly vault: Vault,
  ) {}

  /**
   * Reverts the objects of a source. If there are conflicts and the policy does not skip them, throws 409 with all of
   * them, or 403 if all of them are missing permissions.
   */
  async revert(
    context: WriteContext,
    source: RevertSource,
    policy: RevertPolicy,
    assertTime: AssertTime,
  ): Promise<Reverted> {
    const loadedObjects = await loadObjects(context, this.vault, source);
    const errors = await forbiddenBefore(context.em, context.caller, loadedObjects);
    const { plan, caller } = await this.writtenPlan(context, loadedObjects, errors, policy, assertTime);
    const conflicts = await describeConflicts(context.em, caller, loadedObjects, plan, errors);
    if (source.isForbidden) conflicts.push(HIDDEN);
    // A conflict cannot be skipped if it is the rejection of a secret which the plan did not validate: neither this
    // plan nor a new one could show it.
    const isSkipped = policy === 'skip' && !caller.planRecorder.isBeyondPlan;
    if (conflicts.length > 0 && !isSkipped) throw createRevertError(conflicts);
    return { revived: collectIds(plan.revivals), deleted: collectIds(plan.deletions), conflicts };
  }

  /** Writes a plan without the rejected objects, and adds their errors to `errors`. */
  private async writtenPlan(
    context: WriteContext,
    loadedObjects: LoadedObjects,
    errors: ObjectErrors,
    policy: RevertPolicy,
    assertTime: AssertTime,
  ): Promise<{ readonly plan: RevertPlan; readonly caller: Writer }> {
    const nextPlan = () =>
      revertPlan(loadedObjects.objects, loadedObjects.context, {
        isOverwritten: policy === 'overwrite',
        excluded: new Set(errors.keys()),
      });
    for (let pass = 1; ; pass += 1) {
      assertTime();
      const plan = nextPlan();
      const attempt = await this.attempt(context, { ...loadedObjects, plan }, assertTime);
      if (attempt.errors.size === 0) return { plan, caller: attempt.caller };
      for (const [id, error] of attempt.errors) errors.set(id, error);
      if (policy !== 'skip' && pass === PASSES_MAX) return { plan: nextPlan(), caller: attempt.caller };
    }
  }

  /** Writes a plan and checks the result. If no object is rejected, records the changes; otherwise rolls back. */
  private async attempt(
    context: WriteContext,
    work: RevertWrites & LoadedObjects,
    assertTime: AssertTime,
  ): Promise<Attempt> {
    const { caller: before, em } = context;
    const { revivals, updates, deletions } = work.plan;
    if (revivals.length + updates.length + deletions.length === 0) return { errors: new Map(), caller: before };
    const changes: Change[] = [];
    await em.query('savepoint revert');
    const scopes = await this.writer.write({ ...context, record: (change) => void changes.push(change) }, work);
    const caller = changesScopes(work.plan) ? await withCurrentPermissions(em, before) : before;
    const errors = await forbiddenAfter(caller, work, changes, scopes);
    if (errors.size === 0) {
      for (const [id, error] of await this.checks.findErrors(em, caller, work, assertTime)) errors.set(id, error);
    }
    if (errors.size === 0) {
      await em.query('release savepoint revert');
      for (const change of changes) context.record(change, caller);
      return { errors, caller };
    }
    await em.query('rollback to savepoint revert');
    await em.query('release savepoint revert');
    return { errors, caller: before };
  }
}

/** Returns whether the plan writes projects or environments, which may change the caller's permissions. */
function changesScopes({ revivals, updates, deletions }: RevertPlan): boolean {
  return [...revivals, ...updates, ...deletions].some(isScope);
}
