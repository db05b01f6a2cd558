import {
  Failure,
  jsonPointer,
  type OrganizationId,
  PreconditionFailedError,
  pointerTo,
  type Revision,
  sentence,
  toErrorData,
} from '@strata/domain';
import type { EntityManager } from 'typeorm';
import { reauthorize } from '../../platform/auth/reauthorization.ts';
import type { Caller } from '../../platform/caller.ts';
import { failureResponse } from '../../platform/http/failure.filter.ts';
import type { Change } from '../../platform/ledger/change.ts';
import type { Command, WriteContext, Writer } from '../../platform/ledger/command.ts';
import { ignoreForbidden, listIgnoredScopes } from '../../platform/ledger/forbidden-values.ts';
import { reduceToNetChanges } from '../../platform/ledger/net-changes.ts';
import { presentVersions, readPresentVersions } from '../../platform/ledger/present-versions.ts';
import { assertAccess } from '../../platform/ledger/write-rules.ts';
import { readRows } from '../../platform/ledger/write-set.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import type { CreatedIds } from './references.ts';
import type { RejectedStep } from './rejected-steps.ts';
import { nextBatch, runBatch } from './step-batches.ts';
import { isCascaded, locationOfDeletion, mayMovePermissions } from './step-changes.ts';
import { locateInOperation, type PreparedCommand, type PreparedStep, type Step } from './steps.ts';

export interface StepResult {
  readonly id: string | null;
  readonly changes: readonly Change[];
}

/** The result of a changeset, as its response needs it. */
export interface AppliedSteps {
  readonly isChanged: boolean;
  readonly steps: readonly (StepResult & Pick<Step, 'name' | 'as'>)[];
}

/** A step that was executed, with everything it wrote, in order. */
interface WrittenStep extends StepResult {
  /** Ids of the secrets for which the request contains the stored text. */
  readonly unchangedSecrets: readonly string[];
}

const NOTHING_WRITTEN: WrittenStep = { id: null, changes: [], unchangedSecrets: [] };

/**
 * The result of all steps. If a step is rejected, the run still executes the other ones, and its caller must roll them
 * back.
 */
export interface RunOutcome {
  readonly steps: readonly StepResult[];
  /** The net changes of all steps. */
  readonly changes: readonly Change[];
  /** The rejected steps, in order of execution. */
  readonly rejectedSteps: readonly RejectedStep[];
  /** Ids of the objects that the steps created, including those that they deleted again. */
  readonly createdIds: ReadonlySet<string>;
  /** The caller with the permissions after all steps. */
  readonly caller: Writer;
}

/**
 * Executes the steps of one changeset inside its write. Each step runs in a savepoint, so that the response can list
 * every rejected step.
 */
export class ChangesetRun {
  /** Ids of created objects by the name that the request gives them (`as`); null if the operation created no object. */
  private readonly createdIds = new Map<string, string | null>();
  private readonly rejectedNames = new Set<string>();
  private readonly rejectedSteps: RejectedStep[] = [];
  private readonly done: WrittenStep[] = [];
  /** Resolves when the last savepoint is released. */
  private released: Promise<unknown> = Promise.resolve();

  constructor(
    private context: WriteContext,
    private readonly baseRevision: Revision | null,
  ) {}

  /** Executes all steps. `assertTime` throws if the run takes too long. */
  async all(steps: readonly PreparedStep[], assertTime: () => void = () => undefined): Promise<RunOutcome> {
    await this.lookUpExpected(steps);
    while (this.done.length < steps.length) {
      assertTime();
      const batch = nextBatch(steps, this.done.length);
      const changes = await runBatch(this.context, batch, this.createdIds);
      for (const [index, change] of changes.entries()) {
        const preparedCommand = batch[index];
        if (preparedCommand) this.done.push(this.executed(preparedCommand.step, [change]));
      }
      for (const { step, prepared } of batch.slice(changes.length)) {
        assertTime();
        this.done.push(await this.runStep(this.done.length, step, prepared));
      }
    }
    await this.released;
    this.rejectedSteps.push(...(await this.changedSinceBase(steps)));
    const all = this.done.flatMap(({ changes }, index) =>
      changes.map((change) => ({ ...change, operations: [index] })),
    );
    return {
      steps: this.done.map(({ id, changes }) => ({ id, changes: reduceToNetChanges(changes) })),
      changes: reduceToNetChanges(all),
      rejectedSteps: this.rejectedSteps.toSorted((left, right) => left.index - right.index),
      createdIds: new Set(all.flatMap(({ action, object }) => (action === 'create' ? [object.id] : []))),
      caller: this.context.caller,
    };
  }

