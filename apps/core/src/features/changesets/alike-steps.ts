import { Failure } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Change } from '../../platform/ledger/change.ts';
import type { SetMember, Stamp, WriteContext, Writer } from '../../platform/ledger/command.ts';
import { assertAccess } from '../../platform/ledger/write-rules.ts';
import { isConnectionLost, isStatementTimeout } from '../../platform/postgres/constraints.ts';
import type { Statement } from '../../platform/postgres/prepared-client.ts';
import type { Made } from './references.ts';
import type { PreparedStep } from './steps.ts';

/** So many are loaded and stored at once: it bounds what is looked up in vain where one of them has to be carried out by itself. */
const TOGETHER_MAX = 100;

/** The step at `from`, and those after it that can be carried out together with it: of one kind, each on another row. */
export function alikeSteps(steps: readonly PreparedStep[], from: number): readonly PreparedStep[] {
  const rows = new Set<string>();
  const operation = memberOf(steps[from])?.operation;
  let end = from + 1;
  for (let at = from; operation && at < steps.length && at < from + TOGETHER_MAX; at += 1) {
    const member = memberOf(steps[at]);
    const row = member?.operation === operation ? operation.rowOf(member.input) : null;
    if (row === null || rows.has(row)) break;
    rows.add(row);
    end = at + 1;
  }
  return steps.slice(from, end);
}

/** Null for a step that is carried out by itself, as one whose name others refer to. */
function memberOf(prepared: PreparedStep | undefined): SetMember<unknown> | null {
  if (!prepared?.early || !('command' in prepared.early) || prepared.step.as !== null) return null;
  return prepared.early.command.inSet ?? null;
}

/**
 * Carries out the first of some alike steps as one load and one store, and answers what each of them changed. What comes after them
 * is to be carried out one by one: it begins with a step that takes more than the set knows, that leaves things as they are, or that
 * is refused and says why by itself. None where the database refuses to store them together.
 */
export async function doneTogether(
  { caller, em, revision, at }: WriteContext,
  steps: readonly PreparedStep[],
  made: Made,
): Promise<readonly Change[]> {
  const members = steps.flatMap((step) => memberOf(step) ?? []);
  const [first] = members;
  if (!first || members.length === 1) return [];
  const { organizationId } = caller;
  const inputs = members.map(({ input }) => input);
  const requests = inputs.map((input) => ({ caller, input }));
  await em.query('savepoint alike');
  try {
    const found: object[][] = [];
    for (const statement of first.operation.load(organizationId, inputs)) found.push(await rowsOf(em, statement));
    const rows: (Stamp & { readonly row: unknown })[] = [];
    const done: Change[] = [];
    for (const [index, decision] of (await first.operation.decide(requests, found)).entries()) {
      if (decision.is !== 'changed' || !isAllowed(caller, steps[index], made, decision.change)) break;
      rows.push({ revision, at, row: decision.row });
      done.push(decision.change);
    }
    if (rows.length > 0) await rowsOf(em, first.operation.store(organizationId, rows));
    await em.query('release savepoint alike');
    return done;
  } catch (error) {
    if (isConnectionLost(error) || isStatementTimeout(error)) throw error;
    if (error instanceof Failure && error.kind === 'unavailable') throw error;
    await em.query('rollback to savepoint alike');
    await em.query('release savepoint alike');
    return [];
  }
}

const rowsOf = (em: EntityManager, { text, values }: Statement) => em.query<object[]>(text, [...values]);

function isAllowed(caller: Writer, prepared: PreparedStep | undefined, made: Made, change: Change): boolean {
  try {
    prepared?.step.assertMayCall(caller, made);
    assertAccess(caller, change);
    return true;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}
