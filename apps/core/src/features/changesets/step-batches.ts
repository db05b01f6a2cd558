import { Failure } from '@strata/domain';
import type { Change } from '../../platform/ledger/change.ts';
import type { SetMember, Stamp, WriteContext, Writer } from '../../platform/ledger/command.ts';
import { assertAccess } from '../../platform/ledger/write-rules.ts';
import { loadSet, readRows } from '../../platform/ledger/write-set.ts';
import { isConnectionLost, isStatementTimeout } from '../../platform/postgres/constraints.ts';
import type { CreatedIds } from './references.ts';
import type { PreparedStep } from './steps.ts';

/**
 * The maximum number of steps per batch. If a step must run on its own, the rows of the steps after it are loaded
 * again.
 */
const BATCH_MAX = 100;

/**
 * Returns the step at `from` and the steps after it that can run in the same batch. They have the same operation, and
 * each one writes another row.
 */
export function nextBatch(steps: readonly PreparedStep[], from: number): readonly PreparedStep[] {
  const rows = new Set<string>();
  const operation = findSetMember(steps[from])?.operation;
  let end = from + 1;
  for (let at = from; operation && at < steps.length && at < from + BATCH_MAX; at += 1) {
    const member = findSetMember(steps[at]);
    const row = member?.operation === operation ? operation.rowKey(member.input) : null;
    if (row === null || rows.has(row)) break;
    rows.add(row);
    end = at + 1;
  }
  return steps.slice(from, end);
}

/**
 * Returns the batch entry of a step, or null if the step must run on its own, as a step does that others refer to by
 * name.
 */
function findSetMember(preparedStep: PreparedStep | undefined): SetMember<unknown> | null {
  if (!preparedStep?.prepared || !('command' in preparedStep.prepared) || preparedStep.step.as !== null) return null;
  const { inSet } = preparedStep.prepared.command;
  return inSet && !inSet.isAlone ? inSet : null;
}

/**
 * Runs the first steps of a batch with one load and one store, and returns the change of each. Stops before the first
 * step that the batch cannot decide, that changes nothing, or that is rejected; the caller runs the remaining steps one
 * by one. Returns no change if the database rejects the batch.
 */
export async function runBatch(
  { caller, em, revision, at }: WriteContext,
  steps: readonly PreparedStep[],
  createdIds: CreatedIds,
): Promise<readonly Change[]> {
  const members = steps.flatMap((step) => findSetMember(step) ?? []);
  const [first] = members;
  if (!first || members.length === 1) return [];
  const { organizationId } = caller;
  const inputs = members.map(({ input }) => input);
  await em.query('savepoint batch');
  try {
    const loadedSet = await loadSet(em, organizationId, first.operation, inputs);
    const rows: (Stamp & { readonly row: unknown })[] = [];
    const completedChanges: Change[] = [];
    for (const [index, input] of inputs.entries()) {
      const decision = await first.operation.decide({ caller, em, input }, loadedSet, index).catch(nullIfRejected);
      if (decision?.is !== 'changed' || decision.settle !== null) break;
      if (!isAllowed(caller, steps[index], createdIds, decision.change)) break;
      rows.push({ revision, at, row: decision.row });
      completedChanges.push(decision.change);
    }
    if (rows.length > 0) await readRows(em, first.operation.store(organizationId, rows));
    await em.query('release savepoint batch');
    return completedChanges;
  } catch (error) {
    if (isConnectionLost(error) || isStatementTimeout(error)) throw error;
    if (error instanceof Failure && error.kind === 'unavailable') throw error;
    await em.query('rollback to savepoint batch');
    await em.query('release savepoint batch');
    return [];
  }
}

/** Returns null for a rejected step. The caller runs it again to report its error. */
function nullIfRejected(error: unknown): null {
  if (error instanceof Failure) return null;
  throw error;
}

function isAllowed(
  caller: Writer,
  preparedStep: PreparedStep | undefined,
  createdIds: CreatedIds,
  change: Change,
): boolean {
  try {
    preparedStep?.step.assertMayCall(caller, createdIds);
    assertAccess(caller, change);
    return true;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}
