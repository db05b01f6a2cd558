import {
  Failure,
  type FailureKind,
  type OrganizationId,
  PreconditionFailed,
  type RefusedStep,
  type Revision,
  StepsRefused,
} from '@strata/domain';
import type { EntityManager } from 'typeorm';
import { currentPermissions, needsReauthorization, reauthorized } from '../../platform/auth/reauthorization.ts';
import type { Caller } from '../../platform/caller.ts';
import { failureResponse } from '../../platform/http/failure.filter.ts';
import type { Change } from '../../platform/ledger/change.ts';
import type { Command, WriteContext, Writer } from '../../platform/ledger/command.ts';
import { ignoredScopes, ignoreForbidden } from '../../platform/ledger/forbidden-values.ts';
import { netChanges } from '../../platform/ledger/net-changes.ts';
import { presentVersions, versionsNow } from '../../platform/ledger/present-versions.ts';
import { assertAccess } from '../../platform/ledger/write-rules.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { alikeSteps, doneTogether } from './alike-steps.ts';
import type { Made } from './references.ts';
import { deletedLocation, isCascaded, mayMovePermissions } from './step-changes.ts';
import type { EarlyCommand, PreparedStep, Step } from './steps.ts';

/** What one step did. */
export interface DoneStep {
  readonly id: string | null;
  readonly changes: readonly Change[];
}

/** The result of a changeset, for its answer. */
export interface DoneChangeset {
  readonly isChanged: boolean;
  readonly steps: readonly (DoneStep & Pick<Step, 'name' | 'as'>)[];
}

/** A step that was carried out, with all that it wrote one after the other. */
interface WrittenStep extends DoneStep {
  /** Ids of secrets that were left alone. */
  readonly left: readonly string[];
}

const NOTHING_WRITTEN: WrittenStep = { id: null, changes: [], left: [] };

/** A step that was refused, with what it was refused with. */
export interface RefusedRun extends RefusedStep {
  /** Null for one that was skipped. */
  readonly failure: Failure | null;
  /** The operation validates a stored secret, which no plan does: a plan may not show this refusal. */
  readonly isBeyondPlans: boolean;
}

/** What all steps came to. Where some are refused, the others are done all the same: it is for the asker to end all of it. */
export interface RunOutcome {
  readonly steps: readonly DoneStep[];
  /** The net effect of all of them. */
  readonly changes: readonly Change[];
  /** By their places. */
  readonly refusals: readonly RefusedRun[];
  /** Ids of what they made, also of what they took away again. */
  readonly made: ReadonlySet<string>;
  /** The caller with the permissions after all of them. */
  readonly caller: Writer;
}

/** Carries out the steps of one changeset inside its write, in savepoints, so that all refusals are found. */
export class ChangesetRun {
  private readonly made = new Map<string, string | null>();
  private readonly refusedNames = new Set<string>();
  private readonly refusals: RefusedRun[] = [];
  private readonly done: WrittenStep[] = [];
  /** The release of the last savepoint. */
  private released: Promise<unknown> = Promise.resolve();

  constructor(
    private context: WriteContext,
    private readonly baseRevision: Revision | null,
  ) {}

  /** `assertTime` throws where it has taken too long. */
  async all(wanted: readonly PreparedStep[], assertTime: () => void = () => undefined): Promise<RunOutcome> {
    await this.lookUpExpected(wanted);
    while (this.done.length < wanted.length) {
      assertTime();
      const alike = alikeSteps(wanted, this.done.length);
      const together = await doneTogether(this.context, alike, this.made);
      for (const [index, change] of together.entries()) {
        const prepared = alike[index];
        if (prepared) this.done.push(this.carriedOut(prepared.step, [change]));
      }
      for (const { step, early } of alike.slice(together.length)) {
        assertTime();
        this.done.push(await this.one(this.done.length, step, early));
      }
    }
    await this.released;
    this.refusals.push(...(await this.changedSinceBase()));
    const all = this.done.flatMap(({ changes }, index) => changes.map((each) => ({ ...each, operations: [index] })));
    return {
      steps: this.done.map(({ id, changes }) => ({ id, changes: netChanges(changes) })),
      changes: netChanges(all),
      refusals: this.refusals.toSorted((one, other) => one.index - other.index),
      made: new Set(all.flatMap(({ action, object }) => (action === 'create' ? [object.id] : []))),
      caller: this.context.caller,
    };
  }

