import { Injectable } from '@nestjs/common';
import { type RevertPolicy } from '@strata/contract';
import {
  can,
  canOnScope,
  type DetectedConflict,
  describeRevertConflict,
  Failure,
  type RevertContext,
  type RevertedObject,
  type RevertPlan,
  revertPlan,
} from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Change } from '../../platform/ledger/change.ts';
import type { WriteContext, Writer } from '../../platform/ledger/command.ts';
import { ledgerIdsAt } from '../../platform/ledger/present-versions.ts';
import { assertAccess } from '../../platform/ledger/write-rules.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { Vault } from '../../platform/vault/vault.ts';
import { withCurrentPermissions } from '../changesets/changeset-run.ts';
import { rowOf } from '../changesets/changesets.presenter.ts';
import type { AssertTime } from '../changesets/held-time.ts';
import { assertControl } from '../projects/projects.service.ts';
import { ObjectNames, titlesNow } from './object-names.ts';
import { RevertChecks } from './revert-checks.ts';
import { HIDDEN, refusalOf } from './revert-refusal.ts';
import type { UnrevertedObject } from './revert-report.ts';
import { assertMayRevert } from './revert-rights.ts';
import type { RevertSource } from './revert-sources.ts';
import { isScope, type RevertWork, RevertWriter, type RevivedScopes } from './revert-writer.ts';
import { type RevertRow, type RowsById, rowsOf, stateOf } from './reverted-rows.ts';
import { surroundingsOf } from './surroundings.ts';
import type { Refusals } from './written-objects.ts';

interface Reverted {
  /** Ids of what was not there and is again. */
  readonly revived: ReadonlySet<string>;
  /** Ids of what was there and is not any more. */
  readonly gone: ReadonlySet<string>;
  readonly conflicts: readonly UnrevertedObject[];
}

/** Whoever wants all or nothing is told what was found until then. */
const PASSES_MAX = 10;

/** The result of writing a plan. */
interface Attempt {
  /** Empty if the plan is written. */
  readonly refusals: Refusals;
  /** The caller with the permissions that hold now. */
  readonly caller: Writer;
}

/** What is known of the objects before anything is written. */
interface Known extends Omit<RevertWork, 'plan'> {
  readonly objects: readonly RevertedObject[];
  readonly surroundings: RevertContext;
}

/**
 * Makes objects what they were. It is planned, written and judged; what is refused then is left out, and all of it is
 * planned anew, until nothing is refused. So whatever is written is right as a whole, in whatever order it once came.
 */
@Injectable()
export class RevertRun {
  constructor(
    private readonly writer: RevertWriter,
    private readonly checks: RevertChecks,
    private readonly vault: Vault,
  ) {}

  /** 409 with all that stands against it, 403 if that is rights alone; unless conflicts are skipped. */
  async revert(
    context: WriteContext,
    source: RevertSource,
    policy: RevertPolicy,
    assertTime: AssertTime,
  ): Promise<Reverted> {
    const { em } = context;
    let { caller } = context;
    const known = await this.known(em, caller, source);
    const refusals = await this.rights(em, caller, known);
    const planned = () =>
      revertPlan(known.objects, known.surroundings, {
        isOverwritten: policy === 'overwrite',
        refused: new Set(refusals.keys()),
      });
    let plan = planned();
    for (let pass = 1; ; pass += 1) {
      assertTime();
      const attempt = await this.attempt(context, { ...known, plan }, assertTime);
      caller = attempt.caller;
      if (attempt.refusals.size === 0) break;
      for (const [id, refusal] of attempt.refusals) refusals.set(id, refusal);
      plan = planned();
      if (policy !== 'skip' && pass === PASSES_MAX) break;
    }
    const conflicts = await this.inWords(em, caller, known, plan, refusals);
    if (source.isClosed) conflicts.push(HIDDEN);
    // its plan did not show this conflict, and a plan made now would not either
    const isSkipped = policy === 'skip' && !caller.planRecorder.isBeyondPlan;
    if (conflicts.length > 0 && !isSkipped) throw refusalOf(conflicts);
    return { revived: idsOf(plan.revivals), gone: idsOf(plan.deletions), conflicts };
  }

