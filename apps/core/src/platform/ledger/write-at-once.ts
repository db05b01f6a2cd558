import type { OrganizationId } from '@strata/domain';
import { isOutdated, listCallersToProve } from '../auth/reauthorization.ts';
import { isCommitOutcomeUnknown } from '../postgres/constraints.ts';
import { combineIf } from '../postgres/one-statement.ts';
import type { Statement } from '../postgres/prepared-client.ts';
import type { Transaction } from '../postgres/transaction.ts';
import type { Change } from './change.ts';
import { type Command, type CommandOutcome, createWriter } from './command.ts';
import { appendChangesets, linkChangesets, moveUnmovedHead } from './ledger-statements.ts';
import { nextInstant, type RecentRows } from './recent-rows.ts';
import type { SeenHeads } from './seen-heads.ts';
import type { WriteRules } from './write-rules.ts';
import { decideSet } from './write-set.ts';

/** The organization of a write, its connection, and the services that it uses. */
export interface WriteSetup {
  readonly organizationId: OrganizationId;
  readonly transaction: Transaction;
  readonly rules: WriteRules;
  readonly recentRows: RecentRows;
  readonly seenHeads: SeenHeads;
  /** Returns the statement that notifies other processes of changes. It is sent with the commit and runs after it. */
  readonly notification: (changes: readonly Change[]) => Statement;
}

interface WrittenAtOnce {
  readonly outcomes: readonly CommandOutcome[];
  readonly changes: readonly Change[];
}

/**
 * Runs a set in one statement and one round trip: decides it on recent rows, and stores it only if the database finds
 * that the head has not moved and that all else still holds. Returns null if nothing was stored. The set must then run
 * in a transaction, which alone can reject a request or find that it changes nothing.
 */
export async function writeAtOnce(
  { organizationId, transaction, rules, recentRows, seenHeads, notification }: WriteSetup,
  commands: readonly Command<unknown>[],
): Promise<WrittenAtOnce | null> {
  const members = commands.flatMap(({ inSet }) => inSet ?? []);
  const [{ operation } = { operation: null }] = members;
  if (!operation || members.some(({ isAlone }) => isAlone)) return null;
  if (commands.some(({ caller }) => caller.idempotencyKey !== null)) return null;
  const inputs = members.map(({ input }) => input);
  const cachedRows = recentRows.recall(organizationId, operation, inputs);
  if (!cachedRows) return null;
  const { head } = cachedRows;
  const callers = commands.map(({ caller }) => caller);
  if (callers.some((caller) => isOutdated(caller, head.people))) return null;
  const requests = callers.map((caller, at) => {
    const { loaded = [], index = 0 } = cachedRows.inputs[at] ?? {};
    return { caller: createWriter(caller), failure: null, em: transaction.em, input: inputs[at], loaded, index };
  });
  const decision = await decideSet(operation, requests, { revision: head.revision, nextAt: nextInstant(head) });
  const { batches, outcomes, afterWrites, settle } = decision;
  const changesets = linkChangesets(organizationId, head.link, decision.changesets);
  const [first, lastChangeset] = [changesets[0], changesets.at(-1)];
  const [rows, ...overwrites] = batches;
  if (!first || !lastChangeset || !rows || changesets.length < commands.length || settle || overwrites.length > 0)
    return null;
  const changes = changesets.flatMap((changeset) => changeset.changes);
  const condition = moveUnmovedHead(organizationId, head, { first, last: lastChangeset }, listCallersToProve(callers));
  const statement = combineIf(condition, [
    operation.store(organizationId, rows),
    ...appendChangesets(organizationId, changesets),
    ...rules.following(organizationId, changes),
  ]);
  const now = await commit(transaction, statement, notification(changes));
  if (now === null) {
    recentRows.clear(organizationId);
    return null;
  }
  const { revision, at, link } = lastChangeset;
  const after = { ...head, revision, at, link, clock: { at: now, receivedAt: performance.now() } };
  recentRows.add(organizationId, { operation, before: head, after, afterWrites });
  seenHeads.add(organizationId, after);
  return { outcomes, changes };
}

/** Returns when the statement was run; null if it stored nothing. */
async function commit(transaction: Transaction, statement: Statement, hint: Statement): Promise<string | null> {
  try {
    const [row] = (await transaction.commitAlone(statement, hint)) as { readonly now: string | null }[];
    return row?.now ?? null;
  } catch (error) {
    if (isCommitOutcomeUnknown(error)) throw error;
    return null;
  }
}