  private async lookUpExpected(wanted: readonly PreparedStep[]): Promise<void> {
    const { caller, em, revision } = this.context;
    const expected = wanted.flatMap(({ step }) => step.expects ?? []);
    const ids = expected.map(({ objectId }) => objectId);
    const versions = await versionsNow(SnapshotReader.within(em), caller.organizationId, ids);
    for (const each of expected) each.lookedUp(versions.get(each.objectId) ?? null, revision);
  }

  private async one(index: number, step: Step, early: EarlyCommand): Promise<WrittenStep> {
    const lost = step.refersTo.find((name) => this.refusedNames.has(name));
    if (lost !== undefined) return this.skipped(index, step, lost);
    const { caller, em } = this.context;
    const { planRecorder } = caller;
    const changes: Change[] = [];
    const left: string[] = [];
    let changedBy = caller;
    const leftOut = planRecorder.skippedValidations;
    // neither this nor the release is waited for: both are sent along with the statements of a step
    const begun = em.query('savepoint step');
    begun.catch(() => undefined);
    try {
      this.assertNewName(step);
      const command = await commandOf(caller, step, early, this.made);
      step.assertMayCall(caller, this.made);
      await command.run({
        ...this.context,
        record: (change, by = caller) => {
          changedBy = by;
          changes.push(change);
        },
        recordUnchangedSecret: (objectId) => void left.push(objectId),
      });
      for (const change of notIgnored(changedBy, changes.splice(0))) {
        assertAccess(changedBy, change);
        changes.push(change);
      }
      await begun;
      this.released = em.query('release savepoint step');
      this.released.catch(() => undefined);
    } catch (error) {
      // whatever is no verdict on this step ends all of it
      if (!(error instanceof Failure) || error.kind === 'unavailable') throw error;
      await Promise.all([em.query('rollback to savepoint step'), em.query('release savepoint step')]);
      const isBeyondPlans = step.isBeyondPlans?.(planRecorder) ?? planRecorder.skippedValidations !== leftOut;
      return this.refused(index, step, error, isBeyondPlans);
    }
    if (mayMovePermissions(caller, changes)) {
      this.context = { ...this.context, caller: await withCurrentPermissions(em, caller) };
    }
    return this.carriedOut(step, changes, left);
  }

  private carriedOut(step: Step, changes: readonly Change[], left: readonly string[] = []): WrittenStep {
    this.recordReads(step);
    const id = step.idOf(changes, this.made);
    if (step.as !== null) this.made.set(step.as, id);
    return { id, changes, left };
  }

  /** A rejected step is not recorded, because a plan does not reveal what the rejection was based on. */
  private recordReads(step: Step): void {
    const { planRecorder } = this.context.caller;
    const { objects = [], contents = [], below = [] } = step.looksAt?.(this.made) ?? {};
    for (const id of objects) planRecorder.objects.add(id);
    for (const id of contents) planRecorder.contents.add(id);
    for (const id of below) planRecorder.below.add(id);
  }

  private assertNewName({ as }: Step): void {
    if (as === null || !this.made.has(as)) return;
    throw Failure.field(
      'duplicate_ref',
      'as',
      `An operation before this one is called ${as} already. Choose another name.`,
    );
  }

  private refused(index: number, { as }: Step, failure: Failure, isBeyondPlans: boolean): WrittenStep {
    if (as !== null && !this.made.has(as)) this.refusedNames.add(as);
    const { status, body } = failureResponse(failure);
    const rules = failure.rules.length > 0 && { rules: [...failure.rules] };
    this.refusals.push({ index, status, code: failure.code, ...rules, error: body, failure, isBeyondPlans });
    return NOTHING_WRITTEN;
  }

  private skipped(index: number, { as }: Step, name: string): WrittenStep {
    if (as !== null) this.refusedNames.add(as);
    const error = { detail: `It refers to ${name}, which an operation that was refused would have made.` };
    this.refusals.push({ index, status: null, code: 'skipped', error, failure: null, isBeyondPlans: false });
    return NOTHING_WRITTEN;
  }

