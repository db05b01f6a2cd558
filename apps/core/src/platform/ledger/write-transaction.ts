import type { OrganizationId } from '@strata/domain';
import { isConnectionLost } from '../database/constraints.ts';
import type { Statement } from '../database/prepared-client.ts';
import type { Transaction } from '../database/transaction.ts';
import type { Change } from './change.ts';
import type { Command, WriteContext, Written } from './command.ts';
import {
  appendChangesets,
  type HeldHead,
  type LockedHead,
  lockHead,
  moveHead,
  nextRevision,
} from './ledger-statements.ts';
import { assertAccess, assertWritable, type WriteRules } from './write-rules.ts';
import { decidedSet } from './write-set.ts';

/** What became of a command; it holds once the transaction is committed. */
export type Outcome = { readonly written: Written<unknown> } | { readonly refused: unknown };

const SAVEPOINT: Statement = { text: 'savepoint command', values: [] };
const UNDO: readonly Statement[] = [
  { text: 'rollback to savepoint command', values: [] },
  { text: 'release savepoint command', values: [] },
];
/** What the database would check at the commit it checks now, while it is clear which command is to blame. */
const KEEP: readonly Statement[] = [
  { text: 'set constraints all immediate', values: [] },
  { text: 'set constraints all deferred', values: [] },
  { text: 'release savepoint command', values: [] },
];

/**
 * One transaction in which commands of one organization are carried out. Each has a revision of its own, and one that is
 * refused takes none of the others with it: if there may be others, each is carried out in a savepoint.
 */
export class WriteTransaction {
  /** Of all commands so far. When there are none there is nothing to commit. */
  readonly changes: Change[] = [];

  constructor(
    private readonly organizationId: OrganizationId,
    private readonly transaction: Transaction,
    private readonly rules: WriteRules,
    private readonly isShared: boolean,
  ) {}

  async runOne(command: Command<unknown>): Promise<Outcome> {
    try {
      const written = await this.carriedOut(command);
      return { written };
    } catch (error) {
      await this.undo(error);
      return { refused: error };
    }
  }

  /**
   * Commands of one kind together. Fewer outcomes than commands: the next one takes more than the set knows, so that it
   * must be run by itself, as all must if there are none.
   */
  async runSet(commands: readonly Command<unknown>[]): Promise<readonly Outcome[]> {
    const members = commands.flatMap(({ caller, inSet }) => (inSet ? [{ caller, ...inSet }] : []));
    const [member] = members;
    if (!member || this.rules.hasHook(member.operation.objectType)) return [];
    const { operation } = member;
    const inputs = members.map(({ input }) => input);
    try {
      const [[head], ...found] = await this.enter<LockedHead>(
        lockHead(this.organizationId),
        ...operation.load(this.organizationId, inputs),
      );
      assertWritable(head);
      const { changesets, rows, outcomes } = decidedSet(members, await operation.decide(inputs, found), head);
      const last = changesets.at(-1);
      if (!last) {
        await this.undo(null);
        return outcomes;
      }
      await this.leave(
        moveHead(this.organizationId, last.revision, last.at),
        operation.store(this.organizationId, rows),
        ...this.recorded(changesets),
      );
      this.changes.push(...changesets.flatMap(({ changes }) => changes));
      return outcomes;
    } catch (error) {
      // one by one it comes out which of them the database refuses, and in whose words
      await this.undo(error);
      return [];
    }
  }

  /** What a command would do: it is undone after `inspect` has seen it. */
  async rehearse<Result, Seen>(
    command: Command<Result>,
    inspect: (context: WriteContext, result: Result, changes: readonly Change[]) => Promise<Seen>,
  ): Promise<Seen> {
    const { context, changes } = await this.begin();
    const result = await command.run(context);
    await this.settle(command, context, changes);
    return inspect(context, result, changes);
  }

  private async carriedOut(command: Command<unknown>): Promise<Written<unknown>> {
    const { caller, kept = 'result' } = command;
    const { idempotencyKey } = caller;
    const { idempotencyKeys } = this.rules;
    const { context, changes } = await this.begin();
    const { em, revision, at } = context;
    const earlier = idempotencyKey && (await idempotencyKeys.earlier(em, caller, idempotencyKey));
    const result = earlier ? earlier.result : await command.run(context);
    if (changes.length === 0) {
      await this.undo(null);
      return { result, revision: earlier?.revision ?? revision - 1 };
    }
    await this.settle(command, context, changes);
    const statements = this.recorded([{ caller, revision, at, changes }]);
    if (idempotencyKey) {
      statements.push(await idempotencyKeys.remember(caller, idempotencyKey, { revision, at, result, kept }));
    }
    await this.leave(...statements);
    this.changes.push(...changes);
    return { result, revision };
  }

  private async begin() {
    const [[head]] = await this.enter<HeldHead>(nextRevision(this.organizationId));
    assertWritable(head);
    const { revision, at } = head;
    const changes: Change[] = [];
    const context: WriteContext = {
      em: this.transaction.em,
      revision,
      at,
      record: (change) => void changes.push(change),
    };
    return { context, changes };
  }

  /** What changes along, and whether the caller may do all of it. */
  private async settle({ caller }: Command<unknown>, context: WriteContext, changes: readonly Change[]): Promise<void> {
    for (const [hook, concerning] of this.rules.hooksOf(changes)) await hook(context, this.organizationId, concerning);
    for (const change of changes) assertAccess(caller, change);
  }

  private recorded(changesets: Parameters<typeof appendChangesets>[1]): Statement[] {
    const changes = changesets.flatMap((changeset) => changeset.changes);
    return [appendChangesets(this.organizationId, changesets), ...this.rules.following(this.organizationId, changes)];
  }

  private async enter<Head>(
    first: Statement,
    ...more: readonly Statement[]
  ): Promise<[(Head | undefined)[], ...object[][]]> {
    const before = this.isShared ? [SAVEPOINT] : [];
    const rows = await this.transaction.send(...before, first, ...more);
    return rows.slice(before.length) as [Head[], ...object[][]];
  }

  private leave(...statements: readonly Statement[]): Promise<object[][]> {
    return this.transaction.send(...statements, ...(this.isShared ? KEEP : []));
  }

  /** Throws the reason when the connection is gone, and with it whatever else was in the transaction. */
  private async undo(reason: unknown): Promise<void> {
    if (isConnectionLost(reason)) throw reason;
    if (this.isShared) await this.transaction.send(...UNDO);
    else await this.transaction.rollback();
  }
}