  private async lookUpExpected(steps: readonly PreparedStep[]): Promise<void> {
    const { caller, em, revision } = this.context;
    const expected = steps.flatMap(({ step }) => step.expects ?? []);
    const ids = expected.map(({ objectId }) => objectId);
    const versions = await readPresentVersions(SnapshotReader.within(em), caller.organizationId, ids);
    for (const expectedVersion of expected)
      expectedVersion.setFound(versions.get(expectedVersion.objectId) ?? null, revision);
  }

  private async runStep(index: number, step: Step, preparedCommand: PreparedCommand): Promise<WrittenStep> {
    const missingName = step.refersTo.find((name) => this.rejectedNames.has(name));
    if (missingName !== undefined) return this.skipped(index, step, missingName);
    const { caller, em } = this.context;
    const { planRecorder } = caller;
    const changes: Change[] = [];
    const unchangedSecrets: string[] = [];
    let changedBy = caller;
    const skippedBefore = planRecorder.skippedValidations;
    // Does not wait for the savepoint or its release, so that the driver sends both together with the statements of the
    // step.
    const savepoint = em.query('savepoint step');
    savepoint.catch(() => undefined);
    try {
      this.assertNewName(step);
      const command = await createCommand(caller, step, preparedCommand, this.createdIds);
      step.assertMayCall(caller, this.createdIds);
      await command.run({
        ...this.context,
        record: (change, actor = caller) => {
          changedBy = actor;
          changes.push(change);
        },
        recordUnchangedSecret: (objectId) => void unchangedSecrets.push(objectId),
      });
      for (const change of notIgnored(changedBy, changes.splice(0))) {
        assertAccess(changedBy, change);
        changes.push(change);
      }
      await savepoint;
      this.released = em.query('release savepoint step');
      this.released.catch(() => undefined);
    } catch (error) {
      // Any other error is not caused by this step, so it ends the run.
      if (!(error instanceof Failure) || error.kind === 'unavailable') throw error;
      await Promise.all([em.query('rollback to savepoint step'), em.query('release savepoint step')]);
      const isBeyondPlans = step.isBeyondPlans?.(planRecorder) ?? planRecorder.skippedValidations !== skippedBefore;
      return this.rejectStep(index, step, error, isBeyondPlans);
    }
    if (mayMovePermissions(caller, changes)) {
      this.context = { ...this.context, caller: await withCurrentPermissions(em, caller) };
    }
    return this.executed(step, changes, unchangedSecrets);
  }

  private executed(step: Step, changes: readonly Change[], unchangedSecrets: readonly string[] = []): WrittenStep {
    this.recordReads(step);
    const id = step.resolveId(changes, this.createdIds);
    if (step.as !== null) this.createdIds.set(step.as, id);
    return { id, changes, unchangedSecrets };
  }

  /**
   * Records what the step read. Rejected steps are not recorded, because a plan does not reveal which state a rejection
   * was based on.
   */
  private recordReads(step: Step): void {
    const { planRecorder } = this.context.caller;
    const { objects = [], contents = [], below = [] } = step.reads?.(this.createdIds) ?? {};
    for (const id of objects) planRecorder.objects.add(id);
    for (const id of contents) planRecorder.contents.add(id);
    for (const id of below) planRecorder.below.add(id);
  }

  private assertNewName({ as }: Step): void {
    if (as === null || !this.createdIds.has(as)) return;
    throw Failure.field(
      'duplicate_ref',
      'as',
      sentence`An earlier operation is called ${{ name: as }} already. Choose another name.`,
    );
  }

  private rejectStep(index: number, step: Step, failure: Failure, isBeyondPlans: boolean): WrittenStep {
    const { as } = step;
    if (as !== null && !this.createdIds.has(as)) this.rejectedNames.add(as);
    const { status, body } = failureResponse(failure);
    const rules = failure.rules.length > 0 && { rules: [...failure.rules] };
    const data = toErrorData(failure, locateInOperation(index, step, failure));
    this.rejectedSteps.push({ index, status, ...data, ...rules, error: body, failure, isBeyondPlans });
    return NOTHING_WRITTEN;
  }