  /** The steps that write what somebody has changed after the revision that the changeset was made for. */
  private async changedSinceBase(): Promise<readonly RefusedRun[]> {
    if (this.baseRevision === null) return [];
    const { caller, em, revision } = this.context;
    const written = this.done.map(concerned);
    const changed = await changedSince(em, caller.organizationId, this.baseRevision, revision, written.flat());
    if (changed.size === 0) return [];
    const versions = await presentVersions(em, caller, [...changed], revision);
    return written.flatMap((all, index) => {
      const ids = new Set(all.filter((id) => changed.has(id)));
      if (ids.size === 0) return [];
      const failure = new PreconditionFailed(versions.filter(({ object }) => ids.has(object.id)));
      const { status, body } = failureResponse(failure);
      return [{ index, status, code: failure.code, error: body, failure, isBeyondPlans: false }];
    });
  }
}

/**
 * Leaves out values in forbidden locations that are deleted together with another object. Notes every deleted object, whether or not it
 * has such values.
 */
function notIgnored(caller: Writer, changes: readonly Change[]): readonly Change[] {
  const ignored = new Set(ignoredScopes(caller));
  if (ignored.size === 0) return changes;
  for (const change of changes) {
    const location = deletedLocation(change);
    if (location) ignoreForbidden(caller, location);
  }
  const isIgnored = ({ project, environment }: Change) =>
    ignored.has(project?.id ?? '') || ignored.has(environment?.id ?? '');
  return changes.filter((change) => !(isCascaded(change) && isIgnored(change)));
}

function commandOf(
  caller: Writer,
  step: Step,
  early: EarlyCommand,
  made: Made,
): Command<unknown> | Promise<Command<unknown>> {
  if (early === null) return step.command(caller, made);
  if ('refused' in early) throw early.refused;
  return early.command;
}

/** Returns the caller with the permissions that hold after the writes so far. Throws if the credential is not valid any more. */
export async function withCurrentPermissions<C extends Caller>(em: EntityManager, caller: C): Promise<C> {
  if (!needsReauthorization(caller, Number.POSITIVE_INFINITY)) return caller;
  const { text, values } = currentPermissions(caller.organizationId, [caller]);
  const [found] = reauthorized<C>([caller], await em.query<object[]>(text, [...values]), caller.revision);
  if (found?.refusal?.kind === 'bad_credential') throw found.refusal;
  return found?.caller ?? caller;
}

/** Ids of what a write is about: what it writes, and secrets that it leaves alone, so that nobody can tell which of the two. */
export function concerned({ changes, left }: Pick<WrittenStep, 'changes' | 'left'>): readonly string[] {
  return [...changes.map(({ object }) => object.id), ...left];
}

/** Of some ids those of objects that were changed after `base` and before `revision`. */
export async function changedSince(
  em: EntityManager,
  organizationId: OrganizationId,
  base: Revision,
  revision: Revision,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await em.query<{ id: string }[]>(
    `select distinct c.object_id as id from unnest($2::text[]) i(id)
       join change c on c.organization_id = $1 and c.object_id = i.id and c.revision > $3 and c.revision < $4`,
    [organizationId, [...new Set(ids)], base, revision],
  );
  return new Set(rows.map(({ id }) => id));
}

const KINDS: Readonly<Record<number, FailureKind>> = {
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  412: 'precondition_failed',
};

/** Its status and code are those of the steps where all agree. */
export function refusalOfAll(refusals: readonly RefusedRun[], count: number): StepsRefused {
  const steps = refusals.map(({ failure: _, isBeyondPlans: __, ...step }): RefusedStep => step);
  const own = steps.filter(({ status }) => status !== null);
  const only = <T>(values: readonly T[]) => (new Set(values).size === 1 ? values[0] : undefined);
  const kind = KINDS[only(own.map(({ status }) => status)) ?? 0] ?? 'invalid';
  const code = only(own.map((step) => step.code)) ?? 'changeset_refused';
  const detail = `${steps.length} of ${count} operations ${steps.length === 1 ? 'is' : 'are'} refused, so nothing was stored.`;
  return new StepsRefused(kind, code, detail, steps);
}