  private async known(em: EntityManager, caller: Writer, source: RevertSource): Promise<Known> {
    const { organizationId } = caller;
    const { ids, shared } = source;
    const now = await rowsOf(em, organizationId, 'now', ids);
    const before = await rowsOf(em, organizationId, source.before, ids);
    const all = [...ids.values()].flat();
    const left =
      source.after === null ? null : await ledgerIdsAt(SnapshotReader.within(em), organizationId, source.after, all);
    const open = await this.vault.opener(organizationId);
    const textOf = ({ id, sealed, text = null }: RevertRow) => (sealed ? open('value.sealed', id, sealed) : text);
    const objects = [...ids].flatMap(([type, ofType]) =>
      ofType.map((id): RevertedObject => {
        const state = (rows: RowsById) => {
          const row = rows.get(id);
          return row ? stateOf(type, row) : null;
        };
        const present = state(now);
        const version = left?.get(id);
        const after = left === null ? present : version === undefined ? null : { version };
        return { type, id, before: state(before), after, now: present, isShared: shared.has(id) };
      }),
    );
    // what a plan of it rests on
    for (const { id, before: state } of objects)
      for (const each of [id, ...(state?.needs ?? [])]) caller.planRecorder.objects.add(each);
    const surroundings = await surroundingsOf(em, caller, objects, before, source);
    const names = await ObjectNames.of(em, organizationId, [...before.values(), ...now.values()]);
    return { at: source.before, objects, before, now, textOf, surroundings, names };
  }

  /** What the caller may not do, as far as that can be told before anything is back. */
  private async rights(em: EntityManager, caller: Writer, known: Known): Promise<Refusals> {
    const refusals: Refusals = new Map();
    const coming = new Set(known.objects.filter(({ now, before }) => before && !now).map(({ id }) => id));
    const forest = known.objects.some(isMoved) ? await projectForest(em, caller) : [];
    for (const object of known.objects) {
      if (object.before?.content === object.now?.content || liesIn(known, object, coming)) continue;
      const failure = await refusalFrom(async () => {
        // who has a role on a scope that is gone is asked once it is back
        if (!coming.has(object.id) || !caller.scopes.has(object.id)) this.assertMay(caller, known, object);
        if (isMoved(object)) await assertMayMove(em, caller, forest, object);
      });
      if (failure) refusals.set(object.id, failure);
    }
    return refusals;
  }

  private assertMay(caller: Writer, { before, now, names }: Known, object: RevertedObject): void {
    const row = (before.get(object.id) ?? now.get(object.id)) as RevertRow;
    const projectId = object.type === 'Project' ? null : (row.project_id ?? names.projectOf(row.parameter_id));
    assertMayRevert(caller, object, row, projectId);
  }

