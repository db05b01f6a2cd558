import { Failure, type OrganizationId } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Statement } from '../postgres/prepared-client.ts';
import type {
  Command,
  CommandOutcome,
  LoadedInput,
  SetDecision,
  SetMember,
  SetOperation,
  SetRequest,
  Stamp,
  WriteContext,
} from './command.ts';
import { plusMicroseconds } from './instant.ts';
import type { Changeset, PresentHead } from './ledger-statements.ts';
import { assertAccess } from './write-rules.ts';

/** A request of a set, with the rows that it reads, and the error if its caller is no longer authorized. */
interface AuthorizedRequest extends SetRequest<unknown>, LoadedInput {
  readonly failure: Failure | null;
}

type Decision = SetDecision<unknown, unknown>;
type ChangedDecision = Extract<Decision, { readonly is: 'changed' }>;
type StampedRow = Stamp & { readonly row: unknown };

interface SetWrites {
  /** One per change, at consecutive revisions. */
  readonly changesets: readonly Changeset[];
  /** The rows to store, in batches of different rows. A batch replaces rows of the batches before it. */
  readonly batches: readonly (readonly StampedRow[])[];
  /** In the order of the commands. They are valid once the rows are stored. */
  readonly outcomes: readonly CommandOutcome[];
  /** The input of the next request for each written row, by the key of the row. */
  readonly afterWrites: ReadonlyMap<string, LoadedInput>;
  /** The work that follows the row of a set of one. */
  readonly settle: ChangedDecision['settle'];
}

/** Returns the command of one input. In a changeset or a dry run, it runs as a set of one, too. */
export function setCommand<Result>(
  command: Pick<Command<Result>, 'operation' | 'caller' | 'storedResult'>,
  member: SetMember<Result>,
): Command<Result> {
  return { ...command, inSet: member, run: (context) => runSetOfOne(context, member) };
}

/** Runs a set operation for one input inside a write that has advanced the head already. */
async function runSetOfOne<Result>(context: WriteContext, { operation, input }: SetMember<Result>): Promise<Result> {
  const { caller, em, revision, at } = context;
  const loadedSet = await loadSet(em, caller.organizationId, operation, [input]);
  const decision = await operation.decide({ caller, em, input }, loadedSet, 0);
  if (decision.is === 'unchanged') {
    if (decision.secretId !== null) context.recordUnchangedSecret(decision.secretId);
    return decision.result;
  }
  await readRows(em, operation.store(caller.organizationId, [{ row: decision.row, revision, at }]));
  await decision.settle?.();
  context.record(decision.change);
  return decision.result({ revision, at });
}

/** Runs the reads of a set operation one by one. */
export async function loadSet(
  em: EntityManager,
  organizationId: OrganizationId,
  operation: SetOperation<unknown, unknown, unknown>,
  inputs: readonly unknown[],
): Promise<object[][]> {
  const loadedRows: object[][] = [];
  for (const statement of operation.load(organizationId, inputs)) loadedRows.push(await readRows(em, statement));
  return loadedRows;
}

export const readRows = (em: EntityManager, { text, values }: Statement) => em.query<object[]>(text, [...values]);

/**
 * Decides the requests of a set, and assigns revisions to the changes. Stops before the first request that must be
 * alone. If a caller is no longer authorized, the outcome is the caller's error, and nothing is decided.
 */
export async function decideSet(
  operation: SetOperation<unknown, unknown, unknown>,
  requests: readonly AuthorizedRequest[],
  { revision, nextAt }: Pick<PresentHead, 'revision' | 'nextAt'>,
): Promise<SetWrites> {
  const changesets: Changeset[] = [];
  const writtenRows = new Map<string, StampedRow[]>();
  const afterWrites = new Map<string, LoadedInput>();
  const outcomes: CommandOutcome[] = [];
  let settle: ChangedDecision['settle'] = null;
  for (const request of requests) {
    const latest = revision + changesets.length;
    const key = operation.rowKey(request.input);
    const { loaded, index } = afterWrites.get(key) ?? request;
    const decision = await decided(operation, request, loaded, index);
    if ('error' in decision) outcomes.push(decision);
    else if (decision.is === 'unchanged') outcomes.push({ written: { result: decision.result, revision: latest } });
    else {
      if (decision.settle && requests.length > 1) break;
      settle = decision.settle;
      const stamp = { revision: latest + 1, at: plusMicroseconds(nextAt, changesets.length) };
      const row = { ...stamp, row: decision.row };
      changesets.push({ ...stamp, caller: request.caller, changes: [decision.change] });
      writtenRows.set(key, [...(writtenRows.get(key) ?? []), row]);
      if (operation.afterWrite) afterWrites.set(key, operation.afterWrite(loaded, index, row));
      outcomes.push({ written: { result: decision.result(stamp), revision: stamp.revision } });
    }
  }
  return { changesets, batches: inBatches([...writtenRows.values()]), outcomes, afterWrites, settle };
}

/** Returns the first version of each row, then the second versions, and so on. */
function inBatches(versions: readonly (readonly StampedRow[])[]): StampedRow[][] {
  const count = Math.max(0, ...versions.map(({ length }) => length));
  return Array.from({ length: count }, (_, at) => versions.flatMap((rows) => rows[at] ?? []));
}

/** Returns the decision, or the error that rejects the request. */
async function decided(
  operation: SetOperation<unknown, unknown, unknown>,
  request: AuthorizedRequest,
  loadedRows: readonly object[][],
  index: number,
): Promise<Decision | { readonly error: Failure }> {
  if (request.failure) return { error: request.failure };
  try {
    const decision = await operation.decide(request, loadedRows, index);
    if (decision.is === 'changed') assertAccess(request.caller, decision.change);
    return decision;
  } catch (error) {
    if (error instanceof Failure) return { error };
    throw error;
  }
}