  private skipped(index: number, { as }: Step, name: string): WrittenStep {
    if (as !== null) this.rejectedNames.add(as);
    const { message: detail, params } =
      sentence`It refers to ${{ name }}, which a rejected operation would have created.`;
    const data = { code: 'skipped', pointer: jsonPointer(['operations', index]), params, detail };
    this.rejectedSteps.push({ index, status: null, ...data, error: { detail }, failure: null, isBeyondPlans: false });
    return NOTHING_WRITTEN;
  }

  /** Returns the rejections of steps that write objects which changed after the base revision of the changeset. */
  private async changedSinceBase(steps: readonly PreparedStep[]): Promise<readonly RejectedStep[]> {
    if (this.baseRevision === null) return [];
    const { caller, em, revision } = this.context;
    const writtenIds = this.done.map(affectedIds);
    const changedIds = await findChangedSince(
      em,
      caller.organizationId,
      this.baseRevision,
      revision,
      writtenIds.flat(),
    );
    if (changedIds.size === 0) return [];
    const versions = await presentVersions(em, caller, [...changedIds], revision);
    return writtenIds.flatMap((all, index) => {
      const ids = new Set(all.filter((id) => changedIds.has(id)));
      if (ids.size === 0) return [];
      const failure = new PreconditionFailedError(versions.filter(({ object }) => ids.has(object.id)));
      const { status, body } = failureResponse(failure);
      const step = steps[index]?.step;
      const data = toErrorData(failure, step ? locateInOperation(index, step, failure) : pointerTo);
      return [{ index, status, ...data, error: body, failure, isBeyondPlans: false }];
    });
  }
}

/**
 * Removes the changes of values in forbidden locations that were deleted together with another object. Registers each
 * deleted location as one whose values are ignored, whether or not it had such values.
 */
function notIgnored(caller: Writer, changes: readonly Change[]): readonly Change[] {
  const ignored = new Set(listIgnoredScopes(caller));
  if (ignored.size === 0) return changes;
  for (const change of changes) {
    const location = locationOfDeletion(change);
    if (location) ignoreForbidden(caller, location);
  }
  const isIgnored = ({ project, environment }: Change) =>
    ignored.has(project?.id ?? '') || ignored.has(environment?.id ?? '');
  return changes.filter((change) => !(isCascaded(change) && isIgnored(change)));
}

function createCommand(
  caller: Writer,
  step: Step,
  preparedCommand: PreparedCommand,
  createdIds: CreatedIds,
): Command<unknown> | Promise<Command<unknown>> {
  if (preparedCommand === null) return step.command(caller, createdIds);
  if ('failure' in preparedCommand) throw preparedCommand.failure;
  return preparedCommand.command;
}

/** Returns the caller with the permissions after the writes so far. Throws if the credential is no longer valid. */
export async function withCurrentPermissions<C extends Caller>(em: EntityManager, caller: C): Promise<C> {
  const [currentUser] = await reauthorize(caller.organizationId, [caller], null, (statement) =>
    readRows(em, statement),
  );
  if (currentUser?.failure?.kind === 'bad_credential') throw currentUser.failure;
  return currentUser?.caller ?? caller;
}

/**
 * Returns the ids of the objects that a write changes. Includes secrets whose text stays the same, so that the caller
 * cannot find out that it does.
 */
export function affectedIds({
  changes,
  unchangedSecrets,
}: Pick<WrittenStep, 'changes' | 'unchangedSecrets'>): readonly string[] {
  return [...changes.map(({ object }) => object.id), ...unchangedSecrets];
}

/** Returns the ids of the objects that changed after `base` and before `revision`. */
export async function findChangedSince(
  em: EntityManager,
  organizationId: OrganizationId,
  base: Revision,
  revision: Revision,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await em.query<{ id: string }[]>(
    `select distinct change.object_id as id from unnest($2::text[]) requested(id)
       join change on change.organization_id = $1 and change.object_id = requested.id and change.revision > $3 and change.revision < $4`,
    [organizationId, [...new Set(ids)], base, revision],
  );
  return new Set(rows.map(({ id }) => id));
}