  /** Writes a plan and judges it. What is refused is not there afterwards; else it is, and recorded. */
  private async attempt(context: WriteContext, work: RevertWork & Known, assertTime: AssertTime): Promise<Attempt> {
    const { caller: before, em } = context;
    const { revivals, updates, deletions } = work.plan;
    if (revivals.length + updates.length + deletions.length === 0) return { refusals: new Map(), caller: before };
    const changes: Change[] = [];
    await em.query('savepoint revert');
    const revived = await this.writer.write({ ...context, record: (change) => void changes.push(change) }, work);
    const caller = movesScopes(work.plan) ? await withCurrentPermissions(em, before) : before;
    const refusals = this.rightsSince(caller, work, changes, revived);
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

  private rightsSince(
    caller: Writer,
    work: RevertWork & Known,
    changes: readonly Change[],
    revived: RevivedScopes,
  ): Refusals {
    const refusals: Refusals = new Map();
    const isOwner = can(caller.role, 'enter_every_scope');
    for (const id of revived.controlled) {
      const isUnknown = revived.unknown.includes(id);
      if (isUnknown ? !isOwner : !canOnScope(caller, 'manage', id)) refusals.set(id, Failure.forbidden());
    }
    const back = idsOf(work.plan.revivals);
    for (const object of work.plan.revivals) {
      if (refusals.has(object.id) || !liesIn(work, object, back)) continue;
      const failure = failureOf(() => this.assertMay(caller, work, object));
      if (failure) refusals.set(object.id, failure);
    }
    const known = idsOf(work.objects);
    for (const change of changes) {
      const failure = known.has(change.object.id) ? failureOf(() => assertAccess(caller, change)) : null;
      if (failure) refusals.set(change.object.id, failure);
    }
    return refusals;
  }

  private async inWords(
    em: EntityManager,
    caller: Writer,
    known: Known,
    plan: RevertPlan,
    refusals: Refusals,
  ): Promise<UnrevertedObject[]> {
    const { objects, before, now, names } = known;
    const conflicts = new Map(plan.conflicts.map((conflict) => [conflict.object.id, conflict]));
    const ids = plan.conflicts.flatMap(({ by }) => by ?? []);
    const titles = new Map((await titlesNow(em, caller.organizationId, ids)).map((row) => [row.id, row]));
    const by = ({ by: id }: DetectedConflict) => {
      if (id === null) return null;
      const title = titles.get(id);
      if (!title) return names.place(id).name || null;
      const places = [title.project_id, title.environment_id];
      return places.every((place) => place === null || canOnScope(caller, 'read', place)) ? title.title : null;
    };
    return objects.flatMap((object): UnrevertedObject[] => {
      const [refusal, conflict] = [refusals.get(object.id), conflicts.get(object.id)];
      if (!refusal && !conflict) return [];
      const row = (before.get(object.id) ?? now.get(object.id)) as RevertRow;
      const { action: _, ...place } = rowOf(names.change('update', object.type, row, false));
      if (refusal) return [{ object: place, code: refusal.code, detail: refusal.message }];
      return conflict
        ? [{ object: place, code: conflict.code, detail: describeRevertConflict(conflict, by(conflict)) }]
        : [];
    });
  }
}

const idsOf = (objects: readonly RevertedObject[]) => new Set(objects.map(({ id }) => id));

/** Whether an object lies in one of some scopes. */
function liesIn({ before, now, names }: Known, { id }: RevertedObject, scopes: ReadonlySet<string>): boolean {
  const row = before.get(id) ?? now.get(id);
  const projectId = row?.project_id ?? names.projectOf(row?.parameter_id);
  return [projectId, row?.environment_id].some((place) => place && scopes.has(place));
}

/** What is controlled, and by what, may be otherwise after it. */
function movesScopes({ revivals, updates, deletions }: RevertPlan): boolean {
  return [...revivals, ...updates, ...deletions].some(isScope);
}

/** A project that is there and depends on something else. */
function isMoved({ type, before, now }: RevertedObject): boolean {
  return type === 'Project' && before !== null && now !== null && before.parentId !== now.parentId;
}

interface ForestRow {
  readonly id: string;
  readonly dependsOnId: string | null;
}

function projectForest(em: EntityManager, { organizationId }: Writer): Promise<readonly ForestRow[]> {
  return em.query<ForestRow[]>('select id, depends_on_id as "dependsOnId" from project where organization_id = $1', [
    organizationId,
  ]);
}

/** Which project controls a project through its dependency is its OWNER's business. */
function assertMayMove(
  em: EntityManager,
  caller: Writer,
  forest: readonly ForestRow[],
  { id, before, now }: RevertedObject,
): Promise<void> {
  return assertControl(em, caller, forest, { id, from: now?.parentId ?? null, to: before?.parentId ?? null });
}

function failureOf(ask: () => void): Failure | null {
  try {
    ask();
    return null;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

async function refusalFrom(ask: () => Promise<void>): Promise<Failure | null> {
  try {
    await ask();
    return null;
  } catch (error) {
    if (error instanceof Failure && error.kind !== 'unavailable') return error;
    throw error;
  }
}
